"""What later stages say of earlier work: kept with who said it, then done as the pipeline rules.

`note` is part of settling: the words are on record in the transaction that adds the answers up. `heed` acts on
them, one piece of feedback a transaction, before anything is promoted. Both can be run again: what is said once is
one row, and a row is acted on once.

An item that was objected to is never changed. It is rejected with the reason, and where somebody is to do it
again, a successor is made: an item of the same stage in its place. What came of it is withdrawn; whoever did that
work is paid.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.expiring import expire_hit
from annotation.hits.models import HIT, HITItem
from annotation.projects.items import WITHDRAWN, add_successor, move_items, next_key
from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import pipeline_of, settings_of
from annotation.review.models import Feedback, Outcome
from tasks.base import FeedbackRule, Said, SourceItem

log = logging.getLogger(__name__)

State = Feedback.State
MOST_REASON = 2_000
# Effects that ask somebody for the same thing again.
SENDS_BACK = ("author", "again", "expert")
LIVE_HITS = (HIT.State.PLANNED, HIT.State.OFFERED)


# --- Noting ---------------------------------------------------------------------------------------


def note(*, item: Item, said: Iterable[Said], asked: int) -> int:
    """Keeps what an item's answers say of earlier work; part of the caller's transaction. Gives how many rows are new.

    What was acted on before stays as it is: more answers do not undo it.
    """
    groups: dict[tuple[str, str, int], list[Said]] = {}
    for one in said:
        groups.setdefault((one.kind, one.about, one.step), []).append(one)
    count = 0
    for (kind, about, step), several in groups.items():
        words = dict.fromkeys(one.reason.strip() for one in several if one.reason.strip())
        earlier = _ancestor(item, about)
        if earlier is None:
            log.warning("%s of %s is about %s, from which the item does not come", kind, item.key, about or "nothing")
            continue
        fields = {
            "project_id": item.project_id,
            "answers": sorted({one.answer for one in several}),
            "reason": "\n".join(words)[:MOST_REASON],
            "asked": asked,
        }
        row, is_new = Feedback.objects.get_or_create(item=item, about=earlier, kind=kind, step=step, defaults=fields)
        if is_new:
            count += 1
            record("feedback.noted", subject=row, project_id=item.project_id, kind=kind, about=earlier.key, step=step)
        elif row.state in (State.NEW, State.KEPT) and row.answers != fields["answers"]:
            Feedback.objects.filter(pk=row.pk).update(**fields, state=State.NEW)
    return count


def _ancestor(item: Item, task_type: str) -> Item | None:
    """The nearest item that this one was made of, directly or not, whose stage has this task type (empty: any)."""
    origin = item.origin_id
    while origin is not None:
        earlier = Item.objects.select_related("stage").filter(outcome=origin, project=item.project_id).first()
        if earlier is None or not task_type or earlier.stage.task_type == task_type:
            return earlier
        origin = earlier.origin_id
    return None


# --- Heeding --------------------------------------------------------------------------------------


def heed(*, project: Project) -> int:
    """Acts on new feedback as the pipeline rules; gives how many pieces. Safe to run again, and by two at once."""
    rows = list(Feedback.objects.filter(project=project, state=State.NEW).order_by("id").values_list("pk", flat=True))
    kind, settings = pipeline_of(project), settings_of(project)
    done = sum(_heed(pk, kind, settings) for pk in rows)
    if Feedback.objects.filter(project=project, state=State.DONE).exists():
        let_go_of_the_absent(project=project)
        expire_needless(project=project)
    return done


@transaction.atomic
def _heed(pk: int, kind: Any, settings: Any) -> int:
    rows = Feedback.objects.select_for_update(skip_locked=True, of=("self",)).select_related("item")
    row = rows.filter(pk=pk, state=State.NEW).first()
    if row is None:
        return 0
    about = Item.objects.select_for_update(of=("self",)).select_related("stage").get(pk=row.about_id)
    rule = kind.on_feedback(row.kind, settings)
    row.state, row.effect, row.note = _ruling(row, about, rule)
    if row.state == State.DONE:
        row.successor = EFFECTS[row.effect](about, row)
    row.done_at = timezone.now()
    row.save(update_fields=["state", "effect", "note", "successor", "done_at"])
    record(
        "feedback.heeded",
        subject=row,
        project_id=row.project_id,
        kind=row.kind,
        about=about.key,
        effect=row.effect or row.state,
        note=row.note,
    )
    return 1


def _ruling(row: Feedback, about: Item, rule: FeedbackRule) -> tuple[str, str, str]:
    """(state, effect, note): what this feedback does to that item as it stands now."""
    if about.state != Item.State.ACCEPTED:
        why = "an expert has it" if about.state == Item.State.SETTLED else "it had gone already"
        return State.MOOT, "", why
    if rule.effect == "keep":
        return State.KEPT, "keep", ""
    if len(row.answers) < rule.share * row.asked:
        return State.KEPT, "keep", f"{len(row.answers)} of {row.asked} said so, which is too few"
    if rule.effect in SENDS_BACK and (before := _times_sent_back(about)) >= rule.tries:
        return State.DONE, "drop", f"sent back {before} time{'s' if before > 1 else ''} before"
    if rule.effect in ("author", "again") and not about.stage.crowd:
        return State.DONE, "expert", "this stage has no crowd"
    return State.DONE, rule.effect, ""


def _times_sent_back(item: Item) -> int:
    """How often this thing came back so far: the item itself, and those whose place it took for that reason."""
    done, count, current = Feedback.objects.filter(state=State.DONE, effect__in=SENDS_BACK), 0, item
    while current is not None:
        count += done.filter(about=current).count()
        led_here = done.filter(successor=current).select_related("about").first()
        current = led_here.about if led_here else None
    return count


def _drop(about: Item, row: Feedback) -> None:
    fall(item=about, reason=f"{row.kind}: {_in_short(row)}")


def _send_to_author(about: Item, row: Feedback) -> Item:
    """The same workers get the same thing once more, and read why."""
    theirs = _answers_of(about)
    fall(item=about, reason=f"sent_back: {row.kind.replace('_', ' ')}", handled=True)
    source = SourceItem(next_key(about), about.payload, about.split, tuple(about.origin_answers))
    return add_successor(of=about, source=source, origin_id=about.origin_id, reserved_for=theirs)


def _collect_again(about: Item, row: Feedback) -> Item:
    """Other workers do the same thing; who did it before does not get it."""
    others = (*about.origin_answers, *_answers_of(about))
    fall(item=about, reason=f"collected_again: {row.kind.replace('_', ' ')}", handled=True)
    source = SourceItem(next_key(about), about.payload, about.split, others)
    return add_successor(of=about, source=source, origin_id=about.origin_id)


def _ask_an_expert(about: Item, row: Feedback) -> None:
    """The outcome waits in the queue again. What came of it goes: the expert may change what it was made of."""
    outcome = Outcome.objects.select_for_update().get(item=about)
    outcome.state, outcome.decided_at, outcome.promoted_at = Outcome.State.PENDING, None, None
    outcome.is_disputed, outcome.version = True, outcome.version + 1
    outcome.save(update_fields=["state", "decided_at", "promoted_at", "is_disputed", "version"])
    move_items(items=[about.pk], to=Item.State.SETTLED)
    withdraw(of=about, because=row.kind)


EFFECTS = {"drop": _drop, "author": _send_to_author, "again": _collect_again, "expert": _ask_an_expert}


def _answers_of(item: Item) -> list[int]:
    return list(item.answers.filter(counts=True).order_by("pk").values_list("pk", flat=True))


def _in_short(row: Feedback) -> str:
    where = f"step {row.step}: " if row.step else ""
    return where + (" ".join(row.reason.split()) or f"said by {len(row.answers)} of {row.asked}")


# --- What goes ------------------------------------------------------------------------------------


@transaction.atomic
def fall(*, item: Item, reason: str, handled: bool = False) -> None:
    """Rejects an item and its outcome, and withdraws what came of it. `handled`: its place is not free."""
    _reject([item], reason)
    if handled:
        Item.objects.filter(pk=item.pk).update(is_fall_handled=True)
    withdraw(of=item, because=reason.partition(":")[0])


def withdraw(*, of: Item, because: str) -> int:
    """Takes back all items that were made of this one, and their HITs off the market. Gives how many items.

    Who has accepted such a HIT may finish it; all who did the work are paid.
    """
    gone = [one for one in descendants(of) if one.state not in (Item.State.REJECTED, Item.State.EXCLUDED)]
    if not gone:
        return 0
    _reject(gone, f"{WITHDRAWN}: {because.replace('_', ' ')}")
    record("items.withdrawn", subject=of, project_id=of.project_id, items=[one.key for one in gone], because=because)
    expire_needless(project=of.project, items=[one.pk for one in gone])
    return len(gone)


def _reject(items: Sequence[Item], reason: str) -> None:
    ids, now = [item.pk for item in items], timezone.now()
    for outcome in Outcome.objects.select_for_update().filter(item__in=ids):
        outcome.state, outcome.reason, outcome.decided_at = Outcome.State.REJECTED, reason[:300], now
        outcome.version, outcome.wants_blind_review = outcome.version + 1, False
        outcome.held_by = outcome.held_until = None
        outcome.save(
            update_fields=["state", "reason", "decided_at", "version", "wants_blind_review", "held_by", "held_until"]
        )
    move_items(items=ids, to=Item.State.REJECTED, reason=reason)


def descendants(item: Item) -> list[Item]:
    """All items that were made of this one, stage after stage."""
    found: list[Item] = []
    parents = [item.pk]
    while parents:
        outcomes = list(Outcome.objects.filter(item__in=parents).values_list("pk", flat=True))
        children = list(Item.objects.filter(project=item.project_id, origin_id__in=outcomes))
        found += children
        parents = [child.pk for child in children]
    return found


def expire_needless(*, project: Project, items: Sequence[int] | None = None) -> int:
    """Takes HITs off the market whose every item went; all of the project's, or those with these items."""
    alive = HITItem.objects.filter(hit=OuterRef("pk")).exclude(item__state=Item.State.REJECTED)
    withdrawn = HITItem.objects.filter(item__state=Item.State.REJECTED, item__reason__startswith=f"{WITHDRAWN}:")
    withdrawn = withdrawn.filter(hit__project=project) if items is None else withdrawn.filter(item__in=items)
    hits = HIT.objects.filter(pk__in=withdrawn.values("hit"), state__in=LIVE_HITS)
    count = 0
    for hit in hits.filter(~Exists(alive)).exclude(expires_at__lte=timezone.now()):
        expire_hit(hit=hit)
        count += 1
    return count


def let_go_of_the_absent(*, project: Project) -> int:
    """Drops what was sent back to workers who did not come: their HIT has ended without an answer."""
    waiting = Item.objects.filter(project=project, state=Item.State.OPEN, replaces__isnull=False)
    count = 0
    for item in waiting.exclude(reserved_for=[]).filter(hits__state=HIT.State.CLOSED).distinct():
        fall(item=item, reason="not_taken_up: its author did not come back")
        count += 1
    return count


# --- Places that are free -------------------------------------------------------------------------


def replace_fallen(*, project: Project) -> int:
    """Offers another item of the first stage for each that fell, as the pipeline says. Safe to run again."""
    kind, settings = pipeline_of(project), settings_of(project)
    stage = project.stages.order_by("position").first()
    if stage is None or project.state == Project.State.CLOSED or not kind.replaces_fallen:
        return 0
    rows = Item.objects.filter(stage=stage, state=Item.State.REJECTED, is_fall_handled=False).order_by("id")
    return sum(_replace(pk, stage, kind, settings) for pk in list(rows.values_list("pk", flat=True)))


@transaction.atomic
def _replace(pk: int, stage: Stage, kind: Any, settings: Any) -> int:
    # The stage's row is held, so that two who do this at once do not give the same key away.
    Stage.objects.select_for_update().get(pk=stage.pk)
    # So is the item's: an expert may let it stand again at this moment.
    item = Item.objects.select_for_update(of=("self",)).select_related("stage").get(pk=pk)
    if item.state != Item.State.REJECTED or item.is_fall_handled:
        return 0
    fallen = SourceItem(item.key, item.payload, item.split)
    family = kind.family(fallen)
    near = stage.items.filter(key__startswith=family) if family else stage.items.filter(pk=pk)
    known = dict(near.values_list("key", "payload"))
    taken = {key for key, payload in known.items() if kind.family(SourceItem(key, payload)) == family}
    source = kind.replacement(fallen, taken, settings)
    while source is not None and source.key in known:
        # Something else goes by this key.
        taken.add(source.key)
        source = kind.replacement(fallen, taken, settings)
    if source is None:
        Item.objects.filter(pk=pk).update(is_fall_handled=True)
        return 0
    add_successor(of=item, source=replace(source, split=source.split or item.split))
    return 1
