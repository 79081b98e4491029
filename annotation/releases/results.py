"""What building a release gives, tells on the way, or refuses with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotation.releases.comparison import Difference
from annotation.releases.queries import Position

Progress = Callable[[str, int], None]


class ReleaseRefused(ValueError):
    """A release that must not be; the message says what stands in its way, and where."""


@dataclass(frozen=True)
class Built:
    """A finished folder, not yet in its place."""

    version: str
    position: Position
    manifest_sha256: str
    figures: list[dict]
    counts: dict
    difference: Difference | None
