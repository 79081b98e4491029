"""What the light solvers have in common: logistic regression over rows of features that each makes in its own way."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from tasks.solvers.base import YES, Guess, Lesson, Solver
from tasks.solvers.logistic import Logistic, Row


class LinearSolver(Solver):
    """A solver that says how a question becomes a row of numbers below `features`; the rest is the same for all.

    `passes`: how often a training goes through the lessons.
    """

    features: ClassVar[int]
    passes: ClassVar[int]

    def __init__(self) -> None:
        self.model = Logistic(self.features)

    def row(self, question: str) -> Row:
        raise TypeError(f"{self.name} does not say how a question becomes a row")

    def look(self, lessons: Sequence[Lesson]) -> None:
        """See all lessons of a training before the first of them becomes a row."""

    def answer(self, question: str) -> Guess:
        return Guess.of(self.model.score(self.row(question)))

    def train(self, lessons: Sequence[Lesson]) -> None:
        self.look(lessons)
        self.model = Logistic(self.features)
        rows = self._rows(lessons)
        dice = random.Random(len(rows))
        for _ in range(self.passes):
            # In another order each time: learning one by one, the last ones would weigh most.
            self.model.learn(dice.sample(rows, len(rows)))

    def learn(self, lessons: Sequence[Lesson]) -> None:
        self.model.learn(self._rows(lessons))

    def _rows(self, lessons: Sequence[Lesson]) -> list[tuple[Row, bool]]:
        return [(self.row(lesson.text), lesson.answer == YES) for lesson in lessons]

    def save(self, folder: Path) -> None:
        self.model.save(folder)

    def load(self, folder: Path) -> None:
        self.model.load(folder)
