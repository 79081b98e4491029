"""Looks for people's identities in a release: marketplaces' worker ids anywhere, mail addresses where ids stand.

Texts of workers may speak of anything, an address in a question included; but no field that names
who did what may hold more than a pseudonym.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from annotation.releases.formats import read_line
from annotation.releases.storage import Folder
from annotation.workers.models import WorkerIdentity

# Below this an id may be a plain word ("anna"), which texts hold for other reasons.
LEAST_TELLING_LENGTH = 8
MOST_PLACES = 20
BYTES_AT_ONCE = 1 << 20
ID_FIELDS = {"worker", "workers", "reviewer", "reviewers", "item"}
_PLAIN_TOKEN = re.compile(r"[A-Za-z0-9_\-]*")
_ADDRESS = re.compile(r"[^\s@]@[^\s@]")
# Parquet holds what the JSON Lines beside it hold: the builder writes both from the same rows, and
# verification compares them.
_PACKED = ".parquet"


@dataclass
class Identities:
    """The worker ids that must not be published, each with the pseudonym by which we may speak of it."""

    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        telling = [entry for entry in self.known if len(entry) >= LEAST_TELLING_LENGTH]
        self._by_length: dict[int, set[str]] = defaultdict(set)
        for entry in telling:
            if _PLAIN_TOKEN.fullmatch(entry):
                self._by_length[len(entry)].add(entry)
        self._odd = [entry for entry in telling if not _PLAIN_TOKEN.fullmatch(entry)]
        self._long_tokens = re.compile(rf"[A-Za-z0-9_\-]{{{min(self._by_length, default=1)},}}")
        self._short = {entry for entry in self.known if len(entry) < LEAST_TELLING_LENGTH}

    def in_text(self, text: str) -> Iterator[str]:
        """Pseudonyms of the ids that stand in a text, inside longer words too."""
        for entry in self._odd:
            if entry in text:
                yield self.known[entry]
        if self._by_length:
            for token in set(self._long_tokens.findall(text)):
                yield from self._in_token(token)

    def _in_token(self, token: str) -> Iterator[str]:
        for length, entries in self._by_length.items():
            for start in range(len(token) - length + 1):
                if (part := token[start : start + length]) in entries:
                    yield self.known[part]

    @property
    def has_short_ids(self) -> bool:
        return bool(self._short)

    def is_short_id(self, text: str) -> bool:
        return text in self._short


def identities_in_the_vault() -> Identities:
    return Identities(dict(WorkerIdentity.objects.values_list("provider_id", "worker__pseudonym").iterator()))


def identities_found(folder: Folder, identities: Identities) -> list[str]:
    """Where a release gives someone away, in words that give no one away. Empty: nowhere."""
    found: list[str] = []
    for name in folder.names():
        for problem in _in_file(folder, name, identities):
            found.append(problem)
            if len(found) == MOST_PLACES:
                return [*found, f"(the search ended after {MOST_PLACES} places)"]
    return found


def _in_file(folder: Folder, name: str, identities: Identities) -> Iterator[str]:
    for pseudonym in identities.in_text(name):
        yield f"{name}: the file's name holds the marketplace id of {pseudonym}"
    if name.endswith(_PACKED):
        return
    number = 0
    for lines in _pieces(folder, name):
        text = b"".join(lines).decode("utf-8", "replace")
        has_ids = next(identities.in_text(text), None) is not None
        has_fields = name.endswith(".jsonl") and ("@" in text or identities.has_short_ids)
        if has_ids or has_fields:
            yield from _in_lines(name, lines, number, identities, has_fields)
        number += len(lines)


def _pieces(folder: Folder, name: str) -> Iterator[list[bytes]]:
    """A file's lines, many at a time: most pieces are clean and need no second look."""
    with folder.open(name) as handle:
        while lines := handle.readlines(BYTES_AT_ONCE):
            yield lines


def _in_lines(name: str, lines: list[bytes], before: int, identities: Identities, has_fields: bool) -> Iterator[str]:
    for number, line in enumerate(lines, start=before + 1):
        text = line.decode("utf-8", "replace")
        for pseudonym in sorted(set(identities.in_text(text))):
            yield f"{name}:{number}: holds the marketplace id of {pseudonym}"
        if has_fields and ("@" in text or identities.has_short_ids):
            yield from (f"{name}:{number}: {fault}" for fault in _in_id_fields(text, identities))


def _in_id_fields(line: str, identities: Identities) -> Iterator[str]:
    try:
        record = read_line(line)
    except ValueError:  # a broken line is verification's to report
        return
    for place, value in _id_values(record):
        if _ADDRESS.search(value):
            yield f"{place} looks like a mail address"
        elif identities.is_short_id(value):
            yield f"{place} is a marketplace id"


def _id_values(record: Any) -> Iterator[tuple[str, str]]:
    """The values of a line that name someone: its own id fields, and who gave a part of an outcome."""
    if not isinstance(record, dict):
        return
    for name in ID_FIELDS & record.keys():
        values = record[name] if isinstance(record[name], list) else [record[name]]
        yield from ((name, value) for value in values if isinstance(value, str))
    for outcome in ("value", "final"):
        yield from (("workers", giver) for giver in _givers(record.get(outcome)))


def _givers(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        givers = value.get("workers")
        if isinstance(givers, list):
            yield from (giver for giver in givers if isinstance(giver, str))
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _givers(inner)
