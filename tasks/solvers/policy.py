"""When a question is too easy: named groups of solvers, each with its rule, and how often a writer may try.

StrategyQA's rule (section 3.1): a question is rejected when at least 4 of 5 pre-trained solvers (PTD) are right, and
when all 3 solvers that keep learning from accepted questions (FNTD) are.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

HOLDS, SOLVED = "holds", "solved"
Verdict = Literal["holds", "solved"]

# Solvers that need no package of their own; the others are `transformer:<name or folder>`.
LIGHT = ("words", "letters", "meaning", "overlap", "passages")
_LINE = re.compile(
    r"(?P<name>[A-Za-z][\w-]{0,19}) *, *(?P<kind>fixed|learning) *, *(?P<at>\d{1,2}) of *: *(?P<solvers>.+)"
)
EXAMPLE = "PTD, fixed, 4 of: words, letters, meaning, overlap, passages"


@dataclass(frozen=True)
class Puzzle:
    """What solvers are asked: a question, and which answer is right, yes or no."""

    text: str
    right: str


@dataclass(frozen=True)
class Group:
    """Some solvers under one rule: a question is rejected when `rejects_at` of them are right.

    `learns`: they are trained on accepted questions as these come in.
    """

    name: str
    solvers: tuple[str, ...]
    rejects_at: int
    learns: bool = False

    @classmethod
    def read(cls, line: str) -> "Group":
        """A group as people write it: `PTD, fixed, 4 of: words, letters, …`. Raises ValueError."""
        found = _LINE.fullmatch(line.strip())
        if not found:
            raise ValueError(f"expected a group of solvers like “{EXAMPLE}”, found {line[:80]!r}")
        solvers = tuple(name.strip() for name in found["solvers"].split(",") if name.strip())
        for solver in solvers:
            if solver not in LIGHT and not solver.removeprefix("transformer:").strip(": "):
                raise ValueError(f"{found['name']}: transformer: needs a model's name or folder")
            if solver not in LIGHT and not solver.startswith("transformer:"):
                known = ", ".join([*LIGHT, "transformer:<name or folder>"])
                raise ValueError(f"{found['name']}: no solver is called {solver!r}; there are {known}")
        if len(set(solvers)) < len(solvers):
            raise ValueError(f"{found['name']}: a solver stands there twice")
        if not 1 <= int(found["at"]) <= len(solvers):
            raise ValueError(f"{found['name']}: expected 1 to {len(solvers)} of its solvers, found {found['at']}")
        return cls(found["name"], solvers, int(found["at"]), found["kind"] == "learning")

    @property
    def seats(self) -> tuple[str, ...]:
        """The names that its solvers go by in attempts: one kind of solver may sit in two groups."""
        return tuple(f"{self.name}/{solver}" for solver in self.solvers)


@dataclass(frozen=True)
class Policy:
    """The groups that a question must get past, how many tries a writer has, and when learners are trained anew."""

    groups: tuple[Group, ...]
    tries: int = 3
    retrain_every: int = 1_000

    @classmethod
    def read(cls, lines: Iterable[str], *, tries: int = 3, retrain_every: int = 1_000) -> "Policy":
        groups = tuple(Group.read(line) for line in lines)
        if len({group.name for group in groups}) < len(groups):
            raise ValueError("two groups of solvers have the same name")
        return cls(groups, tries, retrain_every)

    @property
    def seats(self) -> dict[str, tuple[str, bool]]:
        """All solvers that are asked: name in attempts → (kind of solver, whether it learns)."""
        return {
            seat: (solver, group.learns)
            for group in self.groups
            for seat, solver in zip(group.seats, group.solvers, strict=True)
        }

    def verdict(self, right: Mapping[str, bool]) -> Verdict:
        """What the groups make of a question; `right` says of each solver, by its name in attempts, whether it was."""
        if any(sum(right[seat] for seat in group.seats) >= group.rejects_at for group in self.groups):
            return SOLVED
        return HOLDS
