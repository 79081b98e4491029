"""Adds up the answers of items that have enough of them: `settle` makes Outcomes, in batches."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from pydantic import ValidationError

from annotation.events.actions import record
from annotation.hits.models import Answer, Assignment
from annotation.projects.items import move_items, order_more_answers
from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import stage_settings, task_type_of
from annotation.review.feedback import note
from annotation.review.models import UNKNOWN_DOUBT, Outcome, Review
from annotation.solving.queries import unjudged, verdicts
from tasks.base import Aggregate, Judgement, TaskType, problems_of

BATCH = 500
# Answers of these never add up to anything, whatever their flag says.
OUT_OF_THE_COUNT = [Assignment.State.REJECTED, Assignment.State.SUPERSEDED, Assignment.State.QUARANTINED]
ITEM_STATES = {
    Outcome.State.PENDING: Item.State.SETTLED,
    Outcome.State.ACCEPTED: Item.State.ACCEPTED,
    Outcome.State.REJECTED: Item.State.REJECTED,
}
RENEWED_FIELDS = [
    "state",
    "is_disputed",
    "agreement",
    "doubt",
    "value",
    "final",
    "details",
    "contributors",
    "reason",
    "wants_blind_review",
    "version",
    "settled_at",
    "decided_at",
]


def settle(*, project: Project, limit: int | None = None) -> int:
    """Makes an Outcome of each answered item's answers; gives how many (at most `limit`).

    Items of a stage without a crowd wait for nobody's answers: what an expert decides is their first word.

    A batch is one transaction and one event. Two at once share the work: each item is settled once.
    """
    done = 0
    _take_back(project)
    for stage in project.stages.order_by("position"):
        desk = _Desk(stage, task_type_of(stage), stage_settings(stage))
        while limit is None or done < limit:
            count = _settle_batch(desk, BATCH if limit is None else min(BATCH, limit - done))
            if not count:
                break
            done += count
    return done


@transaction.atomic
def _take_back(project: Project) -> None:
    """What was accepted by rule, and lost an answer that it was made of since, is added up anew.

    An expert's decision stands, and what went on to the next stage.
    """
    lost: dict[int, set[int]] = defaultdict(set)
    rejected = Answer.objects.filter(assignment__hit__project=project, assignment__state=Assignment.State.REJECTED)
    for item, answer in rejected.filter(item__state=Item.State.ACCEPTED).values_list("item_id", "pk"):
        lost[item].add(answer)
    if not lost:
        return
    rows = Outcome.objects.filter(item__in=lost, state=Outcome.State.ACCEPTED, promoted_at=None)
    rows = rows.filter(~Exists(Review.objects.filter(outcome=OuterRef("pk"))))
    fallen = [row.item_id for row in rows.select_for_update() if lost[row.item_id].intersection(row.contributors)]
    move_items(items=fallen, to=Item.State.ANSWERED, from_states=[Item.State.ACCEPTED])


@dataclass(frozen=True)
class _Desk:
    """What settling one stage's items needs, read once."""

    stage: Stage
    kind: TaskType
    settings: Any
    # What the solvers made of the answers of the batch at hand, by answer id.
    verdicts: dict[int, str] = field(default_factory=dict)

    @property
    def has_solvers(self) -> bool:
        return self.stage.crowd and self.kind.policy(self.settings) is not None

    def judgements(self, answers: list[tuple[int, str, Any]]) -> tuple[list[Judgement], dict[str, str]]:
        """The answers as judgements; those that no longer fit their shape, by what is wrong with them."""
        judgements, unreadable = [], {}
        for key, worker, data in answers:
            try:
                answer = self.kind.Answer.model_validate(data)
                judgements.append(Judgement(worker, answer, key, self.verdicts.get(key, "")))
            except ValidationError as error:
                unreadable[str(key)] = problems_of(error)
        return judgements, unreadable

    def aggregate(self, item: Item, answers: list[tuple[int, str, Any]]) -> Aggregate:
        """What the answers add up to. One that no longer fits its shape is left out, and the reviewer told."""
        judgements, unreadable = self.judgements(answers)
        sum_ = self.kind.aggregate(self.kind.Item.model_validate(item.payload), judgements, self.settings)
        return replace(sum_, details={**sum_.details, "unreadable": unreadable}) if unreadable else sum_

    def note_feedback(self, item: Item, answers: list[tuple[int, str, Any]]) -> None:
        """Keeps what the answers say of earlier stages' work."""
        judgements, _ = self.judgements(answers)
        said = self.kind.feedback(self.kind.Item.model_validate(item.payload), judgements)
        if said:
            note(item=item, said=said, asked=len(judgements))


@transaction.atomic
def _settle_batch(desk: _Desk, size: int) -> int:
    stage = desk.stage
    rows = Item.objects.filter(stage=stage, state__in=_ripe_states(stage)).order_by("id")
    if desk.has_solvers:
        # A question that the solvers could not be asked yet is held, and its item with it.
        rows = rows.exclude(pk__in=unjudged(rows).values("pk"))
    items = list(rows.select_for_update(skip_locked=True)[:size])
    if not items:
        return 0
    answers = _answers_of(items)
    if desk.has_solvers:
        desk = replace(desk, verdicts=verdicts(items))
    earlier = {
        outcome.item_id: outcome for outcome in Outcome.objects.filter(item__in=items).prefetch_related("reviews")
    }
    made, renewed, left, short = [], [], [], []
    for item in items:
        outcome = earlier.get(item.pk)
        if outcome is not None and any(review.undone_at is None for review in outcome.reviews.all()):
            # Answers came in or were rejected after an expert had decided: the decision stands.
            left.append(outcome)
            continue
        if outcome is not None and _is_short(stage, item, outcome, answers[item.pk]):
            short.append(item.pk)
            continue
        sum_ = desk.aggregate(item, answers[item.pk])
        if sum_.more_answers and stage.crowd:
            order_more_answers(item=item, answers=sum_.more_answers)
            continue
        fields = _outcome_fields(desk, item, answers[item.pk], sum_)
        if outcome is None:
            made.append(Outcome(project_id=item.project_id, stage=stage, item=item, **fields))
        else:
            renewed.append(_renew(outcome, fields))
        if item.origin_id is not None:
            desk.note_feedback(item, answers[item.pk])
    Outcome.objects.bulk_create(made)
    if renewed:
        Outcome.objects.bulk_update(renewed, RENEWED_FIELDS)
    _ask_for_more(short)
    _move(stage, made + renewed + left)
    _record(stage, made + renewed)
    return len(items)


def _is_short(stage: Stage, item: Item, outcome: Outcome, answers: list[tuple[int, str, Any]]) -> bool:
    """Whether an answer that the outcome was made of was rejected since, and too few are left."""
    left = {key for key, _, _ in answers}
    wanted = stage.answers_per_item + item.extra_answers
    return stage.crowd and len(left) < wanted and not left.issuperset(outcome.contributors)


def _ask_for_more(items: list[int]) -> None:
    """Workers get these once more. What they added up to was seen by no expert, and goes."""
    Outcome.objects.filter(item__in=items, reviews=None).delete()
    move_items(items=items, to=Item.State.OPEN, from_states=[Item.State.ANSWERED])


def _ripe_states(stage: Stage) -> list[str]:
    """From which states items of a stage are added up."""
    return [Item.State.ANSWERED] if stage.crowd else [Item.State.OPEN, Item.State.ANSWERED]


def _answers_of(items: Iterable[Item]) -> dict[int, list[tuple[int, str, Any]]]:
    """Each item's answers that count: (answer id, worker's pseudonym, data), oldest first."""
    rows = (
        Answer.objects.filter(item__in=[item.pk for item in items], counts=True)
        .exclude(assignment__state__in=OUT_OF_THE_COUNT)
        .order_by("id")
        .values_list("item_id", "id", "assignment__worker__pseudonym", "data")
    )
    answers = defaultdict(list)
    for item, key, worker, data in rows:
        answers[item].append((key, worker, data))
    return answers


def _outcome_fields(desk: _Desk, item: Item, answers: list[tuple[int, str, Any]], sum_: Aggregate) -> dict:
    state = _state_after(desk.stage, sum_)
    wants_blind = state == Outcome.State.PENDING and is_in_blind_sample(desk.stage, item.key)
    return {
        "state": state,
        "is_disputed": sum_.state == "disputed",
        "agreement": sum_.agreement,
        "doubt": UNKNOWN_DOUBT if sum_.agreement is None else 1 - sum_.agreement,
        "value": sum_.value,
        "final": sum_.value,
        "details": sum_.details,
        "contributors": [key for key, _, _ in answers],
        "reason": sum_.reason[:300],
        "wants_blind_review": wants_blind,
        "decided_at": None if state == Outcome.State.PENDING else timezone.now(),
    }


def _state_after(stage: Stage, sum_: Aggregate) -> str:
    if sum_.state == "rejected":
        return Outcome.State.REJECTED
    if stage.review == Stage.Review.NONE:
        return Outcome.State.ACCEPTED
    if stage.review == Stage.Review.DISPUTED and sum_.state == "settled":
        return Outcome.State.ACCEPTED
    return Outcome.State.PENDING


def is_in_blind_sample(stage: Stage, item_key: str) -> bool:
    """Whether a second expert decides this item blindly: the same items each time, about `blind_share` of them."""
    digest = hashlib.sha256(f"{stage.project.release_key}\x1f{stage.name}\x1f{item_key}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64 < stage.blind_share


def _renew(outcome: Outcome, fields: dict) -> Outcome:
    for name, value in fields.items():
        setattr(outcome, name, value)
    outcome.version += 1
    outcome.settled_at = timezone.now()
    return outcome


def _move(stage: Stage, outcomes: Iterable[Outcome]) -> None:
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for outcome in outcomes:
        groups[ITEM_STATES[outcome.state], outcome.reason].append(outcome.item_id)
    for (state, reason), ids in groups.items():
        move_items(items=ids, to=state, reason=reason, from_states=_ripe_states(stage))


def _record(stage: Stage, outcomes: list[Outcome]) -> None:
    if not outcomes:
        return
    counts = dict.fromkeys(Outcome.State.values, 0)
    for outcome in outcomes:
        counts[outcome.state] += 1
    record(
        "outcome.settled",
        subject=stage,
        project_id=stage.project_id,
        disputed=sum(outcome.is_disputed for outcome in outcomes),
        blind=sum(outcome.wants_blind_review for outcome in outcomes),
        **counts,
    )
