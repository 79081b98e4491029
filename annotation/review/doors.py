"""What the experts' and the graders' pages have in common as doors for people and for programs."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse


def address(page: str, *args: Any, **query: Any) -> str:
    """An address of these pages, `review_outcome_next` for one, with the parts of the query that say anything."""
    query = {key: value for key, value in query.items() if value not in (None, "")}
    return reverse(f"admin:{page}", args=args) + (f"?{urlencode(query)}" if query else "")


def wants_json(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def whole_number(text: str | None) -> int | None:
    """A number as pages and programs post it; None for whatever else somebody sends."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None
