"""What requesters decide about submitted work, and the money that follows."""

from datetime import timedelta

from django.db import transaction

from annotation.marketplace import clock, ledger, limits, messaging, notifications, publishing, states, tokens, working
from annotation.marketplace.errors import OutOfRange, Refusal, does_not_exist, not_yours, wrong_state
from annotation.marketplace.models import Account, Appeal, Assignment, Bonus

OVERRIDE_WINDOW = timedelta(days=30)
MOST_FEEDBACK = 1024


def assignment_of(requester: Account, assignment_id: str) -> Assignment:
    """A submitted, approved or rejected assignment of the requester's; work in progress is not shown."""
    rows = Assignment.objects.select_related("hit__hit_type", "hit__requester", "worker")
    assignment = rows.filter(assignment_id=assignment_id, status__in=Assignment.LIVE).first()
    if assignment is None:
        raise does_not_exist("Assignment", assignment_id, "Assignment")
    if assignment.hit.requester_id != requester.pk:
        raise not_yours("Assignment", assignment_id)
    publishing.require_kept(assignment.hit)
    return assignment


def is_visible(assignment: Assignment) -> bool:
    """Whether the requester can see this submission yet (a fault plan can delay it)."""
    return assignment.hidden_until is None or assignment.hidden_until <= clock.now()


def _locked(assignment: Assignment) -> Assignment:
    hit = working.locked_hit(assignment.hit_id)
    ledger.lock(hit.requester)
    fresh = Assignment.objects.select_related("worker").get(pk=assignment.pk)
    fresh.hit = hit
    return fresh


def _check_feedback(feedback: str) -> None:
    if len(feedback) > MOST_FEEDBACK:
        raise OutOfRange(f"RequesterFeedback takes at most {MOST_FEEDBACK} characters, got {len(feedback)}.")


@transaction.atomic
def approve(*, requester: Account, assignment_id: str, feedback: str = "", override: bool = False) -> Assignment:
    """Accept the work and pay for it; `override` takes back a rejection, and an appeal against it is upheld."""
    _check_feedback(feedback)
    assignment = _locked(assignment_of(requester, assignment_id))
    if not is_visible(assignment):
        raise wrong_state("Assignment", "null")
    try:
        states.may_approve(assignment.status, override)
    except states.NotAllowed as error:
        raise wrong_state("Assignment", error.allowed) from error
    if assignment.status == "Rejected":
        _override(assignment, feedback)
    else:
        _approve(assignment, feedback, clock.now())
    return assignment


def _override(assignment: Assignment, feedback: str) -> None:
    now = clock.now()
    if now > assignment.submitted_at + OVERRIDE_WINDOW:
        raise Refusal(
            "A rejection can be overridden within 30 days of the submission; "
            f"this work was submitted at {assignment.submitted_at:%Y-%m-%d %H:%M} UTC.",
            "InvalidAssignmentState",
        )
    assignment.status, assignment.approved_at, assignment.rejected_at = "Approved", now, None
    assignment.feedback = feedback or assignment.feedback
    ledger.pay_reward(assignment, from_hold=False)
    assignment.save()
    if appeal := Appeal.objects.filter(assignment=assignment, answered_at__isnull=True).first():
        messaging.answer_appeal(appeal=appeal, answer=feedback, upheld=True)
    notifications.record("AssignmentApproved", assignment.hit, assignment)


def _approve(assignment: Assignment, feedback: str, at) -> None:
    hit = assignment.hit
    assignment.status, assignment.approved_at, assignment.due_at = "Approved", at, None
    assignment.feedback = feedback
    ledger.pay_reward(assignment, from_hold=True)
    assignment.save()
    publishing.moved(hit, states.decide(hit.state))
    notifications.record("AssignmentApproved", hit, assignment, at=at)


@transaction.atomic
def approve_by_itself(*, assignment: Assignment) -> None:
    """The auto-approval time of submitted work has come."""
    assignment = _locked(assignment)
    if assignment.status == "Submitted" and assignment.auto_approval_at <= clock.now():
        _approve(assignment, "", assignment.auto_approval_at)


@transaction.atomic
def reject(*, requester: Account, assignment_id: str, feedback: str) -> Assignment:
    """Refuse to pay for the work, with a reason for the worker."""
    _check_feedback(feedback)
    assignment = _locked(assignment_of(requester, assignment_id))
    if not is_visible(assignment):
        raise wrong_state("Assignment", "null")
    try:
        states.may_reject(assignment.status)
    except states.NotAllowed as error:
        raise wrong_state("Assignment", error.allowed) from error
    assignment.status, assignment.rejected_at, assignment.due_at = "Rejected", clock.now(), None
    assignment.feedback = feedback
    assignment.save()
    publishing.moved(assignment.hit, states.decide(assignment.hit.state))
    notifications.record("AssignmentRejected", assignment.hit, assignment)
    return assignment


@transaction.atomic
def send_bonus(
    *,
    requester: Account,
    worker_id: str,
    assignment_id: str,
    cents: int,
    reason: str,
    token: str | None = None,
    request_id: str = "",
) -> Bonus:
    """Pay a worker extra for a submitted assignment."""
    limits.dollars_in_range("BonusAmount", cents, least=1)
    if not reason.strip():
        raise OutOfRange("The value of Reason is invalid: a bonus needs a reason that the worker can read.")
    assignment = assignment_of(requester, assignment_id)
    if assignment.status == "Accepted" or not is_visible(assignment):
        raise does_not_exist("Assignment", assignment_id, "Assignment")
    if assignment.worker.customer_id != worker_id:
        raise Refusal(
            f"Worker {worker_id} did not submit assignment {assignment_id}; a bonus goes to the worker who did.",
            "InvalidParameterValue",
        )
    ledger.lock(requester)
    tokens.refuse_repeated(requester, "SendBonus", token)
    bonus = Bonus.objects.create(
        requester=requester, worker=assignment.worker, assignment=assignment, cents=cents, reason=reason
    )
    ledger.pay_bonus(bonus)
    tokens.remember(requester, "SendBonus", token, request_id)
    return bonus
