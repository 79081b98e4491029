"""What a person typed into the search box, read: words and "phrases", and where they stand in a text.

It comes from strangers: whatever is typed is a question, never a mistake. All limits are here. Texts
and questions are cut into words by the same analyser in every index: letters and digits, without case
and accents, as English stems.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

import tantivy

from tasks.text import STOP_WORDS

MOST_CHARACTERS = 500
MOST_WORDS = 32
MOST_HITS = 50
DEEPEST = 1_000
LONGEST_WORD = 60  # bytes; what is longer is no word, and no index holds it
_PHRASE = re.compile(r'"([^"]*)"')
_QUOTES = str.maketrans("“”„«»", '"""""')
_NO_CHARACTER = re.compile("[\x00\ud800-\udfff]")


class Asked(NamedTuple):
    """Words that may occur and phrases that must, as terms of the index; and both as they were typed."""

    words: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    typed_words: tuple[str, ...]
    typed_phrases: tuple[str, ...]


class Term(NamedTuple):
    """A word of a text as the index knows it, and where it stands."""

    text: str
    start: int
    end: int


@functools.cache
def analyser() -> tantivy.TextAnalyzer:
    """Cuts a text into the terms of the index."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(LONGEST_WORD))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def clean(text: str) -> str:
    """The text without what is no character (NUL, half characters), at the same length."""
    return _NO_CHARACTER.sub(" ", text)


def terms(text: str) -> list[Term]:
    tokens = analyser().pre_tokenize(clean(text)).tokens
    return [Term(token.text, token.char_offset_from, token.char_offset_to) for token in tokens]


@functools.cache
def _stop_terms() -> frozenset[str]:
    return frozenset(term.text for word in STOP_WORDS for term in terms(word))


def read(typed: str) -> Asked:
    """What is asked for. Words that every text has ("the", "was") count only where nothing else is asked."""
    text = clean(typed[:MOST_CHARACTERS]).translate(_QUOTES)
    left = MOST_WORDS
    phrases: dict[tuple[str, ...], str] = {}
    for match in _PHRASE.finditer(text):
        found = terms(match[1])[:left]
        left -= len(found)
        if found:
            phrases.setdefault(tuple(term.text for term in found), match[1][: found[-1].end])
    rest = _PHRASE.sub(" ", text)
    words = {term.text: rest[term.start : term.end] for term in terms(rest)}
    telling = {term: word for term, word in words.items() if term not in _stop_terms()}
    if telling or phrases:
        words = telling
    kept = list(words.items())[:left]
    return Asked(
        tuple(term for term, _ in kept), tuple(phrases), tuple(word for _, word in kept), tuple(phrases.values())
    )


def marks(text: str, asked: Asked) -> list[tuple[int, int]]:
    """Where words and phrases stand in a text: [start, end) of each, in order, none within another."""
    found = terms(text)
    wanted = set(asked.words)
    places = [(term.start, term.end) for term in found if term.text in wanted]
    for phrase in asked.phrases:
        for place in range(len(found) - len(phrase) + 1):
            if all(found[place + step].text == word for step, word in enumerate(phrase)):
                places.append((found[place].start, found[place + len(phrase) - 1].end))
    whole: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not whole or start >= whole[-1][1]:
            whole.append((start, end))
    return whole
