"""What a rewording changed, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

# A word with the blanks after it, or one sign: "gravity?" is two pieces, so that a question mark is one change.
_PIECE = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")
Change = tuple[Literal["same", "removed", "added"], str]


def words_changed(before: str, after: str) -> list[Change]:
    """Runs of text that stayed, went or came; joined, the first two kinds give `before`, the first and last `after`."""
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    changes: list[Change] = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            changes.append(("same", "".join(old[start:end])))
            continue
        if end > start:
            changes.append(("removed", "".join(old[start:end])))
        if new_end > new_start:
            changes.append(("added", "".join(new[new_start:new_end])))
    return changes
