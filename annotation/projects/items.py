"""What changes items: adding them at later stages, putting others in their place, moving, screening."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from annotation.events.actions import record
from annotation.projects import queries
from annotation.projects.models import Item, Project, Stage
from annotation.projects.quoting import with_quotes
from tasks import registry
from tasks.base import SourceItem

BATCH = 1_000
# What begins the reason of an item that went because the one it was made of did.
WITHDRAWN = "withdrawn"
_ATTEMPT = re.compile(r"~(\d+)$")


def new_item(stage: Stage, source: SourceItem, reason: str, origin_id: int | None = None) -> Item:
    return Item(
        project_id=stage.project_id,
        stage=stage,
        key=source.key,
        split=source.split,
        payload=source.payload,
        state=Item.State.EXCLUDED if reason else Item.State.OPEN,
        reason=reason[:300],
        origin_id=origin_id,
        origin_answers=list(source.from_answers),
    )


def in_chunks(rows: list) -> Iterator[list]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


@transaction.atomic
def add_item(*, stage: Stage, source: SourceItem, origin_id: int | None = None, is_quoted: bool = False) -> Item:
    """An item of a later stage, promoted from an outcome. The same key again gives the item there is.

    Where that one fell since, for the outcome was open to question, another one takes its place.
    `is_quoted`: the texts that it quotes stand in the payload already.
    """
    item = Item.objects.filter(stage=stage, key=source.key).first()
    while item is not None and item.state == Item.State.REJECTED:
        following = Item.objects.filter(replaces=item).first()
        if following is None:
            again = replace(source, key=next_key(item))
            return add_successor(of=item, source=again, origin_id=origin_id, is_quoted=is_quoted)
        item = following
    if item is None:
        item = _later_item(stage, source, origin_id, is_quoted)
        item.save()
        record("items.promoted", subject=item, project_id=stage.project_id, origin=origin_id)
    return item


def _later_item(stage: Stage, source: SourceItem, origin_id: int | None, is_quoted: bool) -> Item:
    payload = source.payload if is_quoted else with_quotes(stage, source.payload)
    return new_item(stage, replace(source, payload=payload), "", origin_id)


def is_withdrawn(item: Item) -> bool:
    return item.state == Item.State.REJECTED and item.reason.startswith(f"{WITHDRAWN}:")


def next_key(item: Item) -> str:
    """The key of another attempt at the same thing that is free: `Cactus/3`, `Cactus/3~2`, `Cactus/3~3`."""
    found = _ATTEMPT.search(item.key)
    stem, number = (item.key[: found.start()], int(found[1])) if found else (item.key, 1)
    taken = set(Item.objects.filter(stage_id=item.stage_id, key__startswith=f"{stem}~").values_list("key", flat=True))
    while (key := f"{stem}~{number + 1}") in taken:
        number += 1
    return key


@transaction.atomic
def add_successor(
    *,
    of: Item,
    source: SourceItem,
    origin_id: int | None = None,
    reserved_for: Iterable[int] = (),
    is_quoted: bool = False,
) -> Item:
    """An item in the place of one that fell or was sent back; a second call gives the one there is.

    `reserved_for`: ids of answers whose workers alone may get it. `is_quoted`: as of `add_item`.
    """
    if (known := Item.objects.filter(replaces=of).first()) is not None:
        return known
    item = _later_item(of.stage, source, origin_id, is_quoted)
    item.split = source.split or of.split
    item.replaces, item.reserved_for = of, list(reserved_for)
    item.save()
    Item.objects.filter(pk=of.pk).update(is_fall_handled=True)
    record("item.replaced", subject=item, project_id=of.project_id, instead_of=of.key)
    return item


@transaction.atomic
def take_back_successor(*, of: Item) -> bool:
    """Lets a rejected item stand again: the one in its place goes, as if it had never been, if no HIT ever offered it.

    False: it is too late for that, and nothing was changed.
    """
    Item.objects.select_for_update(of=("self",)).get(pk=of.pk)
    successor = Item.objects.select_for_update(of=("self",)).filter(replaces=of).first()
    if successor is not None:
        if successor.state not in (Item.State.OPEN, Item.State.EXCLUDED) or successor.hits.exists():
            return False
        record("item.not_replaced", subject=of, project_id=of.project_id, key=successor.key)
        successor.delete()
    Item.objects.filter(pk=of.pk).update(is_fall_handled=False)
    return True


@transaction.atomic
def move_items(*, items: Iterable[int], to: str, reason: str = "", from_states: Iterable[str] | None = None) -> int:
    """Moves items, by id, to a state; only those that stand in `from_states`. Gives how many moved.

    The caller records what happened: a move is part of its change.
    """
    ids = list(items)
    moved = 0
    for chunk in in_chunks(ids):
        rows = Item.objects.filter(pk__in=chunk)
        if from_states is not None:
            rows = rows.filter(state__in=list(from_states))
        moved += rows.update(state=to, reason=reason[:300], state_since=timezone.now())
    return moved


@transaction.atomic
def order_more_answers(*, item: Item, answers: int) -> None:
    """Wants more answers for an item than its stage asks; it is open again until they are in."""
    Item.objects.filter(pk=item.pk).update(
        extra_answers=item.extra_answers + answers, state=Item.State.OPEN, state_since=timezone.now()
    )
    item.refresh_from_db()


@transaction.atomic
def screen(*, project: Project) -> int:
    """Runs the pipeline's filter again over items that no HIT ever offered. Gives how many changed side."""
    kind, settings = registry.pipeline(project.pipeline), queries.settings_of(project)
    stage = project.stages.first()
    changed = []
    untouched = stage.items.filter(state__in=[Item.State.OPEN, Item.State.EXCLUDED], places__isnull=True)
    for item in untouched.iterator(chunk_size=BATCH):
        reason = kind.screen(item.payload, settings)[:300]
        state = Item.State.EXCLUDED if reason else Item.State.OPEN
        if (state, reason) != (item.state, item.reason):
            item.state, item.reason, item.state_since = state, reason, timezone.now()
            changed.append(item)
    for chunk in in_chunks(changed):
        Item.objects.bulk_update(chunk, ["state", "reason", "state_since"])
    if changed:
        record("items.screened", subject=stage, project_id=project.pk, changed=len(changed))
    return len(changed)
