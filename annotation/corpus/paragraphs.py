"""What a corpus is made of, and what a search finds in it."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import NamedTuple


class Paragraph(NamedTuple):
    """One paragraph. `id` is `Title-n` as published, `number` its place on the page, from 1.

    `section` is the heading it stands under, `headers` all headings above it, outermost first.
    """

    id: str
    title: str
    section: str
    headers: tuple[str, ...]
    number: int
    text: str


def record_of(paragraph: Paragraph) -> bytes:
    """A paragraph as indexes keep it and the content hash counts it."""
    return json.dumps(paragraph, ensure_ascii=False, separators=(",", ":")).encode()


def paragraph_of(record: bytes | str) -> Paragraph:
    """The paragraph that `record_of` wrote."""
    key, title, section, headers, number, text = json.loads(record)
    return Paragraph(key, title, section, tuple(headers), number, text)


class Hit(NamedTuple):
    """A paragraph that a search found. `marks`: where in its text the words and phrases stand, [start, end)."""

    paragraph: Paragraph
    score: float
    marks: list[tuple[int, int]]


class Found(NamedTuple):
    """One page of what a search found, best first, and how many paragraphs there are in all."""

    total: int
    hits: list[Hit]


_BLANKS = re.compile(r"\s+")


def key_of(title: str) -> str:
    """The form in which titles are looked up: "beyonce" finds "Beyoncé", "us" both "US" and "Us"."""
    plain = title.casefold()
    if not plain.isascii():
        plain = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    return _BLANKS.sub(" ", plain).strip()


# Between a title's key and the title. No key holds it: all blanks in a key are spaces.
SEPARATOR = "\t"


def page_term(title: str) -> str:
    """The term under which indexes keep a page: in their order all titles stand by their keys."""
    return f"{key_of(title)}{SEPARATOR}{title}"


def title_of(term: str) -> str:
    """The title that `page_term` made a term of."""
    return term.partition(SEPARATOR)[2]
