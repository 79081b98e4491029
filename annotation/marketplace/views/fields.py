"""Values that people type into forms, read; values that leave in tables, made harmless."""

from django.http import HttpRequest

from annotation.marketplace.errors import Refusal

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def whole(request: HttpRequest, name: str, what: str) -> int:
    """A whole number from a form."""
    text = request.POST.get(name, "").strip()
    if not (text.lstrip("-").isdecimal() and len(text) < 11):
        raise Refusal(f"{what} must be a whole number; found {text[:20]!r}.")
    return int(text)


def cents(request: HttpRequest, name: str, what: str) -> int:
    """An amount of dollars from a form."""
    text = request.POST.get(name, "").strip().removeprefix("$").strip()
    whole_part, _, fraction = text.partition(".")
    good = whole_part.isdecimal() and len(whole_part) < 10 and len(fraction) < 3
    if not (good and (not fraction or fraction.isdecimal())):
        raise Refusal(f"{what} must be an amount such as 1.50; found {text[:20]!r}.")
    return int(whole_part) * 100 + int(fraction.ljust(2, "0") or 0)


def plain_cell(value: object) -> str:
    """A cell that a spreadsheet shows and never runs."""
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
