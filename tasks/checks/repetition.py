"""Near-duplicates: texts of nearly the same content words, and marks by which they are found without reading all.

Two sets of which at least four fifths are shared must share one of their first few words in any fixed order of all
words (the prefix filter of set similarity joins: Chaudhuri et al. 2006). Those first words, hashed, are a text's marks.
"""

import math
from zlib import crc32

from tasks.text import content_words

NEAR = 0.8


def nearly_same(one: str, other: str) -> bool:
    """Whether two texts share at least four fifths of their content words."""
    ours, theirs = content_words(one), content_words(other)
    return bool(ours) and len(ours & theirs) >= NEAR * len(ours | theirs)


def marks_of(text: str) -> list[int]:
    """A few numbers, at least one of which a text shares with every other that is nearly the same."""
    # By hash: an order that all texts share, and that puts no common word before the others.
    ordered = sorted(crc32(word.encode()) for word in content_words(text))
    # Exact as rationals: 0.8 of 5 words is 4, not a little more.
    return ordered[: len(ordered) - math.ceil(round(NEAR * len(ordered), 9)) + 1]
