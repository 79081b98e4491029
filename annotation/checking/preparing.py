"""Works out what a task type prepares of an item (say, phrases to suggest) once, before any worker opens it.

It stands in this room because the language model does: reading a long text takes a second, which belongs
into a job and never into a request. Rows are kept by item, whose content never changes, with the method
that made them: another model or version makes them anew. Where a worker is faster than the job, or no
model is installed, the same is worked out without one, and whoever asks is told so.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q
from pydantic import BaseModel

from annotation.checking.models import Preparation
from annotation.projects.models import Item
from tasks import registry
from tasks.base import TaskType

log = logging.getLogger(__name__)

Read = Callable[[str], Any]
# No model reads more of one text than this.
MOST_CHARACTERS = 50_000
KEPT_IN_MEMORY = 64
# How long what was made without the model is used before the row is looked for again.
SECONDS_FOR_A_STAND_IN = 5.0
WITHOUT = "without a model"


@dataclass(frozen=True)
class Prepared:
    """What a task type's `prepare` gave, and whether a language model had read the item."""

    data: dict
    with_model: bool


@functools.cache
def model() -> Read | None:
    """The language pipeline with entities, loaded at first use; None, once logged, where it is not installed."""
    try:
        import spacy

        pipeline = spacy.load(settings.LANGUAGE_MODEL, exclude=["lemmatizer"])
    except (ImportError, OSError) as fault:
        log.warning("no language model (%s): suggestions are made without one", fault)
        return None
    return lambda text: pipeline(text[:MOST_CHARACTERS])


def method_of(kind: TaskType, read: Read | None) -> str:
    return f"{kind.prepares} {settings.LANGUAGE_MODEL if read else WITHOUT}"


# --- In a job -------------------------------------------------------------------------------------


def prepare_due(*, seconds: float) -> int:
    """Prepares items on offer that are not prepared yet, for so many seconds. Gives how many."""
    kinds = {name: kind for name, kind in registry.task_types().items() if kind.prepares}
    offered = Item.objects.filter(stage__task_type__in=kinds, state__in=[Item.State.OFFERED, Item.State.TRIAL])
    if not offered.exists():
        return 0
    read = model()
    deadline, count = time.monotonic() + seconds, 0
    for name, kind in kinds.items():
        for item in _due(offered.filter(stage__task_type=name), method_of(kind, read)):
            prepare(item=item, kind=kind, read=read)
            count += 1
            if time.monotonic() > deadline:
                return count
    return count


def _due(items: Any, method: str) -> Iterator[Item]:
    """Items without a row of this method, looked for anew each time: another process may be at it, too."""
    last = 0
    due = items.filter(Q(preparation=None) | ~Q(preparation__method=method)).order_by("id")
    while item := due.filter(pk__gt=last).first():
        last = item.pk
        yield item


def prepare(*, item: Item, kind: TaskType, read: Read | None) -> Preparation:
    """Works it out and keeps it."""
    data = kind.prepare(kind.Item.model_validate(item.payload), read)
    row, _ = Preparation.objects.update_or_create(item=item, defaults={"method": method_of(kind, read), "data": data})
    return row


# --- In a request ---------------------------------------------------------------------------------

_kept: OrderedDict[int, tuple[float, Prepared]] = OrderedDict()
_lock = threading.Lock()


def prepared_for(kind: TaskType, item_id: int, item: BaseModel) -> Prepared:
    """What is prepared of an item; without a row yet, what can be had quickly."""
    known = _kept.get(item_id)
    if known and known[0] > time.monotonic():
        return known[1]
    row = Preparation.objects.filter(item=item_id, method__startswith=f"{kind.prepares} ").first()
    if row is not None:
        found, good_for = Prepared(row.data, not row.method.endswith(WITHOUT)), 3_600.0
    elif known:
        found, good_for = known[1], SECONDS_FOR_A_STAND_IN
    else:
        found, good_for = Prepared(kind.prepare(item, None), with_model=False), SECONDS_FOR_A_STAND_IN
    with _lock:
        _kept[item_id] = (time.monotonic() + good_for, found)
        _kept.move_to_end(item_id)
        while len(_kept) > KEPT_IN_MEMORY:
            _kept.popitem(last=False)
    return found
