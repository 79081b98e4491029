from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from django.db import models

from annotation.events.models import Event
from annotation.events.verbs import VERBS

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


def record(verb: str, *, subject: models.Model | None = None, project_id: int | None = None, **data: Any) -> Event:
    """Writes one event, in the caller's transaction. Raises ValueError for a verb that `verbs.py` does not list."""
    if verb not in VERBS:
        raise ValueError(f"unknown verb {verb!r}: add it to annotation/events/verbs.py")
    name = f"{subject._meta.model_name}:{subject.pk}" if subject is not None else ""
    return Event.objects.create(verb=verb, actor=current_actor(), subject=name, project_id=project_id, data=data)
