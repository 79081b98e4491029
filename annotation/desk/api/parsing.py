"""Reads JSON bodies from strangers: bounded in size and depth, and nothing in them that no database takes."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

MOST_BYTES = 2_000_000
MOST_DEEP = 32
MOST_INTEGER = 2**63 - 1


class TooLarge(APIException):
    status_code = 413
    default_detail = f"The body may have at most {MOST_BYTES:,} bytes."
    default_code = "too_large"


class BoundedJSONParser(BaseParser):
    """JSON in UTF-8. Refuses doubled names, NaN, integers beyond 64 bits, NUL, lone surrogates and deep nesting."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: dict | None = None) -> Any:
        body = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise TooLarge()
        try:
            value = json.loads(body.decode("utf-8"), parse_constant=_no_number, object_pairs_hook=_single_names)
        except RecursionError:
            raise ParseError(f"JSON nested deeper than {MOST_DEEP} levels.") from None
        except ValueError as fault:
            raise ParseError(f"Not JSON in UTF-8: {fault}") from None
        refuse_unstorable(value)
        return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _single_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def refuse_unstorable(value: Any) -> None:
    """Walks a parsed value without recursion. Raises ParseError that names the fault."""
    waiting = [(value, 1)]
    while waiting:
        part, deep = waiting.pop()
        if isinstance(part, str):
            _refuse_text(part)
        elif isinstance(part, float) and not math.isfinite(part):
            raise ParseError("A number is too large.")
        elif isinstance(part, int) and abs(part) > MOST_INTEGER:
            raise ParseError("An integer has more than 64 bits; send it as a string.")
        elif isinstance(part, list | dict):
            if deep > MOST_DEEP:
                raise ParseError(f"JSON nested deeper than {MOST_DEEP} levels.")
            if isinstance(part, dict):
                waiting += [(name, deep) for name in part]
                part = list(part.values())
            waiting += [(inner, deep + 1) for inner in part]


def _refuse_text(text: str) -> None:
    if "\x00" in text:
        raise ParseError("A text has a NUL character, which no database takes.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ParseError("A text has half a surrogate pair, which is no character.")
