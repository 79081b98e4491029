"""Source files: reads JSON Lines and JSON arrays from strangers, record by record, and says what is wrong where.

Plain or gzip, with or without a byte-order mark, any line ends. A fault of one line never stops the
next; nothing that a file holds makes the reader raise, or keep more than one line of JSON Lines.
"""

import codecs
import functools
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tasks.text import unwelcome_character

MOST_LINE_BYTES = 1_000_000
MOST_ARRAY_BYTES = 1_000_000_000
WINDOW = 1 << 20  # characters of a large object that are looked at together
MOST_MEMBER_CHARACTERS = 8 * WINDOW
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


# --- What comes of a file -------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadOption:
    """What a reader of source files may be told besides the file. `choices`: value and label; empty: free text."""

    name: str
    label: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()


SPLIT_OPTION = ReadOption("split", "Split", "Only where the file’s name does not say it: train, dev or test.")


@dataclass(frozen=True)
class SourceItem:
    """An item as a source file gives it. `key` is stable across imports; `split` is where it is released.

    `from_answers`: the stored answers that a promoted item was made of; their workers never get it.
    """

    key: str
    payload: dict
    split: str = ""
    from_answers: tuple[int, ...] = ()


@dataclass(frozen=True)
class SourceProblem:
    """Why a line of a source file can't be taken. `line` counts from 1; 0 means the file as a whole."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}" if self.line else f"{self.file}: {self.reason}"


@dataclass(frozen=True)
class Screened:
    """An item of a file with why it is excluded before any HIT (`reason` empty: it is not). `id` is the file's own."""

    id: str
    key: str
    reason: str


# --- Reading --------------------------------------------------------------------------------------


class Record(NamedTuple):
    """A JSON value and the line of the file where it begins."""

    line: int
    value: Any


class Member(NamedTuple):
    """A member of a JSON object and the line of the file where it begins."""

    line: int
    key: str
    value: Any


class Unreadable(ValueError):
    """What is wrong with one line, in words."""


class NoItem(ValueError):
    """Why a record makes no item, in words."""


def records(path: Path, *, storable: bool = True, longest: int = MOST_LINE_BYTES) -> Iterator[Record | SourceProblem]:
    """The records of a file: the lines of JSON Lines, or the elements of a JSON array.

    `storable` refuses records whose texts no database takes (NUL, lone surrogates); `longest`, lines of more bytes.
    """
    try:
        with _opened(path) as stream:
            beginning = stream.peek(4096).removeprefix(BYTE_ORDER_MARK).lstrip()
            found = _elements(path, stream) if beginning.startswith(b"[") else _lines(path, stream, longest)
            yield from map(functools.partial(_stored, path), found) if storable else found
    except (OSError, EOFError, zlib.error) as error:
        # gzip says "BadGzipFile" by OSError, a cut file by EOFError.
        yield SourceProblem(path.name, 0, f"the file can't be read: {error}")


def keyed(
    path: Path, item_of: Callable[[Any], tuple[str, dict]], *, named: str = "id"
) -> Iterator[tuple[str, dict] | SourceProblem]:
    """Key and payload of each record, each key once. `item_of` raises `NoItem`; `named`: what keys are called."""
    first_lines: dict[str, int] = {}
    for record in records(path):
        if isinstance(record, SourceProblem):
            yield record
            continue
        try:
            key, payload = item_of(record.value)
            if key in first_lines:
                raise NoItem(f"{named} {key} stands already in line {first_lines[key]}")
        except NoItem as problem:
            yield SourceProblem(path.name, record.line, str(problem))
            continue
        first_lines[key] = record.line
        yield key, payload


def told_by_name(what: str, names: Mapping[str, str], path: Path, options: Mapping[str, str]) -> str:
    """What an option says of a file, or else its name (`names`: the words for it). Raises `NoItem`."""
    if given := options.get(what, "").strip().lower():
        if given not in names:
            raise NoItem(f"expected {what} to be one of {', '.join(names)}, found {given!r}")
        return names[given]
    found = {names[word] for word in re.split(r"[^a-z]+", path.name.lower()) if word in names}
    if len(found) != 1:
        raise NoItem(
            f"the file's name should say the {what} ({', '.join(names)}), or give it as an option {what}=…; "
            f"found {' and '.join(sorted(found)) or 'none'} in {path.name!r}"
        )
    return found.pop()


def members(path: Path) -> Iterator[Member | SourceProblem]:
    """The members of the one JSON object that a file holds, those before a fault too. It may be larger than memory."""
    try:
        with _opened(path) as stream:
            yield from _members(path, _Window(stream))
    except (OSError, EOFError, zlib.error) as error:
        yield SourceProblem(path.name, 0, f"the file can't be read: {error}")


def document(path: Path) -> Any:
    """The one JSON value that a whole file holds. Raises `Unreadable` with the reason."""
    try:
        with _opened(path) as stream:
            text = _decoded(stream.read(MOST_ARRAY_BYTES + 1).removeprefix(BYTE_ORDER_MARK), MOST_ARRAY_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"the file can't be read: {error}") from error
    return _checked(_parsed(text))


def _stored(path: Path, found: Record | SourceProblem) -> Record | SourceProblem:
    try:
        return found if isinstance(found, SourceProblem) else Record(found.line, _checked(found.value))
    except Unreadable as problem:
        return SourceProblem(path.name, found.line, str(problem))


def _opened(path: Path) -> io.BufferedReader:
    plain = path.open("rb")
    if plain.peek(2)[:2] != GZIP_MAGIC:
        return plain
    plain.close()
    return io.BufferedReader(gzip.open(path, "rb"))


def _lines(path: Path, stream: BinaryIO, longest: int) -> Iterator[Record | SourceProblem]:
    number = 0
    while line := stream.readline(longest + 1):
        number += 1
        is_whole = line.endswith(b"\n") or len(line) <= longest
        while not is_whole and (rest := stream.readline(longest)):
            is_whole = rest.endswith(b"\n")
        if number == 1:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line.strip():
            continue
        try:
            yield Record(number, _parsed(_decoded(line, longest)))
        except Unreadable as problem:
            yield SourceProblem(path.name, number, str(problem))


def _elements(path: Path, stream: BinaryIO) -> Iterator[Record | SourceProblem]:
    """The elements of an array, one after the other: those before a fault are still read."""
    try:
        text = _decoded(stream.read(MOST_ARRAY_BYTES + 1).removeprefix(BYTE_ORDER_MARK), MOST_ARRAY_BYTES)
    except Unreadable as problem:
        yield SourceProblem(path.name, 0, str(problem))
        return
    line, place = 1, 0
    position = _next_sign(text, text.index("[") + 1)
    while text[position : position + 1] != "]":
        line += text.count("\n", place, position)
        place = position
        try:
            value, position = _decoded_from(text, position)
        except Unreadable as problem:
            yield SourceProblem(path.name, line, str(problem))
            return
        yield Record(line, value)
        position = _next_sign(text, position)
        if text[position : position + 1] == ",":
            position = _next_sign(text, position + 1)
        elif text[position : position + 1] != "]":
            line += text.count("\n", place, position)
            yield SourceProblem(path.name, line, "expected a comma or the end of the array here")
            return


class _Window:
    """A part of a long JSON text, moved along as values are taken out of it."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._place, self._is_last = "", 0, False
        self.line = 1

    def sign(self) -> str:
        """The next character that is no blank, not yet taken; empty at the end."""
        while True:
            start = self._place
            self._place = _next_sign(self._text, start)
            self.line += self._text.count("\n", start, self._place)
            if self._place < len(self._text) or not self._more():
                return self._text[self._place : self._place + 1]

    def step(self) -> None:
        self._place += 1

    def value(self) -> Any:
        """Takes the value that begins here. Raises Unreadable."""
        while True:
            try:
                value, end = _decoded_from(self._text, self._place)
            except Unreadable:
                # Cut off by the window's end, or broken: more of it tells.
                if len(self._text) - self._place > MOST_MEMBER_CHARACTERS or not self._more():
                    raise
                continue
            # A number goes on behind the window's end.
            if end < len(self._text) or not self._more():
                self.line += self._text.count("\n", self._place, end)
                self._place = end
                return value

    def _more(self) -> bool:
        """Reads on, at least as much again as is waiting. False at the end."""
        if self._is_last:
            return False
        self._text = self._text[self._place :]
        self._place = 0
        chunk = self._stream.read(max(WINDOW, len(self._text)))
        self._is_last = not chunk
        try:
            self._text += self._decoder.decode(chunk, final=self._is_last)
        except UnicodeDecodeError as error:
            raise Unreadable(f"not UTF-8: {error.reason}, byte 0x{error.object[error.start]:02x}") from None
        return not self._is_last or bool(self._text)


def _members(path: Path, window: _Window) -> Iterator[Member | SourceProblem]:
    try:
        _take(window, "{", "an object")
        comma = "{"
        while not (window.sign() == "}" and comma == "{"):
            line = window.line
            key = window.value()
            if not isinstance(key, str):
                raise Unreadable("expected a name in quotes here")
            _take(window, ":", f"a colon behind {key[:80]!r}")
            window.sign()
            yield Member(line, key, window.value())
            comma = window.sign()
            if comma == "}":
                break
            _take(window, ",", "a comma or the end of the object")
            window.sign()
        window.step()
        if window.sign():
            raise Unreadable("expected nothing behind the object's end")
    except Unreadable as problem:
        yield SourceProblem(path.name, window.line, str(problem))


def _take(window: _Window, sign: str, wanted: str) -> None:
    if window.sign() != sign:
        found = repr(window.sign()) if window.sign() else "the end of the file"
        raise Unreadable(f"expected {wanted} here, found {found}")
    window.step()


def _next_sign(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t", "\r", "\n"):
        position += 1
    return position


def _decoded(line: bytes, most: int) -> str:
    if len(line) > most:
        raise Unreadable(f"longer than {most:,} bytes")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8: byte {error.start + 1} is 0x{line[error.start]:02x}") from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None


def _decoded_from(text: str, position: int) -> tuple[Any, int]:
    try:
        return json.JSONDecoder().raw_decode(text, position)
    except RecursionError:
        raise Unreadable("nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None


def _checked(value: Any) -> Any:
    """The value, if every text in it can be stored. Walks without recursion: depth is a stranger's choice."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if found := unwelcome_character(part):
                raise Unreadable(f"a text holds {found}, which is no character")
        elif isinstance(part, dict):
            waiting += [*part, *part.values()]
        elif isinstance(part, list):
            waiting += part
    return value
