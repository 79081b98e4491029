"""Uploaded files as files on the disk, for as long as they are read."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# File systems take names of 255 bytes, and letters of other scripts have two or three each.
MOST_BYTES_OF_NAME = 200
MOST_BYTES_OF_ENDING = 40


@contextmanager
def saved_uploads(files: Iterable[Any]) -> Iterator[list[Path]]:
    """Each file under its own name (the split may stand in it), in a folder of its own: no two are the same one."""
    with tempfile.TemporaryDirectory(prefix="crowdwright-upload-") as folder:
        paths = []
        for number, file in enumerate(files):
            path = Path(folder) / str(number) / _safe_name(file.name)
            path.parent.mkdir()
            with path.open("wb") as handle:
                shutil.copyfileobj(file, handle, 1 << 20)
            paths.append(path)
        yield paths


def _safe_name(name: str) -> str:
    """The name comes from outside: its last part only, never an empty or hidden one, and as long as a disk takes."""
    last = Path(name.replace("\\", "/")).name.lstrip(".") or "upload.jsonl"
    encoded = last.encode("utf-8", "ignore")
    if len(encoded) <= MOST_BYTES_OF_NAME:
        return encoded.decode()
    ending = "".join(Path(last).suffixes[-2:]).encode("utf-8", "ignore")
    ending = ending if len(ending) <= MOST_BYTES_OF_ENDING else b""
    return encoded[: MOST_BYTES_OF_NAME - len(ending)].decode("utf-8", "ignore") + ending.decode()
