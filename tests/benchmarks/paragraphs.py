"""Paragraphs that are made up, with words as often as real ones are: rank r about 1/(r + 2.7) of the time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

VOCABULARY = 400_000
# So many of the commonest words stand for those that a search leaves out ("the", "was").
COMMONEST = 150
PARAGRAPHS_A_PAGE = 8
LEAST_WORDS, MOST_WORDS = 50, 110
BLOCK = 10_000
SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnprstvwz" for vowel in "aeiou"]
ENDINGS = ("", "", "", "s", "ed", "ing", "ly", "er")


@lru_cache(maxsize=1)
def vocabulary() -> list[str]:
    """Distinct words, the short ones first, as in a language."""
    return [_word(rank) for rank in range(VOCABULARY)]


def _word(rank: int) -> str:
    number, parts = rank + len(SYLLABLES), []
    while number:
        number, place = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[place])
    return "".join(parts) + ENDINGS[rank % len(ENDINGS)]


@lru_cache(maxsize=1)
def _cumulated() -> np.ndarray:
    shares = 1 / (np.arange(VOCABULARY) + 2.7)
    return np.cumsum(shares / shares.sum())


def ranks(dice: np.random.Generator, count: int) -> np.ndarray:
    return np.minimum(np.searchsorted(_cumulated(), dice.random(count)), VOCABULARY - 1)


def texts(count: int) -> Iterator[str]:
    dice, words = np.random.default_rng(1), vocabulary()
    for begin in range(0, count, BLOCK):
        lengths = dice.integers(LEAST_WORDS, MOST_WORDS + 1, min(BLOCK, count - begin))
        chosen = ranks(dice, int(lengths.sum())).tolist()
        place = 0
        for length in lengths.tolist():
            yield " ".join([words[rank] for rank in chosen[place : place + length]])
            place += length


def write(path: Path, count: int) -> None:
    """So many paragraphs as JSON Lines, eight a page."""
    words = vocabulary()
    with path.open("w", encoding="utf-8") as out:
        for number, text in enumerate(texts(count)):
            page = number // PARAGRAPHS_A_PAGE
            title = f"{words[page % 5_000].capitalize()} {words[page // 5_000 + 5_000].capitalize()}"
            row = {"title": title, "number": number % PARAGRAPHS_A_PAGE + 1, "section": words[page % 300], "text": text}
            out.write(json.dumps(row) + "\n")


def questions(count: int, *, with_commonest: bool, length: int = 8) -> list[str]:
    """Questions of eight different words, each as often as it is in the texts."""
    dice, shuffle, words = np.random.default_rng(2), random.Random(2), vocabulary()
    found = []
    while len(found) < count:
        drawn = dict.fromkeys(rank for rank in ranks(dice, 400).tolist() if with_commonest or rank >= COMMONEST)
        chosen = list(drawn)[:length]
        shuffle.shuffle(chosen)
        found.append(" ".join(words[rank] for rank in chosen))
    return found
