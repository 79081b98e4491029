"""Whether workers who did not see each other's answers said the same thing: shared content words."""

import itertools
from collections.abc import Collection, Iterable


def shared_words(answers: Iterable[Collection[str]]) -> frozenset[str]:
    """The content words that at least two of several answers hold."""
    seen: set[str] = set()
    twice: set[str] = set()
    for answer in answers:
        words = set(answer)
        twice |= words & seen
        seen |= words
    return frozenset(twice)


def agreeing_pairs(people: Iterable[tuple[Collection[str], object]]) -> tuple[int, int]:
    """(pairs that agree, all pairs) of people, each given by their content words and what else must be equal."""
    pairs = list(itertools.combinations(people, 2))
    agreeing = sum(1 for (words, kind), (others, other) in pairs if kind == other and not set(words).isdisjoint(others))
    return agreeing, len(pairs)
