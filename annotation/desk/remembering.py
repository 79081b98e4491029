"""Remembers what takes long to find out about a project, for as long as nothing happens in it.

Every change writes an event, so the log's position says whether an answer still holds. It spares a page that
refreshes itself from counting hundreds of thousands of answers again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache
from django.db.models import Max

from annotation.events.models import Event
from annotation.projects.models import Project

Answer = TypeVar("Answer")
# The clock moves rates and times to the end, and events may be committed out of order.
SECONDS_AT_MOST = 60


def remembered(project: Project, take: Callable[[Project], Answer]) -> Answer:
    """What a function says of a project: asked again after an event or a minute."""
    newest = Event.objects.filter(project_id=project.pk).aggregate(newest=Max("id"))["newest"]
    # The key that is drawn for each project keeps two databases with the same numbers apart.
    key = f"{take.__module__}.{take.__qualname__}:{project.release_key}:{newest}"
    if (known := cache.get(key)) is None:
        known = take(project)
        cache.set(key, known, SECONDS_AT_MOST)
    return known
