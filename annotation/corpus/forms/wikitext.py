"""From an article's wikitext to its paragraphs: what a reader sees as running text, with the headings above it.

No parser of all of MediaWiki: tables, boxes, files, references and templates are left out, links and
emphasis become their words. Work is linear in the length of the source, whatever stands in it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

LEAST_CHARACTERS = 20  # shorter blocks are captions, labels and leftovers of templates
# Sections that hold no running text of the article.
APPARATUS = frozenset(
    ("references", "external links", "see also", "further reading", "notes", "bibliography", "sources", "citations")
)
_REDIRECT = re.compile(r"\s*#redirect\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REFERENCE = re.compile(r"<ref\b[^<>]*/>|<ref\b[^<>]*>.*?(?:</ref\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_UNSEEN = re.compile(
    r"<(gallery|math|timeline|syntaxhighlight|score|imagemap)\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_OPENING_OR_CLOSING = re.compile(r"\{\||\|\}(?!\})|\{\{|\}\}|\[\[|\]\]")
# One blank before the words, not all: what two parts of a pattern could share is tried in every way.
_OUTSIDE_LINK = re.compile(r"\[(?:https?:)?//[^\s\[\]]+(?:\s([^\[\]]*))?\]")
_EMPHASIS = re.compile(r"'{2,5}")
_MAGIC = re.compile(r"__[A-Z]{3,20}__")
_EMPTY_BRACKETS = re.compile(r"\(\s*[,;]?\s*\)")
_LEFT_OUT_LINKS = ("file:", "image:", "category:", "media:")
LEAST_DEPTH, MOST_DEPTH = 2, 6
MOST_HEADING = 300
_BLOCK_MARKS = "*#:;"
_CLOSES = {"|}": "{|", "}}": "{{", "]]": "[["}


def is_redirect(source: str) -> bool:
    return bool(_REDIRECT.match(source))


def paragraphs(source: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """(headings above, text) of every paragraph, in order."""
    headings: list[tuple[int, str]] = []
    waiting: list[str] = []
    for line in [*_plain(source).split("\n"), ""]:
        heading = _heading(line)
        text = line.strip()
        is_item = text.startswith(tuple(_BLOCK_MARKS))
        if waiting and (heading or is_item or not text):
            yield from _finished(headings, waiting)
            waiting = []
        if heading:
            depth, name = heading
            headings = [pair for pair in headings if pair[0] < depth] + [(depth, _tidy(name))]
        elif is_item:
            yield from _finished(headings, [text.lstrip(_BLOCK_MARKS)])
        elif text and not text.startswith(("|", "!")):
            waiting.append(text)


def _heading(line: str) -> tuple[int, str] | None:
    """The depth and the words of `== Words ==`; None where a line is no heading."""
    text = line.rstrip()
    depth = len(text) - len(text.lstrip("="))
    words = text[depth:-depth].strip() if depth else ""
    if not LEAST_DEPTH <= depth <= MOST_DEPTH or len(text) <= 2 * depth or not text.endswith("=" * depth):
        return None
    return (depth, words) if len(words) <= MOST_HEADING else None


def _finished(headings: list[tuple[int, str]], lines: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    names = tuple(name for _, name in headings)
    text = _tidy(" ".join(lines))
    if len(text) >= LEAST_CHARACTERS and not any(name.lower() in APPARATUS for name in names):
        yield names, text


def _plain(source: str) -> str:
    """The source without what is not running text. Lines stay lines."""
    text = _COMMENT.sub("", source)
    text = _UNSEEN.sub("", _REFERENCE.sub("", text))
    return _unfolded(text)


def _unfolded(text: str) -> str:
    """Takes out templates and tables, and puts the words of links in their place, however they are nested."""
    # A stack of what is open: its sign, and the text found inside it so far.
    stack: list[tuple[str, list[str]]] = [("", [])]
    place = 0
    for match in _OPENING_OR_CLOSING.finditer(text):
        stack[-1][1].append(text[place : match.start()])
        place = match.end()
        sign = match[0]
        if sign not in _CLOSES:
            stack.append((sign, []))
        elif stack[-1][0] == _CLOSES[sign]:
            opened, parts = stack.pop()
            stack[-1][1].append(_words_of_link("".join(parts)) if opened == "[[" else "")
        elif sign == "|}" or len(stack) == 1:
            pass  # a stray sign
        else:
            # Closes what is not open: what was opened inside it was never closed.
            depth = next((depth for depth in range(len(stack) - 1, 0, -1) if stack[depth][0] == _CLOSES[sign]), 0)
            if depth:
                inside = ["".join(parts) for _, parts in stack[depth:]]
                del stack[depth:]
                stack[-1][1].append(_words_of_link("".join(inside)) if sign == "]]" else "")
    stack[-1][1].append(text[place:])
    # What was never closed: a link keeps its words, the rest was hardly text.
    return "".join("".join(parts) for sign, parts in stack if sign in ("", "[["))


def _words_of_link(inside: str) -> str:
    target, bar, words = inside.partition("|")
    if target.strip().lower().startswith(_LEFT_OUT_LINKS):
        return ""
    return words.rpartition("|")[2] if bar else target.lstrip(":")


def _tidy(text: str) -> str:
    text = _OUTSIDE_LINK.sub(lambda match: match[1] or "", text)
    text = _MAGIC.sub("", _EMPHASIS.sub("", _TAG.sub("", text)))
    text = html.unescape(text).replace("\0", " ")
    text = _EMPTY_BRACKETS.sub("", " ".join(text.split()))
    return " ".join(text.split()).replace(" ,", ",").replace(" .", ".")
