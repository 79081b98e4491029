"""Solvers that look the question up in the project's paragraphs. Without paragraphs they have nothing to go by."""

from collections.abc import Sequence
from pathlib import Path

from tasks.solvers.base import NOTHING, Guess, Lesson, Search, Solver
from tasks.solvers.features import hashed, word_grams
from tasks.solvers.grams import GramSolver
from tasks.solvers.logistic import Row
from tasks.text import content_words

PARAGRAPHS = 5
# Half of a question's words in one paragraph: as good for yes as for no.
EVEN = 0.5


def covered(question: str, paragraphs: Sequence[str]) -> float:
    """The largest share of a question's content words that stand together in one paragraph."""
    asked = content_words(question)
    if not asked:
        return 0.0
    return max((len(asked & content_words(text)) / len(asked) for text in paragraphs), default=0.0)


class Overlap(Solver):
    """Says yes where a paragraph holds most of the question's words. It learns nothing."""

    name = "overlap"
    learns_online = False

    def __init__(self, search: Search | None = None):
        self.search = search

    def answer(self, question: str) -> Guess:
        if self.search is None:
            return NOTHING
        return Guess.of(covered(question, self.search(question, PARAGRAPHS)))

    def train(self, lessons: Sequence[Lesson]) -> None:
        pass

    def learn(self, lessons: Sequence[Lesson]) -> None:
        pass

    def save(self, folder: Path) -> None:
        pass

    def load(self, folder: Path) -> None:
        pass


class Passages(GramSolver):
    """Logistic regression over the question, and over which of its words stand in the paragraphs found for it."""

    name = "passages"

    def __init__(self, search: Search | None = None):
        super().__init__()
        self.search = search

    def answer(self, question: str) -> Guess:
        return NOTHING if self.search is None else super().answer(question)

    def row(self, question: str) -> Row:
        paragraphs = self.search(question, PARAGRAPHS) if self.search else []
        asked = content_words(question)
        found = frozenset().union(*map(content_words, paragraphs))
        level = f"covered {int(10 * covered(question, paragraphs))}"
        marks = [f"found {word}" for word in sorted(asked & found)] + [
            f"missing {word}" for word in sorted(asked - found)
        ]
        return hashed([*word_grams(question, longest=1), *marks, level, level, level], self.features)
