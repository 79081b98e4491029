"""The files of published datasets, as people have them: gzipped or not, and in whatever case their names came."""

import errno
import gzip
import os
from pathlib import Path

_GZIP_MAGIC = b"\x1f\x8b"


def find(folder: Path, name: str) -> Path | None:
    """The file of this name in a folder, or the same with `.gz`; None where there is neither."""
    wanted = (name.lower(), f"{name.lower()}.gz")
    return next((path for path in sorted(folder.glob("*")) if path.name.lower() in wanted), None)


def need(folder: Path, name: str) -> Path:
    """The same, or FileNotFoundError with the name that was looked for."""
    if found := find(folder, name):
        return found
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder / name))


def text(folder: Path, name: str) -> str:
    """What such a file says. Raises FileNotFoundError."""
    content = need(folder, name).read_bytes()
    return (gzip.decompress(content) if content.startswith(_GZIP_MAGIC) else content).decode("utf-8")
