"""Solvers that see the question alone, as n-grams: they find what gives answers away, and know nothing of the world."""

import random
from collections.abc import Sequence
from pathlib import Path

from tasks.solvers.base import YES, Guess, Lesson, Solver
from tasks.solvers.features import hashed, letter_grams, word_grams
from tasks.solvers.logistic import Logistic, Row

FEATURES = 2**16
PASSES = 8


class GramSolver(Solver):
    """Logistic regression over hashed n-grams."""

    def __init__(self) -> None:
        self.model = Logistic(FEATURES)

    def row(self, question: str) -> Row:
        raise NotImplementedError

    def answer(self, question: str) -> Guess:
        return Guess.of(self.model.score(self.row(question)))

    def train(self, lessons: Sequence[Lesson]) -> None:
        self.model = Logistic(FEATURES)
        rows = [(self.row(lesson.text), lesson.answer == YES) for lesson in lessons]
        dice = random.Random(len(rows))
        for _ in range(PASSES):
            # In another order each time: learning one by one, the last ones would weigh most.
            self.model.learn(dice.sample(rows, len(rows)))

    def learn(self, lessons: Sequence[Lesson]) -> None:
        self.model.learn([(self.row(lesson.text), lesson.answer == YES) for lesson in lessons])

    def save(self, folder: Path) -> None:
        self.model.save(folder)

    def load(self, folder: Path) -> None:
        self.model.load(folder)


class Words(GramSolver):
    """Words and pairs of words."""

    name = "words"

    def row(self, question: str) -> Row:
        return hashed(word_grams(question), FEATURES)


class Letters(GramSolver):
    """Parts of words: what inflections and rare names share."""

    name = "letters"

    def row(self, question: str) -> Row:
        return hashed(letter_grams(question), FEATURES)
