"""Reads the terms that questions are written about: lines or an array of `{"term", "description"}`.

A record may name the answer that its question should have (`"expected": "yes"`), and under `"key"` one question of
its own: then the term may stand there several times.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tasks.base import SourceItem, SourceProblem
from tasks.sources import NoItem, keyed
from tasks.strategyqa.shapes import NO, YES

MOST_TERM_CHARACTERS = 120
MOST_DESCRIPTION_CHARACTERS = 1_000
# What follows a term in the keys of its questions needs room as well.
MOST_KEY_CHARACTERS = 100


def read(path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
    """The terms of a file as items, keyed by the term; a description may be empty. A term without a key counts once."""
    for found in keyed(path, _term_of, named="key or term"):
        yield found if isinstance(found, SourceProblem) else SourceItem(*found)


def _term_of(record: Any) -> tuple[str, dict]:
    match record:
        case {"term": str(term), **others} if term.strip():
            term = " ".join(term.split())
            description, expected = others.get("description", ""), others.get("expected", "")
            key = others.get("key", "")
        case _:
            raise NoItem('expected an object with a "term" that is not empty')
    if problem := _problem(term, description, expected) or _problem_of_key(key, term):
        raise NoItem(problem)
    payload = {"term": term, "description": description.strip(), "expected": expected}
    return key or term, {name: text for name, text in payload.items() if text or name != "expected"}


def has_own_key(source: SourceItem) -> bool:
    """Whether a record named its one question by a key."""
    return source.key != source.payload["term"]


def _problem_of_key(key: object, term: str) -> str:
    if not isinstance(key, str) or len(key) > MOST_KEY_CHARACTERS or key == term:
        return f"expected key to be a short name other than the term, found {str(key)[:40]!r}"
    return ""


def _problem(term: str, description: object, expected: object) -> str:
    if expected not in ("", YES, NO):
        return f"expected the expected answer to be yes or no, found {str(expected)[:40]!r}"
    if len(term) > MOST_TERM_CHARACTERS:
        return f"expected a term of at most {MOST_TERM_CHARACTERS} characters, found {len(term)}"
    if not isinstance(description, str):
        return f"expected description to be a text, found {str(description)[:40]!r}"
    if len(description) > MOST_DESCRIPTION_CHARACTERS:
        return f"expected a description of at most {MOST_DESCRIPTION_CHARACTERS:,} characters"
    return ""
