"""Votes over a few options: counts, the majority where there is one, and how far they agree."""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

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


def agreement(votes: Iterable[Any]) -> float | None:
    """The share of all pairs of votes that are equal; None where there is no pair."""
    pairs = list(itertools.combinations(votes, 2))
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else None
