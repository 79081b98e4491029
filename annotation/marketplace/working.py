"""What workers do to assignments: accept, hand in, return."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q

from annotation.marketplace import clock, faults, market, notifications, publishing, standing, states
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Account, Assignment, HeldSubmission

MOST_AT_ONCE = 25
SUBMITTED = ("status", "answer", "submitted_at", "auto_approval_at", "due_at", "hidden_until")


def locked_hit(pk: int, seen: HIT | None = None) -> HIT:
    """A HIT as it is now, held until the transaction ends; without its question, which is long.

    Type and requester are taken over from the HIT as it was `seen` a moment ago, if that had them.
    """
    rows = HIT.objects.select_for_update(of=("self",)).defer("question")
    if seen is None:
        return rows.select_related("hit_type", "requester").get(pk=pk)
    hit = rows.get(pk=pk)
    hit.requester = seen.requester
    if hit.hit_type_id == seen.hit_type_id:
        hit.hit_type = seen.hit_type
    return hit


class Taken(Refusal):
    """Somebody else was quicker: another HIT of the group may still be free."""

    def __init__(self) -> None:
        super().__init__("Somebody else took the last free place of this HIT.", "InvalidHITState")


def accept(*, worker: Account, hit: HIT) -> Assignment:
    """Give the worker one of the HIT's free assignments, or say why not.

    Of the HIT only its key, type and requester are looked at; its state is read again under the lock.
    Whether this worker may take this kind of HIT at all is settled before, since others wait for the lock.
    """
    _check_may_take(worker, hit)
    return _accept(worker, hit)


@transaction.atomic
def _accept(worker: Account, hit: HIT) -> Assignment:
    _hold_queue(worker)
    settled_for, hit = hit.hit_type_id, locked_hit(hit.pk, seen=hit)
    if hit.hit_type_id != settled_for:  # moved to another type meanwhile, which may ask for more
        _check_may_take(worker, hit)
    now = clock.now()
    _check_has_room(worker, hit, now)
    try:
        state = states.accept(hit.state)
    except states.NotAllowed as error:
        raise Taken from error
    assignment = Assignment(
        hit=hit,
        worker=worker,
        accepted_at=now,
        deadline=now + timedelta(seconds=hit.hit_type.assignment_duration),
    )
    if hit.freed_ids and faults.keeps_ids(hit.requester):  # the next worker gets the id of a place that was given back
        assignment.assignment_id = hit.freed_ids.pop(0)
    assignment.due_at = assignment.deadline
    assignment.save()
    publishing.moved(hit, state)
    notifications.record("AssignmentAccepted", hit, assignment)
    return assignment


def _hold_queue(worker: Account) -> None:
    """One accept of a worker at a time, so that a queue is counted right; SQLite has one writer anyway."""
    if connection.features.has_select_for_update:
        Account.objects.select_for_update(no_key=True).values_list("pk").get(pk=worker.pk)


def _check_may_take(worker: Account, hit: HIT) -> None:
    if not worker.is_worker or not worker.is_active:
        raise Refusal("Only workers can accept HITs.", "PermissionDenied")
    market.require_open()
    stand = standing.of(worker)
    if hit.requester_id in stand.blocked_by:
        raise Refusal("This requester does not want to have work from you.", "PermissionDenied")
    if unmet := stand.unmet(hit.hit_type, "accept"):
        reasons = "; ".join(f"{u.words} (yours: {u.yours}). {u.how}" for u in standing.explain(stand, unmet))
        raise Refusal(f"You do not meet a requirement of this HIT: {reasons}", "DoesNotMeetRequirements")


def _check_has_room(worker: Account, hit: HIT, now: datetime) -> None:
    if hit.expires_at <= now:
        raise Refusal("The time to accept this HIT is over.", "InvalidHITState")
    turns = Assignment.objects.filter(worker=worker, status__in=Assignment.LIVE)
    mine = dict(turns.filter(Q(hit=hit) | Q(status="Accepted")).values_list("hit_id", "status"))
    if hit.pk in mine:
        words = "are working on it" if mine[hit.pk] == "Accepted" else "have handed it in"
        raise Refusal(f"You took this HIT already: you {words}.", "ExceedsMaxAssignmentsPerWorker")
    if len(mine) >= MOST_AT_ONCE:
        raise Refusal(f"Your queue holds {MOST_AT_ONCE} HITs already; finish or return one.", "PermissionDenied")


@transaction.atomic
def give_back(*, worker: Account, assignment: Assignment, reason: str = "") -> Assignment:
    """Return accepted work; the place is free for others."""
    hit = locked_hit(assignment.hit_id)
    assignment = hit.assignments.select_related("worker").get(pk=assignment.pk, worker=worker)
    if assignment.status != "Accepted":
        raise Refusal(f"This work cannot be returned: it is {assignment.status.lower()}.", "InvalidAssignmentState")
    assignment.return_reason = reason[:1000]
    _end(hit, assignment, "Returned", clock.now())
    return assignment


@transaction.atomic
def abandon(*, assignment: Assignment) -> None:
    """The deadline of accepted work has passed."""
    hit = locked_hit(assignment.hit_id)
    assignment = hit.assignments.select_related("worker").get(pk=assignment.pk)
    if assignment.status == "Accepted" and assignment.deadline <= clock.now():
        _end(hit, assignment, "Abandoned", assignment.deadline)


def _end(hit: HIT, assignment: Assignment, status: str, at) -> None:
    assignment.status, assignment.ended_at, assignment.due_at = status, at, None
    assignment.save(update_fields=["status", "ended_at", "due_at", "return_reason"])
    hit.freed_ids.append(assignment.assignment_id)
    publishing.moved(hit, states.give_back(hit.state), at=at)
    notifications.record(f"Assignment{status}", hit, assignment, at=at)


@dataclass(frozen=True)
class HandedIn:
    """What became of a post to externalSubmit: the assignment, or work held until its worker says it is theirs."""

    assignment: Assignment | None = None
    held: HeldSubmission | None = None
    repeated: bool = False


def hand_in(*, assignment_id: str, answer: str, signed_in: Account | None, claimed: str) -> HandedIn:
    """Take the work that a frame posted.

    The post comes from a third-party frame, so usually without a session: the unguessable assignment id
    is the authority. Only when several workers have held that id must one of session, posted `workerId`
    or a later confirmation say whose work it is, so that a tab left open by the worker who returned it
    cannot hand in for the next.
    """
    known = re.fullmatch("[A-Z0-9]{1,64}", assignment_id)
    held = Assignment.objects.filter(assignment_id=assignment_id).order_by("id").defer("hit__question")
    turns = known and list(held.select_related("worker", "hit__hit_type", "hit__requester"))
    if not turns:
        raise Refusal("There is no assignment with this id; nothing was handed in.", "AssignmentDoesNotExist")
    workers = {turn.worker for turn in turns}
    submitter = _submitter(workers, signed_in, claimed)
    if submitter is None:
        held = HeldSubmission.objects.create(
            assignment_id=assignment_id, key=secrets.token_urlsafe(32), answer=answer, created_at=clock.now()
        )
        return HandedIn(held=held)
    mine = [turn for turn in turns if turn.worker == submitter]
    return submit(assignment=mine[-1], answer=answer)


def _submitter(workers: set[Account], signed_in: Account | None, claimed: str) -> Account | None:
    if signed_in and signed_in.is_worker:
        if signed_in not in workers:
            raise Refusal("This assignment was given to another worker.", "PermissionDenied")
        return signed_in
    if len(workers) == 1:
        return next(iter(workers))
    return next((worker for worker in workers if worker.customer_id == claimed), None)


@transaction.atomic
def confirm_held(*, worker: Account, held: HeldSubmission) -> HandedIn:
    """A signed-in worker says that the held work is theirs."""
    turns = Assignment.objects.filter(assignment_id=held.assignment_id, worker=worker).order_by("-id")
    mine = turns.first()
    if mine is None:
        raise Refusal("This assignment was given to another worker.", "PermissionDenied")
    outcome = submit(assignment=mine, answer=held.answer)
    held.delete()
    return outcome


@transaction.atomic
def submit(*, assignment: Assignment, answer: str) -> HandedIn:
    """Store a worker's answers; the same post twice is one submission."""
    seen = assignment.hit if Assignment.hit.is_cached(assignment) else None
    hit, worker = locked_hit(assignment.hit_id, seen=seen), assignment.worker
    assignment = hit.assignments.get(pk=assignment.pk)
    assignment.hit, assignment.worker = hit, worker
    if assignment.status in ("Submitted", "Approved", "Rejected"):
        return HandedIn(assignment, repeated=True)
    now = clock.now()
    if assignment.status == "Returned":
        raise Refusal("You returned this HIT, so the work could not be handed in.", "InvalidAssignmentState")
    if assignment.status == "Abandoned" or assignment.deadline <= now:
        raise Refusal(
            "The time allowed for this HIT was over, so the work could not be handed in.", "InvalidAssignmentState"
        )
    delay = timedelta(seconds=hit.hit_type.auto_approval_delay)
    assignment.status, assignment.answer, assignment.submitted_at = "Submitted", answer, now
    assignment.auto_approval_at = assignment.due_at = now + delay
    assignment.hidden_until = faults.hidden_until(hit.requester, now)
    assignment.save(update_fields=SUBMITTED)
    publishing.moved(hit, states.submit(hit.state))
    notifications.record("AssignmentSubmitted", hit, assignment)
    if not delay:
        from annotation.marketplace import reviewing  # pays at once; reviewing builds on this module

        reviewing.approve_by_itself(assignment=assignment)
        assignment.refresh_from_db()
    return HandedIn(assignment)
