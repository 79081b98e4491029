"""Samples that are the same each time: what is in one is told from its name alone."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

One = TypeVar("One")


def is_drawn(what: str, name: str, share: float) -> bool:
    """Whether something is in a sample for some purpose; about `share` of all things are."""
    return _number(what, name) / 2**64 < share


def one_of(several: Sequence[One], what: str, name: str) -> One | None:
    """One of several things, for something of that name; None of none."""
    return several[_number(what, name) % len(several)] if several else None


def _number(what: str, name: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{what}\x1f{name}".encode()).digest()[:8])
