"""JSON values on disk: written once in order, read any number of times, one at a time in memory.

A release of 100,000 answers is read from the database once and gone over several times; holding it
in memory would cost more than the whole service is allowed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.releases.formats import json_line, read_line


class Spool(Sequence):
    """A file of JSON Lines that grows by `append` and reads back like a list. Keys are sorted."""

    def __init__(self, path: Path):
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._offsets = array("Q")
        self._end = 0
        self._handle = path.open("wb", buffering=1 << 16)

    def append(self, value: Any) -> None:
        line = json_line(value)
        self._offsets.append(self._end)
        self._end += len(line)
        self._handle.write(line)

    def close(self) -> None:
        """No more values come; what there is can be read."""
        self._handle.close()
        self._handle = self.path.open("rb")

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[Any]:
        with self.path.open("rb") as handle:
            for line in handle:
                yield read_line(line)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        self._handle.seek(self._offsets[index])
        return read_line(self._handle.readline())
