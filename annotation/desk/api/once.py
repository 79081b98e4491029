"""Requests that move money, done once however often they are sent: the header Idempotency-Key, as Stripe and the
IETF's draft have it, and as the marketplace's own UniqueRequestToken is.

What was refused left nothing behind: the same key may be sent again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import IntegrityError, transaction
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.desk.api.base import Refusal
from annotation.desk.models import AnsweredRequest

HEADER = "Idempotency-Key"
MOST_KEY = 120
ONCE = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description=f"1 to {MOST_KEY} characters of your own: the same again is done once and answered alike",
)


def once(method: Callable[..., Response]) -> Callable[..., Response]:
    """Makes a view's method answer a request with a known key as it answered the first one, and do nothing more."""

    @wraps(method)
    def answered(view: Any, request: Request, **address: Any) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return method(view, request, **address)
        if not 1 <= len(key) <= MOST_KEY or not key.isascii() or not key.isprintable():
            raise ValidationError({HEADER: [f"Expected 1 to {MOST_KEY} printable ASCII characters."]})
        with transaction.atomic():
            row, is_new = _claim(request, key)
            if not is_new:
                return _the_same(row, request)
            response = method(view, request, **address)
            row.status, row.answer = response.status_code, response.data
            row.save(update_fields=["status", "answer"])
            return response

    return answered


def _claim(request: Request, key: str) -> tuple[AnsweredRequest, bool]:
    """The row of this key, and whether it is new. Who sends it twice at a time waits here for the first."""
    mine = AnsweredRequest.objects.filter(user=request.user, key=key)
    if (known := mine.first()) is not None:
        return known, False
    try:
        with transaction.atomic():
            return AnsweredRequest.objects.create(user=request.user, key=key, request_hash=_hash_of(request)), True
    except IntegrityError:
        return mine.get(), False


def _the_same(row: AnsweredRequest, request: Request) -> Response:
    if row.request_hash != _hash_of(request):
        raise Refusal(
            status.HTTP_422_UNPROCESSABLE_ENTITY, detail=f"this {HEADER} was sent with another request before"
        )
    return Response(row.answer, status=row.status)


def _hash_of(request: Request) -> str:
    asked = [request.method, request.get_full_path(), request.data]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
