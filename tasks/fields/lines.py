"""Lines of texts that bars part, as plain forms hold what has several parts."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def lines_of(values: list[str]) -> list[str]:
    """The lines of what a form posted last under a name."""
    return values[-1].replace("\r", "").split("\n") if values else []


def as_mapping(step: Any) -> Mapping:
    """A step by the names of its parts, whether it comes as a shape or from the database."""
    return step if isinstance(step, Mapping) else step.model_dump()


def texts_of(line: str, number: int) -> list[str]:
    """The texts of a line that bars part, so many. Fewer: the last are missing. More: bars in the last text."""
    texts = [part.strip() for part in parts_of(line)]
    filled = texts + [""] * (number - len(texts))
    return [*filled[: number - 1], " | ".join(filled[number - 1 :])]


def parts_of(line: str) -> list[str]:
    """What bars part in a line, blanks and all; an escaped bar parts nothing."""
    parts: list[list[str]] = [[]]
    for sign in _SIGNS.findall(line):
        if sign == "|":
            parts.append([])
        else:
            parts[-1].append(sign[1:] if sign in _ESCAPED else sign)
    return list(map("".join, parts))


_ESCAPED = ("\\\\", "\\|")
_SIGNS = re.compile(r"\\[\\|]|[^\\|]+|.", re.DOTALL)


def line_of(texts: Iterable[str]) -> str:
    """The same back: a line whose texts may hold bars."""
    return " | ".join(map(escaped, texts))


def escaped(text: str) -> str:
    """A text as it stands between bars."""
    return " ".join(text.split("\n")).replace("\\", "\\\\").replace("|", "\\|")


_NUMBERED_LINE = re.compile(r"\s*([1-9][0-9]?)\s*:(.*)$")


def numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that hold anything with the steps they are about: the one named, or the one after the line before."""
    number = 0
    for line in filter(str.strip, lines):
        found = _NUMBERED_LINE.match(line)
        number = int(found[1]) if found else number + 1
        yield number, found[2] if found else line
