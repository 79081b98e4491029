"""Plain articles: one text a file, paragraphs parted by blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from annotation.corpus.forms.records import MOST_TEXT, Read, Unfit, made
from tasks.base import SourceProblem

MOST_BYTES = 20_000_000
LONGEST_TITLE_LINE = 120
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def articles(path: Path) -> Iterator[Read | SourceProblem]:
    """The paragraphs of one file. Its first line is the title where a blank line follows it and no full stop ends it;
    else the file's name is."""
    try:
        content = path.read_bytes()
        if len(content) > MOST_BYTES:
            raise Unfit(f"longer than {MOST_BYTES:,} bytes: is this one article?")
        text = content.decode("utf-8-sig")
    except OSError as error:
        yield SourceProblem(path.name, 0, f"the file can't be read: {error}")
        return
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield SourceProblem(path.name, line, f"not UTF-8: 0x{content[error.start]:02x}")
        return
    except Unfit as problem:
        yield SourceProblem(path.name, 0, str(problem))
        return
    blocks = list(_blocks(text.replace("\r\n", "\n")))
    title = path.stem.replace("_", " ")
    if len(blocks) > 1 and _is_title(blocks[0][1]):
        title = blocks.pop(0)[1].lstrip("#").strip()
    for number, (line, block) in enumerate(blocks, 1):
        try:
            if len(block) > MOST_TEXT:
                raise Unfit(f"a paragraph is longer than {MOST_TEXT:,} characters ({len(block):,})")
            yield Read(
                line, made(key=f"{title}-{number}", title=title, section="", headers=(), number=number, text=block)
            )
        except Unfit as problem:
            yield SourceProblem(path.name, line, str(problem))


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs in one line each, with the line that each begins in."""
    line, start = 1, 0
    ends = [(match.start(), match.end()) for match in _BLANK_LINES.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        block = text[start:end]
        if block.strip():
            yield line + block[: len(block) - len(block.lstrip())].count("\n"), " ".join(block.split())
        line += text.count("\n", start, following)
        start = following


def _is_title(block: str) -> bool:
    return len(block) <= LONGEST_TITLE_LINE and not block.endswith((".", "!", "?", ":", ";", ","))
