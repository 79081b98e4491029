from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from django.db import models
from django.utils import timezone

from annotation.events.models import Event
from annotation.events.verbs import VERBS
from annotation.prepared import Insert

_actor: ContextVar[Any] = ContextVar("actor", default="system")


@contextlib.contextmanager
def acting_as(actor: Any) -> Iterator[None]:
    """Says who does what happens inside: a string, or a callable that is asked when the first event is recorded."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)


def current_actor() -> str:
    actor = _actor.get()
    return actor() if callable(actor) else actor


_insert = Insert(Event, fields=["at", "verb", "actor", "subject", "project_id", "data"])


def record(verb: str, *, subject: models.Model | None = None, project_id: int | None = None, **data: Any) -> None:
    """Writes one event, in the caller's transaction. Raises ValueError for a verb that `verbs.py` does not list."""
    if verb not in VERBS:
        raise ValueError(f"unknown verb {verb!r}: add it to annotation/events/verbs.py")
    name = f"{subject._meta.model_name}:{subject.pk}" if subject is not None else ""
    _insert([(timezone.now(), verb, current_actor(), name, project_id, data)])
