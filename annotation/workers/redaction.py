"""Leaves worker ids out of what pages show: ledgers and logs hold what went over the wire."""

import re
from typing import Any

_WORKER_KEYS = re.compile(r"worker_?ids?$", re.IGNORECASE)
_WORKER_ID = re.compile(r"\bA[A-Z0-9]{9,}\b")
HIDDEN = "(in the vault)"


def without_worker_ids(value: Any, key: str = "") -> Any:
    """The same JSON value, with what is or looks like a marketplace's worker id left out."""
    if isinstance(value, dict):
        return {name: without_worker_ids(entry, name) for name, entry in value.items()}
    if isinstance(value, list):
        return [without_worker_ids(entry, key) for entry in value]
    if _WORKER_KEYS.search(key):
        return HIDDEN
    return _WORKER_ID.sub(HIDDEN, value) if isinstance(value, str) else value
