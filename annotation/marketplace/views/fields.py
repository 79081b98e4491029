"""Values that people type into forms, read; values that leave in tables, made harmless."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from annotation.marketplace import tokens
from annotation.marketplace.errors import Refusal

# What a column of the database takes; see also publishing.MOST_CENTS.
LEAST, MOST = -(2**31), 2**31 - 1
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def whole(request: HttpRequest, name: str, what: str) -> int:
    """A whole number from a form."""
    text = request.POST.get(name, "").strip()
    if not (re.fullmatch("-?[0-9]{1,10}", text) and LEAST <= int(text) <= MOST):
        raise Refusal(f"{what} must be a whole number of up to two billion; found {text[:20]!r}.")
    return int(text)


def cents(request: HttpRequest, name: str, what: str) -> int:
    """An amount of dollars from a form."""
    text = request.POST.get(name, "").strip().removeprefix("$").strip()
    whole_part, _, fraction = text.partition(".")
    good = whole_part.isdecimal() and len(whole_part) < 10 and len(fraction) < 3
    if not (good and (not fraction or fraction.isdecimal())):
        raise Refusal(f"{what} must be an amount such as 1.50; found {text[:20]!r}.")
    return int(whole_part) * 100 + int(fraction.ljust(2, "0") or 0)


def token(request: HttpRequest) -> str | None:
    """The random token of the form that was sent (`{% once %}` in its template)."""
    return request.POST.get("token", "")[:64] or None


@contextmanager
def done_once(request: HttpRequest) -> Iterator[None]:
    """A form that comes a second time, as a double click sends it, finds what it asked for done."""
    try:
        yield
    except tokens.Repeated:
        messages.info(request, "This form came twice; what it asks for was done once.")


def plain_cell(value: object) -> str:
    """A cell that a spreadsheet shows and never runs."""
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
