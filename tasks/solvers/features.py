"""Texts as rows of hashed features: the same number for the same word on every machine, and no vocabulary to keep."""

from collections import Counter
from collections.abc import Iterable
from zlib import crc32

import numpy as np

from tasks.solvers.logistic import Row
from tasks.text import words

# Nobody's question is longer; what is beyond is not read.
MOST_CHARACTERS = 2_000


def hashed(features: Iterable[str], size: int) -> Row:
    """Features as numbers below `size`, each once, valued so that a long text weighs as much as a short one."""
    counts = Counter(crc32(feature.encode()) % size for feature in features)
    numbers = np.fromiter(sorted(counts), dtype=np.int64, count=len(counts))
    values = np.sqrt(np.fromiter((counts[number] for number in sorted(counts)), dtype=np.float32, count=len(counts)))
    length = float(np.linalg.norm(values))
    return numbers, values / length if length else values


def word_grams(text: str, longest: int = 2) -> list[str]:
    """Words and runs of words, with marks for where the text begins and ends."""
    found = ["<", *words(text[:MOST_CHARACTERS]), ">"]
    runs = [" ".join(found[start : start + 2]) for start in range(len(found) - 1)] if longest > 1 else []
    return [*found[1:-1], *runs]


def letter_grams(text: str) -> list[str]:
    """Runs of three to five characters within words: parts of words, and how they begin and end."""
    grams = []
    for word in words(text[:MOST_CHARACTERS]):
        padded = f"<{word}>"
        grams += [padded[start : start + size] for size in (3, 4, 5) for start in range(len(padded) - size + 1)]
    return grams
