"""Reads what a page sends, from a form or as JSON, and refuses what no page of ours would send."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, QueryDict
from django.http.request import UnreadablePostError

from annotation.hits.sheets import MOST_CHARACTERS, UNSTORABLE, Sheet

MOST_COMMENT = 5_000
MOST_VALUES = 50
_NAME = re.compile(r"([0-9]{1,18})\.([a-z][a-z0-9_]{0,59})")


class BadBody(ValueError):
    """What was sent can't be taken; the message says what was expected and what was found."""


def form_of(request: HttpRequest) -> QueryDict:
    try:
        return request.POST
    except (RequestDataTooBig, TooManyFieldsSent) as error:
        raise BadBody("this is more than a page can hold (2.5 MB and 1,000 fields)") from error
    except UnreadablePostError as error:
        raise BadBody("the connection broke before all of it arrived") from error


def json_of(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except RequestDataTooBig as error:
        raise BadBody("this is more than a page can hold (2.5 MB)") from error
    except UnreadablePostError as error:
        raise BadBody("the connection broke before all of it arrived") from error
    except (ValueError, RecursionError) as error:
        raise BadBody("expected a JSON object") from error
    if not isinstance(body, dict):
        raise BadBody(f"expected a JSON object, found {type(body).__name__}")
    return body


def whole_number(body: Mapping[str, Any], name: str) -> int:
    """A revision or a turn: a whole number that a database column holds."""
    value = body.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise BadBody(f"{name}: expected a whole number, found {str(value)[:40]!r}")
    return value


def word(body: Mapping[str, Any], name: str) -> str:
    """A short name of letters and digits, made by a page's script."""
    value = body.get(name, "")
    if not isinstance(value, str) or not re.fullmatch("[A-Za-z0-9]{0,40}", value):
        raise BadBody(f"{name}: expected up to 40 letters and digits")
    return value


def values_of_form(form: QueryDict, sheet: Sheet) -> dict[str, list[str]]:
    """The typed part of a posted form: items' fields and the comment."""
    return checked({name: form.getlist(name) for name in form if name == "comment" or "." in name}, sheet)


def checked(values: Any, sheet: Sheet) -> dict[str, list[str]]:
    """Form values that can be stored, as they came. Raises BadBody.

    A field that this version of the form doesn't have is kept: a page may be older than we are.
    """
    if not isinstance(values, dict):
        raise BadBody(f"values: expected an object, found {type(values).__name__}")
    if len(values) > 1_000:
        raise BadBody(f"values: at most 1,000 fields are taken, found {len(values)}")
    for name, given in values.items():
        _check_name(name, sheet)
        _check_texts(name, given)
    return values


def _check_name(name: str, sheet: Sheet) -> None:
    if name == "comment":
        return
    match = _NAME.fullmatch(name)
    if not match or int(match.group(1)) not in sheet.item_ids:
        raise BadBody(f"{name[:60]!r} is no field of this HIT")


def _check_texts(name: str, given: Any) -> None:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise BadBody(f"{name}: expected a list of texts")
    if len(given) > MOST_VALUES:
        raise BadBody(f"{name}: at most {MOST_VALUES} values are taken, found {len(given)}")
    most = MOST_COMMENT if name == "comment" else MOST_CHARACTERS
    for text in given:
        if len(text) > most:
            raise BadBody(f"{name}: at most {most:,} characters are taken, found {len(text):,}")
        if found := UNSTORABLE.search(text):
            raise BadBody(f"{name}: holds a character that can't be stored (U+{ord(found.group()):04X})")
