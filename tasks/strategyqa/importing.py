"""Reads the terms that questions are written about: lines or an array of `{"term", "description"}`."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tasks.base import SourceItem, SourceProblem
from tasks.sources import records

MOST_TERM_CHARACTERS = 120
MOST_DESCRIPTION_CHARACTERS = 1_000


def read(path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
    """The terms of a file as items, keyed by the term; a description may be empty. A term counts once."""
    first_lines: dict[str, int] = {}
    for record in records(path):
        if isinstance(record, SourceProblem):
            yield record
            continue
        match record.value:
            case {"term": str(term), **others} if term.strip():
                term = " ".join(term.split())
                description = others.get("description", "")
            case _:
                yield SourceProblem(path.name, record.line, 'expected an object with a "term" that is not empty')
                continue
        if problem := _problem(term, description, first_lines):
            yield SourceProblem(path.name, record.line, problem)
            continue
        first_lines[term] = record.line
        yield SourceItem(term, {"term": term, "description": description.strip()})


def _problem(term: str, description: object, first_lines: Mapping[str, int]) -> str:
    if term in first_lines:
        return f"term {term!r} stands already in line {first_lines[term]}"
    if len(term) > MOST_TERM_CHARACTERS:
        return f"expected a term of at most {MOST_TERM_CHARACTERS} characters, found {len(term)}"
    if not isinstance(description, str):
        return f"expected description to be a text, found {str(description)[:40]!r}"
    if len(description) > MOST_DESCRIPTION_CHARACTERS:
        return f"expected a description of at most {MOST_DESCRIPTION_CHARACTERS:,} characters"
    return ""
