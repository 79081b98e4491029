"""What changes outcomes: settle, hold, decide, undo, promote. Each is one change, one transaction, one event.

Answers are never edited. What an expert changes is a Review with the operations and the value after
them; the outcome's `value` stays what aggregation made of the answers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from pydantic import ValidationError

from annotation.corpus.base import IndexFailed, IndexMissing
from annotation.events.actions import record
from annotation.projects.items import add_item, is_withdrawn, move_items, take_back_successor
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.projects.queries import pipeline_of, role_of, settings_of, task_type_of
from annotation.projects.quoting import with_quotes
from annotation.review import operations as editing
from annotation.review.feedback import heed, replace_fallen
from annotation.review.models import Outcome, Review
from annotation.review.operations import BadOperation
from annotation.review.settling import ITEM_STATES, settle
from tasks.base import Context, Finding, SourceItem, problems_of, run_checks
from tasks.text import unwelcome_character

__all__ = [
    "BadOperation",
    "HeldByOther",
    "NotAllowed",
    "ReasonMissing",
    "ReviewError",
    "ReviewRefused",
    "StaleReview",
    "WantsConfirmation",
    "decide",
    "findings_on",
    "heed",
    "hold",
    "let_go",
    "promote",
    "replace_fallen",
    "settle",
    "undo",
]

log = logging.getLogger(__name__)
LEASE = timedelta(minutes=10)
PROMOTION_BATCH = 500
# So many seconds a run waits for a corpus that does not answer; what refuses at once costs no time.
PATIENCE = 5.0
STATES = {Review.Decision.ACCEPT: Outcome.State.ACCEPTED, Review.Decision.REJECT: Outcome.State.REJECTED}


class ReviewError(ValueError):
    """A decision that can't be taken as asked; the message is for the reviewer."""


class NotAllowed(ReviewError):
    """The rules give this decision to somebody else."""


class ReasonMissing(ReviewError):
    """A rejection without a reason."""


class ReviewRefused(ReviewError):
    """Checks that block: `findings` say what must be put right first."""

    def __init__(self, findings: Sequence[Finding]):
        self.findings = findings
        super().__init__("; ".join(finding.message for finding in findings))


class WantsConfirmation(ReviewRefused):
    """Checks that warn: the same decision goes through with `confirmed=True`."""


class StaleReview(ReviewError):
    """Somebody decided since the page was opened: `other` is their review (None where it was taken back)."""

    def __init__(self, outcome: Outcome, other: Review | None):
        self.outcome, self.other = outcome, other
        did = f"{other.reviewer} decided to {other.decision} it" if other else "the earlier decision was taken back"
        super().__init__(f"This question changed while you had it open: {did}. Nothing of yours was saved yet.")


class HeldByOther(ReviewError):
    """A colleague has the outcome open."""

    def __init__(self, outcome: Outcome):
        self.outcome = outcome
        super().__init__(f"{outcome.held_by} has this question open until {outcome.held_until:%H:%M} UTC.")


# --- Holding --------------------------------------------------------------------------------------


def hold(*, outcome: Outcome, by: Any, take_over: bool = False) -> bool:
    """Keeps an outcome for a reviewer for ten minutes, so that two do not sit over one. False: a colleague has it."""
    now = timezone.now()
    rows = Outcome.objects.filter(pk=outcome.pk)
    if not take_over:
        rows = rows.filter(Q(held_by=None) | Q(held_by=by) | Q(held_until__lt=now) | Q(held_until=None))
    if not rows.update(held_by=by, held_until=now + LEASE):
        outcome.refresh_from_db(fields=["held_by", "held_until"])
        return False
    outcome.held_by, outcome.held_until = by, now + LEASE
    return True


def let_go(*, outcome: Outcome, by: Any) -> None:
    """Frees an outcome that a reviewer skips or leaves."""
    Outcome.objects.filter(pk=outcome.pk, held_by=by).update(held_by=None, held_until=None)


# --- Deciding -------------------------------------------------------------------------------------


def findings_on(outcome: Outcome, final: Mapping) -> list[Finding]:
    """What the task type's review checks say of an outcome's value after edits."""
    kind = task_type_of(outcome.stage)
    item = kind.Item.model_validate(outcome.item.payload)
    return run_checks(kind.review_checks, item, kind.Outcome.model_validate(final), Context(original=outcome.value))


@transaction.atomic
def decide(
    *,
    outcome: Outcome,
    reviewer: Any,
    decision: str,
    operations: Sequence[Mapping] = (),
    reason: str = "",
    version: int,
    is_blind: bool = False,
    seconds: int | None = None,
    confirmed: bool = False,
) -> Review:
    """Takes an expert's decision on an outcome: accept it with the operations applied, or reject it with a reason.

    A blind decision is stored beside the first and changes nothing. Raises StaleReview, HeldByOther,
    NotAllowed, ReasonMissing, BadOperation, ReviewRefused or WantsConfirmation; then nothing was changed.
    """
    row = Outcome.objects.select_for_update(of=("self",)).select_related("stage__project", "item").get(pk=outcome.pk)
    if decision not in Review.Decision.values:
        raise ReviewError(f"no decision {decision!r}; there are {', '.join(Review.Decision.values)}")
    _refuse_held(row, reviewer)
    if is_blind:
        _refuse_blind(row, reviewer)
    elif row.version != version:
        raise StaleReview(row, standing_review(row))
    else:
        _refuse_gone_on(row)
    reason = " ".join(reason.split())[:300]
    if decision == Review.Decision.REJECT and not reason:
        raise ReasonMissing("A rejection needs a reason: workers' time went into this question.")
    if code := unwelcome_character(reason):
        raise ReviewError(f"The reason holds {code}, which can't be stored.")
    final = _final(row, operations)
    if decision == Review.Decision.ACCEPT:
        _refuse_findings(findings_on(row, final), confirmed)
    review = Review.objects.create(
        outcome=row,
        reviewer=reviewer,
        decision=decision,
        reason=reason,
        operations=[editing.bare(operation) for operation in operations],
        value=final,
        before=_standing(row),
        is_blind=is_blind,
        seconds=seconds,
    )
    if is_blind:
        _note_blind(row, review)
    else:
        _stand(row, state=STATES[decision], final=final, reason=reason if decision == "reject" else "")
        verb = f"outcome.{row.state}"
        record(verb, subject=row, project_id=row.project_id, review=review.pk, operations=len(review.operations))
    outcome.refresh_from_db()
    return review


def standing_review(outcome: Outcome) -> Review | None:
    """The decision that stands: the newest that is neither blind nor taken back."""
    rows = outcome.reviews.filter(is_blind=False, undone_at=None).select_related("reviewer")
    return rows.order_by("-id").first()


def _refuse_held(outcome: Outcome, reviewer: Any) -> None:
    if outcome.is_held and outcome.held_by_id != reviewer.pk:
        raise HeldByOther(outcome)


def _refuse_blind(outcome: Outcome, reviewer: Any) -> None:
    if outcome.reviews.filter(reviewer=reviewer, undone_at=None).exists():
        raise NotAllowed("You have decided this question already: a blind decision comes from somebody else.")
    if not outcome.wants_blind_review:
        raise NotAllowed("This question wants no blind decision, or has one.")
    if standing_review(outcome) is None:
        raise NotAllowed("A blind decision is the second one: this question has no first yet.")


def _final(outcome: Outcome, operations: Sequence[Mapping]) -> dict:
    shape = task_type_of(outcome.stage).Outcome
    final = editing.apply(shape, outcome.value, operations)
    try:
        return shape.model_validate(final).model_dump(mode="json", by_alias=True)
    except ValidationError as error:
        raise ReviewError(f"The result is not a valid outcome: {problems_of(error)}") from error


def _refuse_findings(findings: Iterable[Finding], confirmed: bool) -> None:
    if blocking := [finding for finding in findings if finding.level == "block"]:
        raise ReviewRefused(blocking)
    warnings = [finding for finding in findings if finding.level == "warn"]
    if warnings and not confirmed:
        raise WantsConfirmation(warnings)


def _standing(outcome: Outcome) -> dict:
    return {
        "state": outcome.state,
        "final": outcome.final,
        "reason": outcome.reason,
        "decided_at": outcome.decided_at.isoformat() if outcome.decided_at else None,
    }


def _stand(outcome: Outcome, *, state: str, final: dict, reason: str, decided_at: datetime | None = None) -> None:
    """Makes this what stands now, of the outcome and its item; frees it, and tells pages that are open.

    Raises NotAllowed where a rejection would end whose place another item has by now.
    """
    ends_rejection = outcome.state == Outcome.State.REJECTED and state != Outcome.State.REJECTED
    if ends_rejection and not take_back_successor(of=outcome.item):
        raise NotAllowed("Workers were offered another one in the place of this by now, so its rejection stands.")
    outcome.state, outcome.final, outcome.reason = state, final, reason
    outcome.decided_at = decided_at or (None if state == Outcome.State.PENDING else timezone.now())
    outcome.version += 1
    outcome.held_by = outcome.held_until = None
    outcome.promoted_at = None
    outcome.save(
        update_fields=[
            "state",
            "final",
            "reason",
            "decided_at",
            "version",
            "held_by",
            "held_until",
            "promoted_at",
        ]
    )
    move_items(items=[outcome.item_id], to=ITEM_STATES[state], reason=reason)


def _note_blind(outcome: Outcome, review: Review) -> None:
    outcome.wants_blind_review = False
    outcome.held_by = outcome.held_until = None
    outcome.save(update_fields=["wants_blind_review", "held_by", "held_until"])
    record("review.made", subject=review, project_id=outcome.project_id, outcome=outcome.pk, blind=True)


# --- Taking back ----------------------------------------------------------------------------------


@transaction.atomic
def undo(*, review: Review, by: Any) -> Outcome:
    """Takes a decision back: what stood before stands again, and the review stays in the record.

    One's own decision; a project's owner or researcher may take back anybody's. Raises NotAllowed.
    """
    outcome = Outcome.objects.select_for_update(of=("self",)).select_related("project").get(pk=review.outcome_id)
    row = Review.objects.select_for_update(of=("self",)).get(pk=review.pk)
    if row.undone_at is not None:
        raise NotAllowed("This decision was taken back before.")
    runs = role_of(by, outcome.project) in (Membership.Role.OWNER, Membership.Role.RESEARCHER)
    if row.reviewer_id != by.pk and not runs:
        raise NotAllowed("Only the reviewer, or who runs the project, can take this decision back.")
    if row.is_blind:
        outcome.wants_blind_review = True
        outcome.save(update_fields=["wants_blind_review"])
    else:
        _refuse_undo(outcome, row)
        decided_at = row.before.get("decided_at")
        _stand(
            outcome,
            state=row.before["state"],
            final=row.before["final"],
            reason=row.before["reason"],
            decided_at=parse_datetime(decided_at) if decided_at else None,
        )
    row.undone_at = timezone.now()
    row.save(update_fields=["undone_at"])
    record("review.undone", subject=row, project_id=outcome.project_id, outcome=outcome.pk, blind=row.is_blind)
    review.undone_at = row.undone_at
    return outcome


def _refuse_undo(outcome: Outcome, review: Review) -> None:
    if standing_review(outcome) != review:
        raise NotAllowed("Somebody decided this question again since: take that decision back first.")
    _refuse_gone_on(outcome)


def _refuse_gone_on(outcome: Outcome) -> None:
    if is_withdrawn(outcome.item):
        raise NotAllowed("This was withdrawn, because what it was made of went: nothing can come of it any more.")
    if outcome.promoted_at is None:
        return
    if Item.objects.filter(project=outcome.project_id, origin_id=outcome.pk).exists():
        raise NotAllowed("This question has gone on to the next stage, so its decision stands.")


# --- Promoting ------------------------------------------------------------------------------------


def promote(*, project: Project) -> int:
    """Makes the next stage's items of accepted outcomes; gives how many outcomes went on. Safe to run again.

    An outcome whose paragraphs can't be had now waits for the next run, and holds up nothing else. The corpus is asked
    before anything is locked, and no more in this run once it was waited for in vain for long enough.
    """
    kind, settings = pipeline_of(project), settings_of(project)
    stages = {stage.name: stage for stage in project.stages.select_related("project__corpus")}
    done, waiting, last, lost, waited = 0, 0, 0, None, 0.0
    while outcomes := _to_promote(project, after=last):
        last, ready = outcomes[-1].pk, []
        for outcome in outcomes:
            began, gone = time.monotonic(), lost if waited > PATIENCE else None
            try:
                ready.append((outcome, _following(outcome, kind, settings, stages, gone=gone)))
            except (IndexMissing, IndexFailed) as reason:
                waiting, lost, waited = waiting + 1, reason, waited + time.monotonic() - began
        done += _go_on(ready)
    if waiting:
        log.warning("%s: %d outcomes wait: %s", project.slug, waiting, lost)
    return done


def _to_promote(project: Project, *, after: int) -> list[Outcome]:
    rows = Outcome.objects.filter(project=project, state=Outcome.State.ACCEPTED, promoted_at__isnull=True, pk__gt=after)
    return list(rows.order_by("id").select_related("item", "stage")[:PROMOTION_BATCH])


def _following(
    outcome: Outcome, kind: Any, settings: Any, stages: Mapping[str, Stage], *, gone: Exception | None
) -> list[tuple[Stage, SourceItem]]:
    """What an outcome becomes, with the texts that it quotes. Raises IndexMissing or IndexFailed.

    `gone`: why the corpus is not asked any more.
    """
    item, found = outcome.item, []
    promoted = kind.promote(outcome.stage.name, item.key, item.payload, outcome.final, settings, split=item.split)
    for name, source in promoted:
        if gone is not None and task_type_of(stages[name]).quotes:
            raise gone
        makers = (*item.origin_answers, *outcome.contributors) if kind.keeps_authors_away(settings) else ()
        full = replace(
            source,
            payload=with_quotes(stages[name], source.payload),
            split=source.split or item.split,
            from_answers=tuple(dict.fromkeys((*source.from_answers, *makers))),
        )
        found.append((stages[name], full))
    return found


@transaction.atomic
def _go_on(ready: Sequence[tuple[Outcome, Sequence[tuple[Stage, SourceItem]]]]) -> int:
    """Lets outcomes go on that stand as they were read; what was decided anew meanwhile is left to the next run."""
    rows = Outcome.objects.filter(
        pk__in=[outcome.pk for outcome, _ in ready], state=Outcome.State.ACCEPTED, promoted_at__isnull=True
    )
    standing = dict(rows.select_for_update(skip_locked=True).order_by("id").values_list("pk", "version"))
    gone_on = []
    for outcome, following in ready:
        if standing.get(outcome.pk) != outcome.version:
            continue
        for stage, source in following:
            add_item(stage=stage, source=source, origin_id=outcome.pk, is_quoted=True)
        gone_on.append(outcome.pk)
    Outcome.objects.filter(pk__in=gone_on).update(promoted_at=timezone.now())
    return len(gone_on)
