"""Wikipedia's Cirrus search dumps: for every page a line that says its place in the index, and the page itself.

The wikitext (`source_text`) is where headings and paragraphs are; a dump without it has the page's plain
`text` only, which is then cut after sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotation.corpus.forms import wikitext
from annotation.corpus.forms.records import MOST_TEXT, Read, Unfit, made
from tasks import sources
from tasks.base import SourceProblem

LONGEST_LINE = 50_000_000
ARTICLES = 0  # the namespace of articles; talk pages, templates, portals have others
WORDS_A_PARAGRAPH = 100
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def pages(path: Path) -> Iterator[Read | SourceProblem]:
    """The paragraphs of every article, numbered from 1 on each page."""
    expects_page = False
    line = 0
    for found in sources.records(path, storable=False, longest=LONGEST_LINE):
        line = found.line
        if isinstance(found, SourceProblem):
            yield found
            expects_page = not expects_page
            continue
        is_index = isinstance(found.value, dict) and isinstance(found.value.get("index"), dict)
        if is_index == expects_page:
            wanted = "a page behind its index line" if expects_page else 'an index line, {"index": {...}}'
            yield SourceProblem(path.name, line, f"expected {wanted}")
        expects_page = is_index
        if is_index:
            continue
        try:
            for paragraph in _paragraphs(found.value):
                yield Read(line, paragraph)
        except Unfit as problem:
            yield SourceProblem(path.name, line, str(problem))
    if expects_page:
        yield SourceProblem(path.name, line, "expected a page behind its index line, found the end of the file")


def _paragraphs(page: Any) -> Iterator[Any]:
    if not isinstance(page, dict) or not isinstance(page.get("title"), str):
        raise Unfit("expected a page with a title")
    if page.get("namespace", ARTICLES) != ARTICLES:
        return
    title = page["title"]
    source, text = page.get("source_text"), page.get("text")
    if isinstance(source, str) and source.strip():
        if wikitext.is_redirect(source):
            return
        blocks = wikitext.paragraphs(source)
    elif isinstance(text, str):
        blocks = (((), part) for part in _cut(text))
    else:
        raise Unfit(f"{title[:80]}: expected source_text or text")
    for number, (headers, block) in enumerate(blocks, 1):
        section = headers[-1] if headers else ""
        yield made(
            key=f"{title}-{number}",
            title=title,
            section=section,
            headers=headers,
            number=number,
            text=block[:MOST_TEXT],
        )


def _cut(text: str) -> Iterator[str]:
    """Whole sentences together, about a hundred words each: the mean length of Wikipedia's paragraphs."""
    kept: list[str] = []
    words = 0
    for sentence in _SENTENCE.split(" ".join(text.split())):
        length = sentence.count(" ") + 1
        if kept and words + length > WORDS_A_PARAGRAPH * 1.25:
            yield " ".join(kept)
            kept, words = [], 0
        kept.append(sentence)
        words += length
        if words >= WORDS_A_PARAGRAPH:
            yield " ".join(kept)
            kept, words = [], 0
    if kept and any(kept):
        yield " ".join(kept)
