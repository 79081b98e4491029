"""The marketplace's one clock, so that months can pass in a test.

Everything that compares times asks `now()`. Signatures and sessions keep to the machine's own clock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

_offset = timedelta(0)
_frozen_at: datetime | None = None


def now() -> datetime:
    """The marketplace's present, in UTC."""
    return (_frozen_at or datetime.now(UTC)) + _offset


def advance(**duration: float) -> datetime:
    """Move the clock on by `timedelta(**duration)`, for this process, and tell the new time."""
    global _offset  # noqa: PLW0603 - the one piece of state that this module exists to hold
    _offset += timedelta(**duration)
    return now()


def reset() -> None:
    """Back to the machine's time."""
    global _offset, _frozen_at
    _offset, _frozen_at = timedelta(0), None


@contextmanager
def frozen(at: datetime | None = None) -> Iterator[None]:
    """Hold the clock still inside the block (it can still be advanced), then let it run again."""
    global _frozen_at  # noqa: PLW0603
    before, _frozen_at = _frozen_at, at or datetime.now(UTC)
    try:
        yield
    finally:
        _frozen_at = before
