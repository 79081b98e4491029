"""Numbers from addresses and query strings, where anybody may write anything."""

from __future__ import annotations

MOST = 2**63 - 1
DIGITS = 19


def whole_number(text: str | None) -> int | None:
    """A row's id or a position from a query string; None for whatever is none (never an error: it is no form)."""
    if not text or len(text) > DIGITS or not text.isascii() or not text.isdigit():
        return None
    number = int(text)
    return number if number <= MOST else None


def plain_text(text: str | None, most: int) -> str:
    """A query's text without what no database takes (NUL, lone surrogates), cut at `most` characters."""
    return (text or "").replace("\x00", "").encode("utf-8", "ignore").decode()[:most]
