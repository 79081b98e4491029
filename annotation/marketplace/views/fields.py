"""Values that people type into forms, read; values that leave in tables, made harmless."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from annotation.marketplace import ledger, tokens
from annotation.marketplace.errors import Refusal

LEAST, MOST = -(2**31), 2**31 - 1  # what a column of the database takes
MOST_CENTS = 99_999_999_999  # of money that comes or goes at once
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
    found = ledger.cents_of(text)
    if found is None or found > MOST_CENTS:
        raise Refusal(f"{what} must be an amount such as 1.50, below a billion; found {text[:20]!r}.")
    return found


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
