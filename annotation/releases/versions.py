"""Version numbers that carry meaning (Croissant's reading of semantic versions).

Major: items were edited, removed or moved between splits. Minor: all that was there is there, and
something was added. Patch: the data are the same, only packaging changed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

FIRST = "1.0.0"
_PATTERN = re.compile(r"(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})", re.ASCII)


class Version(NamedTuple):
    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse(text: str) -> Version:
    """Raises ValueError where the text is not a version."""
    if match := _PATTERN.fullmatch(text):
        return Version(*map(int, match.groups()))
    raise ValueError(f"a version is three numbers such as 1.0.0, found {text!r}")


def after(previous: str, kind: str) -> str:
    """The version that follows a `major`, `minor` or `patch` change. Raises ValueError where no number is left."""
    major, minor, patch = parse(previous)
    following = {
        "major": Version(major + 1, 0, 0),
        "minor": Version(major, minor + 1, 0),
        "patch": Version(major, minor, patch + 1),
    }
    return str(parse(str(following[kind])))
