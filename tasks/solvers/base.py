"""What a solver is: it answers questions, learns from answered ones, and can be laid down in a folder and taken up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

# A search over the project's paragraphs: (text, how many) → their texts, best first.
Search = Callable[[str, int], list[str]]
YES, NO = "yes", "no"


class SolverUnavailable(RuntimeError):
    """Why a solver can't work here, in words: a package or a model that is not there."""


@dataclass(frozen=True)
class Lesson:
    """A question with its right answer, to learn from."""

    text: str
    answer: str


@dataclass(frozen=True)
class Guess:
    """A solver's answer, and how sure it is of it (0.5 to 1). Without an answer it has nothing to go by."""

    answer: str
    score: float

    @classmethod
    def of(cls, yes: float) -> "Guess":
        """From the probability of yes. Exactly even goes to no, so that a solver that knows nothing has one answer."""
        return cls(YES, yes) if yes > 0.5 else cls(NO, 1 - yes)


NOTHING = Guess("", 0.0)


class Solver:
    """Answers yes/no questions. The same lessons in the same order make the same solver, on every machine.

    `name` is what policies call it; `method` goes up when the same lessons would make another solver.
    """

    name: ClassVar[str]
    method: ClassVar[int] = 1
    # Whether `learn` is cheap enough to be called for each accepted question.
    learns_online: ClassVar[bool] = True

    def answer(self, question: str) -> Guess:
        raise TypeError(f"{self.name} does not say what it answers")

    def train(self, lessons: Sequence[Lesson]) -> None:
        """Forget everything, and learn these."""
        raise TypeError(f"{self.name} does not say how it is trained")

    def learn(self, lessons: Sequence[Lesson]) -> None:
        """Learn these besides what is known already."""
        raise TypeError(f"{self.name} does not say how it learns")

    def save(self, folder: Path) -> None:
        """Lay down what was learnt in an empty folder."""
        raise TypeError(f"{self.name} does not say how it is laid down")

    def load(self, folder: Path) -> None:
        """Take up what `save` laid down."""
        raise TypeError(f"{self.name} does not say how it is taken up")
