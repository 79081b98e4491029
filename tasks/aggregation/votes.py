"""Votes over a few options: counts, and the majority where there is one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

Option = TypeVar("Option")


def counted(votes: Iterable[Option], options: Sequence[Option]) -> dict[Option, int]:
    """How many votes each option has, in the order of the options; those without a vote are left out."""
    times = Counter(votes)
    return {option: times[option] for option in options if times[option]}


def majority(votes: Iterable[Option]) -> Option | None:
    """The option with more than half of the votes, or None: a tie stays a tie."""
    times = Counter(votes)
    option, most = max(times.items(), key=lambda pair: pair[1], default=(None, 0))
    return option if 2 * most > times.total() else None
