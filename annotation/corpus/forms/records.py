"""Paragraphs that come as JSON records: JSON Lines, and StrategyQA's paragraph file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from annotation.corpus.base import MOST_TITLE
from annotation.corpus.paragraphs import Paragraph
from tasks import sources
from tasks.base import SourceProblem

MOST_TEXT = 100_000  # characters of a paragraph
LONGEST_LINE = 4_000_000
# The title may hold hyphens itself: the number stands behind the last one.
PARAGRAPH_ID = re.compile(r"(.+)-([1-9][0-9]{0,8})", re.DOTALL)
_NO_CHARACTER = re.compile("[\x00\ud800-\udfff]")


class Unfit(ValueError):
    """Why something can't be taken: what was expected, what was found."""


class Read(NamedTuple):
    """A paragraph and the line of its file; None stands for one without any text, which is passed over."""

    line: int
    paragraph: Paragraph | None


def json_lines(path: Path) -> Iterator[Read | SourceProblem]:
    """One paragraph a line (or an element of an array). Where no number is given, a page's paragraphs are counted."""
    counted: Counter[str] = Counter()
    for found in sources.records(path, storable=False, longest=LONGEST_LINE):
        if isinstance(found, SourceProblem):
            yield found
            continue
        try:
            yield Read(found.line, _from_line(found.value, counted))
        except Unfit as problem:
            yield SourceProblem(path.name, found.line, str(problem))


def strategyqa(path: Path) -> Iterator[Read | SourceProblem]:
    """The members of one object, as StrategyQA publishes its paragraphs. A gigabyte in one line is no trouble."""
    for found in sources.members(path):
        if isinstance(found, SourceProblem):
            yield found
            continue
        try:
            yield Read(found.line, paragraph_from(found.value, key=found.key))
        except Unfit as problem:
            yield SourceProblem(path.name, found.line, f"{found.key[:80]}: {problem}")


def _from_line(value: Any, counted: Counter[str]) -> Paragraph | None:
    key = value.get("id") if isinstance(value, dict) else None
    if key is None and isinstance(value, dict) and isinstance(title := value.get("title"), str):
        number = value.get("number", value.get("para_index"))
        if number is None:
            counted[title] += 1
            number = counted[title]
        key = f"{title}-{number}"
    return paragraph_from(value, key=key)


def paragraph_from(value: Any, *, key: Any) -> Paragraph | None:
    """The paragraph that a record describes; None where its text is empty. Raises Unfit."""
    if not isinstance(value, dict):
        raise Unfit(f"expected an object with title and text, found {_kind(value)}")
    match = PARAGRAPH_ID.fullmatch(key) if isinstance(key, str) else None
    if match is None:
        raise Unfit(f"expected an id like Title-1 (title, hyphen, number from 1), found {_shown(key)}")
    text = _text(value, "text" if "text" in value else "content", MOST_TEXT)
    return made(
        key=key,
        title=_text(value, "title", MOST_TITLE) if "title" in value else match[1],
        section=_text(value, "section", MOST_TEXT) if value.get("section") else "",
        headers=_headers(value.get("headers") or ()),
        number=int(match[2]),
        text=text,
    )


def made(*, key: str, title: str, section: str, headers: tuple[str, ...], number: int, text: str) -> Paragraph | None:
    """A paragraph that an index can take; None where its text is empty. Raises Unfit."""
    if not title.strip() or len(title) > MOST_TITLE:
        raise Unfit(f"expected a title of 1 to {MOST_TITLE} characters, found {_shown(title)}")
    for part in (key, title, section, text, *headers):
        if found := _NO_CHARACTER.search(part):
            raise Unfit(f"a text holds U+{ord(found[0]):04X}, which is no character")
    return Paragraph(key, title, section, headers, number, text) if text and not text.isspace() else None


def _text(value: Mapping[str, Any], name: str, most: int) -> str:
    found = value.get(name)
    if not isinstance(found, str):
        raise Unfit(f"expected a text as {name}, found {_kind(found) if name in value else 'none'}")
    if len(found) > most:
        raise Unfit(f"{name} is longer than {most:,} characters ({len(found):,})")
    return found


def _headers(value: Any) -> tuple[str, ...]:
    headers = (value,) if isinstance(value, str) else value
    if not isinstance(headers, list | tuple) or not all(isinstance(header, str) for header in headers):
        raise Unfit(f"expected headers as a list of texts, found {_shown(value)}")
    return tuple(headers)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: Any) -> str:
    return repr(value)[:80]
