"""Makes characters visible that change how a text reads without being seen.

Text from strangers may turn its direction around, hide letters of zero width or carry thousands of
combining marks. It is stored as it came; where people judge it, they see marks in their place.
"""

from __future__ import annotations

import re
import unicodedata

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

SHORT_NAMES = {
    "\u00ad": "soft hyphen",
    "\u061c": "ALM",
    "\u200b": "zero-width space",
    "\u200c": "ZWNJ",
    "\u200d": "ZWJ",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2060": "word joiner",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
    "\ufeff": "BOM",
}
# Format and control characters, tags, variation selectors, fillers without ink, and runs of combining marks.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
    "|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5,}"
)


def _mark(match: re.Match) -> tuple[str, str]:
    """What stands in place of a hidden character: a short name, and the full one."""
    text = match.group()
    if len(text) > 1:
        return f"+{len(text)} marks", f"{len(text)} combining marks on one letter"
    name = unicodedata.name(text, "control character").lower()
    return SHORT_NAMES.get(text, f"U+{ord(text):04X}"), f"U+{ord(text):04X} {name}"


def pieces(text: str) -> list[tuple[str, str]]:
    """A text cut into (kind, text): kind is empty for what reads as it is, else the full name of a hidden character."""
    found, position = [], 0
    for match in _HIDDEN.finditer(text):
        if match.start() > position:
            found.append(("", text[position : match.start()]))
        short, full = _mark(match)
        found.append((full, short))
        position = match.end()
    if position < len(text):
        found.append(("", text[position:]))
    return found


def visible(text: str) -> SafeString:
    """The text as HTML, escaped, in its own direction, with a mark in place of each hidden character."""
    return format_html("<bdi>{}</bdi>", visible_run(text)) if text else SafeString("")


def visible_run(text: str) -> SafeString:
    """As `visible`, without the isolating element: for parts of a text that read on."""
    return format_html_join("", "{}", ((_as_html(full, shown),) for full, shown in pieces(text)))


def _as_html(full: str, shown: str) -> SafeString | str:
    return format_html('<mark class="hidden-character" title="{}">{}</mark>', full, shown) if full else shown


def hidden_in(text: str) -> list[str]:
    """The names of the hidden characters in a text, each once, in order."""
    return list(dict.fromkeys(full for full, _ in pieces(text) if full))
