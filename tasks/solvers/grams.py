"""Solvers that see the question alone, as n-grams: they find what gives answers away, and know nothing of the world."""

from tasks.solvers.features import hashed, letter_grams, word_grams
from tasks.solvers.linear import LinearSolver
from tasks.solvers.logistic import Row


class GramSolver(LinearSolver):
    """Logistic regression over hashed n-grams."""

    features = 2**16
    passes = 8


class Words(GramSolver):
    """Words and pairs of words."""

    name = "words"

    def row(self, question: str) -> Row:
        return hashed(word_grams(question), self.features)


class Letters(GramSolver):
    """Parts of words: what inflections and rare names share."""

    name = "letters"

    def row(self, question: str) -> Row:
        return hashed(letter_grams(question), self.features)
