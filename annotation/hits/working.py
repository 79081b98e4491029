"""What a worker's page does to an assignment: open it, save a draft, hand it over.

A page's parameters are claims. They make a row here, but what counts is what the marketplace lists
later. Nothing is keyed by the assignment id alone: the same id may come back with another worker.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotation.events.actions import acting_as, record
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.queries import (
    has_enough_of,
    items_already_answered_by,
    why_no_trial,
    why_not_theirs,
)
from annotation.hits.sheets import sheet_of, values_of
from annotation.prepared import Add, Insert, Prepared, Update
from annotation.turns import short_transaction, turn
from annotation.workers.actions import meet_worker
from annotation.workers.models import Worker
from annotation.workers.queries import known_worker

State = Assignment.State
# The marketplace has spoken: from here on a worker's page changes nothing.
CONFIRMED = (State.SUBMITTED, State.APPROVED, State.REJECTED)


class Refused(Exception):
    """Why a worker may not take this HIT, said before any work.

    `barred`, `answered`, `own_work`, `reserved`, `trial_taken`, `trial_open`, `enough`, `withdrawn` or `foreign`.
    """

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


class DraftConflict(Exception):
    """Other words were saved in between, from another tab. `assignment` holds them."""

    def __init__(self, assignment: Assignment):
        super().__init__(f"the draft is at revision {assignment.draft_revision}")
        self.assignment = assignment


class NoLongerOpen(Exception):
    """The assignment takes no draft or answer any more. `assignment` says where it stands."""

    def __init__(self, assignment: Assignment):
        super().__init__(f"the assignment is {assignment.state}")
        self.assignment = assignment


@dataclass(frozen=True)
class Saved:
    """A draft that is on disk."""

    revision: int
    at: datetime


@dataclass(frozen=True)
class HandedOver:
    """Answers that are on disk. `is_new`: this call stored them; `replaces`: instead of others."""

    receipt: str
    is_new: bool
    replaces: bool = False


# --- Opening --------------------------------------------------------------------------------------


def find_hit(token: str) -> HIT | None:
    """The HIT with this token, with its stage and project."""
    return _hit.first(token)


def find_assignment(*, token: str, assignment_id: str, provider_worker_id: str) -> Assignment | None:
    """The row that a page's parameters mean, with all that the page shows, in one query."""
    return _assignment.first(token, assignment_id, provider_worker_id)


@Prepared
def _hit(token: str) -> QuerySet[HIT]:
    return HIT.objects.select_related("stage", "project").filter(token=token)


@Prepared
def _assignment(token: str, assignment_id: str, provider_worker_id: str) -> QuerySet[Assignment]:
    return (
        Assignment.objects.select_related("hit__stage", "hit__project")
        .only(
            *("hit__token", "hit__environment", "hit__remote_id", "hit__state", "hit__reward_cents"),
            *("hit__minutes_allowed", "hit__project_id", "hit__stage_id", "hit__stage__settings"),
            *("hit__project__name", "hit__project__contact", "worker_id", "assignment_id", "state", "draft"),
            *("draft_revision", "draft_saved_at", "opened_at", "receipt", "comment", "settlement"),
        )
        .filter(
            assignment_id=assignment_id,
            hit__token=token,
            worker__identity__provider_id=provider_worker_id,
            worker__identity__environment=F("hit__environment"),
        )
    )


def assignment_to_hand_over(pk: int) -> Assignment:
    """The row behind a page's signed context, with its HIT and worker. Raises Assignment.DoesNotExist."""
    found = _by_pk.first(pk)
    if found is None:
        raise Assignment.DoesNotExist(f"no assignment {pk}")
    return found


@Prepared
def _by_pk(pk: int) -> QuerySet[Assignment]:
    return (
        Assignment.objects.select_related("hit", "worker")
        .only(
            *("assignment_id", "state", "opened_at", "receipt", "draft", "draft_revision", "draft_saved_at"),
            *("hit__token", "hit__project_id", "hit__environment", "worker__pseudonym"),
        )
        .filter(pk=pk)
    )


def open_assignment(*, hit: HIT, assignment_id: str, provider_worker_id: str) -> Assignment:
    """The worker's row for this assignment, made at the first opening. Raises Refused before any row is written.

    A worker who returned the HIT and took it again, perhaps under another assignment id, finds the old draft.
    """
    if hit.state == HIT.State.REFUSED:
        raise Refused("withdrawn")
    worker = known_worker(hit.environment, provider_worker_id)
    with short_transaction():
        draft = {}
        if worker:
            _refuse_if_not_eligible(worker, hit, assignment_id)
            draft = _earlier_draft(worker, hit) or _work_sent_back(worker, hit)
        else:
            _refuse_if_not_theirs(None, hit)
            worker = meet_worker(environment=hit.environment, provider_id=provider_worker_id)
        assignment = Assignment(hit=hit, worker=worker, assignment_id=assignment_id, **draft)
        if _add_assignment(assignment):
            with acting_as(f"worker:{worker.pseudonym}"):
                record("assignment.opened", subject=assignment, project_id=hit.project_id)
        else:  # opened twice in the same moment
            assignment = Assignment.objects.get(assignment_id=assignment_id, worker=worker)
            if assignment.hit_id != hit.pk:
                raise Refused("foreign")
    assignment.hit, assignment.worker = hit, worker
    return assignment


_add_assignment = Add(Assignment)


def open_anew(*, assignment: Assignment, seconds_left: int) -> None:
    """Starts the clock of work whose time was over when its page was opened: its worker took the HIT once more.

    A marketplace shows no page of work whose time is over, but some give the same assignment id again after a return.
    """
    if assignment.state != State.OPEN or seconds_left > 0:
        return
    now = timezone.now()
    with turn():
        rows = Assignment.objects.filter(pk=assignment.pk, state=State.OPEN, opened_at=assignment.opened_at)
        rows.update(opened_at=now)
    assignment.opened_at = now


def _refuse_if_not_eligible(worker: Worker, hit: HIT, assignment_id: str) -> None:
    if worker.is_barred:
        raise Refused("barred")
    # Handed over here but never confirmed there: taking the same HIT once more is the way to be paid, unless a person
    # has settled that already.
    done_here = {name for (name,) in _done.all(hit.pk, worker.pk)}
    if done_here - {assignment_id} or items_already_answered_by(worker, hit):
        raise Refused("answered")
    _refuse_if_not_theirs(worker, hit)
    if hit.trial_of_id is not None and (reason := why_no_trial(worker, hit)):
        raise Refused(reason)
    # What was sent back to its author is none more.
    is_trial = hit.trial_of_id is not None
    if not is_trial and has_enough_of(worker, hit) and not hit.items.exclude(reserved_for=[]).exists():
        raise Refused("enough")


def _refuse_if_not_theirs(worker: Worker | None, hit: HIT) -> None:
    if reason := why_not_theirs(worker, hit):
        raise Refused(reason)


def _earlier_draft(worker: Worker, hit: HIT) -> dict:
    """The newest draft that this worker left in this HIT, as fields of a new row."""
    found = max(_drafts.all(hit.pk, worker.pk), key=lambda row: row[2], default=None)
    return dict(zip(("draft", "draft_revision", "draft_saved_at"), found, strict=True)) if found else {}


@Prepared
def _done(hit: int, worker: int) -> QuerySet[Assignment]:
    done = Q(state__in=CONFIRMED) | ~Q(settlement="")
    return Assignment.objects.filter(done, hit=hit, worker=worker).values_list("assignment_id")


@Prepared
def _drafts(hit: int, worker: int) -> QuerySet[Assignment]:
    rows = Assignment.objects.filter(hit=hit, worker=worker, draft_saved_at__isnull=False)
    return rows.values_list("draft", "draft_revision", "draft_saved_at")


def _work_sent_back(worker: Worker, hit: HIT) -> dict:
    """What this worker handed in before for items that were sent back to them, to go on from."""
    sheet = sheet_of(hit.token)
    if not any(place.is_reserved for place in sheet.places):
        return {}
    items = dict(hit.items.values_list("replaces_id", "pk"))
    earlier = Answer.objects.filter(item__in=[pk for pk in items if pk], assignment__worker=worker).order_by("pk")
    draft = values_of(sheet, {items[item]: data for item, data in earlier.values_list("item_id", "data")})
    return {"draft": draft, "draft_revision": 1} if draft else {}


# --- Saving ---------------------------------------------------------------------------------------


def save_draft(
    *,
    assignment_pk: int,
    worker_pk: int,
    base_revision: int,
    values: Mapping[str, list[str]],
    tab: str = "",
    turn: int = 0,
) -> Saved:
    """Keep the page's form as typed. One conditional write; no event, for it happens every few seconds.

    `tab` and `turn` order the saves of one browser tab among themselves, so that a save whose
    acknowledgement was lost, or which was overtaken on the way, is no conflict. Raises DraftConflict
    when another tab saved since `base_revision`, NoLongerOpen after handing over, and Assignment.DoesNotExist where the
    row is not this worker's: after a restore from a backup its number may have been given to somebody else.
    """
    draft = {**values, "from": [tab, str(turn)]} if tab else dict(values)
    now = timezone.now()
    if _write_draft(assignment_pk, worker_pk, base_revision, draft, now):
        return Saved(base_revision + 1, now)
    with transaction.atomic():
        assignment = Assignment.objects.select_for_update().get(pk=assignment_pk, worker=worker_pk)
        if assignment.state != State.OPEN:
            raise NoLongerOpen(assignment)
        last_tab, last_turn = assignment.draft.get("from") or ("", "0")
        if typed(assignment.draft) != dict(values):
            if not tab or last_tab != tab:
                raise DraftConflict(assignment)
            revision = assignment.draft_revision
            if turn > int(last_turn) and _write_draft(assignment_pk, worker_pk, revision, draft, now):
                return Saved(revision + 1, now)
        # Nothing new, or an older turn of the same tab that was overtaken on the way.
        return Saved(assignment.draft_revision, assignment.draft_saved_at or now)


def _write_draft(assignment_pk: int, worker_pk: int, revision: int, draft: dict, now: datetime) -> bool:
    with turn():
        return bool(_draft_at_revision(draft, revision + 1, now, assignment_pk, worker_pk, revision, State.OPEN))


_draft_at_revision = Update(
    Assignment, sets=["draft", "draft_revision", "draft_saved_at"], where=["id", "worker", "draft_revision", "state"]
)


def draft_at(assignment_pk: int, worker_pk: int) -> tuple[str, int, dict[str, list[str]], datetime | None] | None:
    """What is saved of an assignment's form: the assignment's state, the revision, the words, and when."""
    found = _draft_at.first(assignment_pk, worker_pk)
    return found and (found[0], found[1], typed(found[2]), found[3])


@Prepared
def _draft_at(assignment_pk: int, worker_pk: int) -> QuerySet[Assignment]:
    rows = Assignment.objects.filter(pk=assignment_pk, worker=worker_pk)
    return rows.values_list("state", "draft_revision", "draft", "draft_saved_at")


def typed(draft: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """What the worker typed: a draft without the note on which tab it came from."""
    return {name: given for name, given in draft.items() if name != "from"}


# --- Handing over ---------------------------------------------------------------------------------


def receipt_of(assignment_id: str, worker_pk: int, answers: Mapping[int, dict], comment: str) -> str:
    """Proof of what was received from whom: the same content always has the same receipt."""
    content = json.dumps(
        [sorted((int(item), data) for item, data in answers.items()), comment], sort_keys=True, ensure_ascii=False
    )
    digest = hashlib.sha256(content.encode()).hexdigest()
    return salted_hmac(
        "annotation.hits.receipt", f"{assignment_id}:{worker_pk}:{digest}", algorithm="sha256"
    ).hexdigest()[:32]


def hand_over(
    *, assignment: Assignment, answers: Mapping[int, dict], comment: str = "", corpus_digest: str = ""
) -> HandedOver:
    """Store an assignment's answers, by item, and give the receipt. Handing over the same again changes nothing.

    `corpus_digest`: the corpus that the page searches, for task types whose pages do.

    Other content replaces the first until the marketplace confirms the assignment; the log keeps what it
    replaced. After that, and for an assignment that the marketplace gave to another worker, the content
    goes into the log as evidence and NoLongerOpen is raised; whoever wraps this in a larger transaction
    catches it inside, so that the evidence is kept.
    """
    receipt = receipt_of(assignment.assignment_id, assignment.worker_id, answers, comment)
    now = timezone.now()
    seconds = max(0, int((now - assignment.opened_at).total_seconds()))
    stored = (State.HANDED_OVER, receipt, comment, corpus_digest, now, seconds, assignment.pk)
    with transaction.atomic(savepoint=False), acting_as(f"worker:{assignment.worker.pseudonym}"):
        if _hand_over_from(*stored, State.OPEN):
            _write_answers(assignment, answers, now)
            return HandedOver(receipt, is_new=True)
        standing = Assignment.objects.select_for_update().get(pk=assignment.pk)
        if standing.receipt == receipt:
            return HandedOver(receipt, is_new=False)
        if standing.state == State.HANDED_OVER:
            earlier = Answer.objects.filter(assignment=assignment.pk)
            replaced = {str(item): data for item, data in earlier.values_list("item_id", "data")}
            earlier.delete()
            _hand_over_from(*stored, State.HANDED_OVER)
            _write_answers(assignment, answers, now, replaced=replaced)
            return HandedOver(receipt, is_new=True, replaces=True)
        record(
            "assignment.contested",
            subject=assignment,
            project_id=assignment.hit.project_id,
            answers={str(item): data for item, data in answers.items()},
            comment=comment,
        )
    raise NoLongerOpen(standing)


_hand_over_from = Update(
    Assignment,
    sets=["state", "receipt", "comment", "corpus_digest", "handed_over_at", "seconds_spent"],
    where=["id", "state"],
)
_insert_answers = Insert(Answer, fields=["assignment", "item", "data", "counts", "created_at"])


def _write_answers(assignment: Assignment, answers: Mapping[int, dict], now: datetime, **data: dict) -> None:
    _insert_answers((assignment.pk, item, answer, False, now) for item, answer in answers.items())
    record("assignment.handed_over", subject=assignment, project_id=assignment.hit.project_id, **data)
