"""Approves, rejects and rewards work: always an intent first, then the call, then what became of it.

Pay is the rule: submitted work is approved, at once or after the stage's time to look. A rejection
needs a person and a reason, and can be turned round within 30 days. What the marketplace refused is
wanted again by asking again: `annotation/hits/retrying.py` does the same from the list of problems.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.events.actions import current_actor, record
from annotation.hits.collecting import STATES, count_answers, count_enough
from annotation.hits.fees import bonus_fee_cents
from annotation.hits.models import HIT, Assignment
from annotation.hits.queries import assignment_key, spending
from annotation.projects.actions import Refused
from annotation.projects.models import Project, Stage
from annotation.providers import jobs as provider_jobs
from annotation.providers.actions import absorb, plan, plan_all, try_again
from annotation.providers.models import Intent
from annotation.providers.queries import COMMITTING, results
from annotation.waking import wake

THANKS = "Thank you!"
# What the protocol takes of words to a worker.
MOST_WORDS = 1024
MOST_BONUS_WORDS = 900  # a reference to the intent is added
# How many approvals are planned in one transaction.
AT_ONCE = 500
OVERRIDE_WINDOW = timedelta(days=30)
PURPOSE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
# A definite no, or called off after one: asking again plans the call once more.
REFUSED_STATES = [Intent.State.REFUSED, Intent.State.WITHDRAWN]

State = Assignment.State


# --- Approving ------------------------------------------------------------------------------------


def approve_due(*, project: Project) -> int:
    """Plans the approval of all submitted work whose time to look is over. Gives how many were planned.

    Left to a person: what they are rejecting at this moment, what the marketplace refused to approve, and what was
    settled by hand before the marketplace listed it.
    """
    count = 0
    for stage in Stage.objects.filter(project=project):
        before = timezone.now() - timedelta(hours=stage.approve_after_hours)
        rows = Assignment.objects.filter(hit__stage=stage, state=State.SUBMITTED, submitted_at__lte=before)
        # Trials have a time of their own: `annotation/trials/deciding.py`.
        rows = rows.filter(hit__trial_of=None, settlement="").select_related("hit").defer("draft").order_by("pk")
        last, due = 0, []
        while not last or len(due) == AT_ONCE:
            with transaction.atomic():
                due = list(rows.filter(pk__gt=last).select_for_update(of=("self",))[:AT_ONCE])
                count += _plan_approvals(project, due)
            last = due[-1].pk if due else -1
    return count


def _plan_approvals(project: Project, due: list[Assignment]) -> int:
    wanted = {row["key"]: row for row in (_approval(assignment, THANKS) for assignment in due)}
    if not wanted:
        return 0
    known = set(Intent.objects.filter(key__in=wanted).values_list("key", flat=True))
    rejected = _being_rejected(project)
    of_assignment = {assignment_key(one, "approve"): assignment_key(one, "reject") for one in due}
    planned = [row for key, row in wanted.items() if key not in known and of_assignment[key] not in rejected]
    plan_all(planned)
    return len(planned)


def _being_rejected(project: Project) -> set[str]:
    rows = Intent.objects.filter(project_id=project.pk, kind="reject", state__in=COMMITTING, absorbed_at__isnull=True)
    return set(rows.values_list("key", flat=True))


@transaction.atomic
def approve(*, assignment: Assignment, feedback: str = "") -> Intent:
    """Wants an assignment approved and paid. Again is the same intent: nobody is paid twice.

    Where the marketplace refused before, it is asked once more. A rejected assignment is approved all the
    same, as the protocol's override within 30 days; the worker reads why.
    """
    project = Project.objects.select_for_update().get(pk=assignment.hit.project_id)
    assignment = _locked(assignment)
    if fault := why_not_approved(assignment, project):
        raise Refused(fault)
    if assignment.state == State.REJECTED and not feedback.strip():
        raise Refused("a rejection is turned round with a word to the worker, who was told otherwise")
    row = _approval(assignment, _words(feedback) or THANKS)
    return _want(assignment, row, "assignment.approval_asked", reason=feedback.strip())


def why_not_approved(assignment: Assignment, project: Project) -> str:
    """Why this work can't be approved now; empty where it can."""
    if assignment.state == State.SUBMITTED and _is_under_way(assignment, "reject"):
        return "this work is being rejected at this moment; that can be turned round once it is done"
    if assignment.state == State.REJECTED:
        return _why_not_turned_round(assignment, project)
    if assignment.state not in (State.SUBMITTED, State.APPROVED):
        return f"only submitted work can be approved; this is {assignment.state.replace('_', ' ')}"
    return ""


def _why_not_turned_round(assignment: Assignment, project: Project) -> str:
    if override_until(assignment) <= timezone.now():
        return "the marketplace turns a rejection round for 30 days only; a bonus can still pay the worker"
    # A HIT that is out holds the money for all its assignments; of a closed one it was set free.
    if assignment.hit.state != HIT.State.CLOSED or _is_under_way(assignment, "approve-after-all"):
        return ""
    if _unit_cents(assignment) > spending(project).free_cents:
        return "the budget leaves no room for this reward and its fee: an owner can raise it"
    return ""


def override_until(assignment: Assignment) -> datetime:
    """Until when the marketplace lets a rejection be turned round."""
    return (assignment.submitted_at or assignment.decided_at or timezone.now()) + OVERRIDE_WINDOW


def _approval(assignment: Assignment, feedback: str) -> dict:
    override = assignment.state == State.REJECTED
    return {
        "environment": assignment.hit.environment,
        "kind": "approve",
        "key": assignment_key(assignment, "approve-after-all" if override else "approve"),
        "request": {"assignment_id": assignment.assignment_id, "feedback": feedback, "override": override},
        "cents": _unit_cents(assignment) if override else 0,
        "project_id": assignment.hit.project_id,
    }


def _unit_cents(assignment: Assignment) -> int:
    return assignment.hit.reward_cents + assignment.hit.fee_cents


# --- Rejecting ------------------------------------------------------------------------------------


@transaction.atomic
def reject(*, assignment: Assignment, reason: str) -> Intent:
    """Wants an assignment rejected: unpaid, its answers don't count. Needs a person, and a reason for the worker."""
    if not reason.strip():
        raise Refused("a rejection needs a reason; the worker reads it")
    if not current_actor().startswith("user:"):
        raise Refused("a rejection takes a person who answers for it; nothing is rejected by itself")
    words = _words(reason)
    assignment = _locked(assignment)
    if fault := why_not_rejected(assignment):
        raise Refused(fault)
    row = {
        "environment": assignment.hit.environment,
        "kind": "reject",
        "key": assignment_key(assignment, "reject"),
        "request": {"assignment_id": assignment.assignment_id, "reason": words},
        "project_id": assignment.hit.project_id,
    }
    return _want(assignment, row, "assignment.rejection_asked", reason=words)


def why_not_rejected(assignment: Assignment) -> str:
    """Why this work can't be rejected now; empty where it can."""
    if assignment.state != State.SUBMITTED:
        return f"only submitted work can be rejected; this is {assignment.state.replace('_', ' ')}"
    if assignment.hit.trial_of_id is not None:
        return "a trial is paid whatever its graders say"
    if _is_under_way(assignment, "approve"):
        return "this work is being approved already"
    if look_until(assignment) <= timezone.now():
        return "the stage's time to look is over, and with it the time to reject: this work is paid"
    return ""


def look_until(assignment: Assignment) -> datetime:
    """Until when a person may reject this work; then it is approved and paid."""
    submitted = assignment.submitted_at or timezone.now()
    return submitted + timedelta(hours=assignment.hit.stage.approve_after_hours)


# --- Bonuses --------------------------------------------------------------------------------------


@transaction.atomic
def bonus(*, assignment: Assignment, cents: int, reason: str, purpose: str, charged_to: int | None = None) -> Intent:
    """Wants a bonus paid, once a `purpose`, within the project's cap. The worker reads the reason.

    It follows a decision: work that is submitted is approved first. `charged_to`: the project whose budget
    pays, where that is not the one that the work was for.
    """
    if cents < 1:
        raise Refused(f"a bonus is at least one cent, found {cents}")
    if not PURPOSE.fullmatch(purpose):
        raise Refused(f"a bonus's purpose is a short name of small letters, digits and hyphens, found {purpose!r}")
    if not reason.strip():
        raise Refused("a bonus needs a reason; the worker reads it")
    words = _words(reason, MOST_BONUS_WORDS)
    project = Project.objects.select_for_update().get(pk=charged_to or assignment.hit.project_id)
    assignment = _locked(assignment)
    if fault := why_no_bonus(assignment):
        raise Refused(fault)
    key = assignment_key(assignment, f"bonus/{purpose}")
    standing = Intent.objects.filter(key=key).first()
    if standing and standing.request["cents"] != cents:
        raise Refused(
            f"a bonus for {purpose!r} was asked for already, of {standing.request['cents']} cents; "
            "one of another amount needs another purpose"
        )
    total = cents + bonus_fee_cents(cents)
    if (standing is None or standing.state in REFUSED_STATES) and total > spending(project).free_cents:
        raise Refused("the budget cap leaves no room for this bonus and its fee")
    row = {
        "environment": assignment.hit.environment,
        "kind": "bonus",
        "key": key,
        # The reference at the end makes the marketplace's list of bonuses an exact match for this intent,
        # so a bonus that was refused and is tried again keeps its first words.
        "request": standing.request
        if standing
        else {
            "assignment_id": assignment.assignment_id,
            "cents": cents,
            "reason": f"{words} (ref. {assignment.pk}-{purpose})",
        },
        "cents": total,
        "project_id": project.pk,
    }
    return _want(assignment, row, "assignment.bonus_asked", reason=words, cents=cents)


def why_no_bonus(assignment: Assignment) -> str:
    """Why no bonus can be paid for this work now; empty where it can."""
    if assignment.state == State.SUBMITTED:
        return "a bonus follows the approval: approve this work first"
    if assignment.state not in (State.APPROVED, State.REJECTED):
        return f"a bonus is for work that was decided on; this is {assignment.state.replace('_', ' ')}"
    return ""


# --- What all have in common ----------------------------------------------------------------------


def _locked(assignment: Assignment) -> Assignment:
    rows = Assignment.objects.select_related("hit__stage", "worker").select_for_update(of=("self",))
    return rows.get(pk=assignment.pk)


def _words(text: str, most: int = MOST_WORDS) -> str:
    words = text.strip()
    if len(words) > most:
        raise Refused(f"the marketplace takes at most {most:,} characters of words to a worker, found {len(words):,}")
    return words


def _is_under_way(assignment: Assignment, what: str) -> bool:
    return Intent.objects.filter(key=assignment_key(assignment, what), state__in=COMMITTING).exists()


def _want(assignment: Assignment, row: dict, verb: str, **about: str | int) -> Intent:
    """Plans a call that somebody asked for, once more where it was refused. What is under way stays as it is."""
    standing = Intent.objects.filter(key=row["key"]).first()
    if standing is None:
        standing = plan(**row)
    elif standing.state in REFUSED_STATES:
        standing = try_again(intent=standing, request=row["request"])
    else:
        return standing
    record(verb, subject=assignment, project_id=row["project_id"], **{k: v for k, v in about.items() if v})
    wake(provider_jobs.sweep)
    return standing


# --- What became of it ----------------------------------------------------------------------------


def absorb_decisions(*, project: Project) -> int:
    """Takes in what became of approvals, rejections and bonuses."""
    taken = 0
    for kind in ("approve", "reject", "bonus"):
        while count := _absorb_some(project, kind):
            taken += count
    return taken


@transaction.atomic
def _absorb_some(project: Project, kind: str) -> int:
    # Held until they are marked: a refused call that a person tries again in between is not lost sight of.
    rows = list(results(kind, project.pk).select_for_update()[:200])
    for intent in rows:
        if intent.state == Intent.State.CONFIRMED or intent.result.get("status"):
            _take(intent)
        # What was not confirmed stays in the ledger, among what a person should look at.
    absorb(intents=[intent.pk for intent in rows])
    return len(rows)


def _take(intent: Intent) -> None:
    """Takes in that a call was confirmed, or was refused because the marketplace shows the work decided otherwise."""
    assignment = Assignment.objects.select_related("hit").get(pk=int(intent.key.split("/")[2]))
    about = {"subject": assignment, "project_id": intent.project_id, "by": intent.asked_by}
    if intent.kind == "bonus":
        record("assignment.bonus_paid", cents=intent.request["cents"], **about)
        return
    is_ours = intent.state == Intent.State.CONFIRMED
    if is_ours:
        state = State.APPROVED if intent.kind == "approve" else State.REJECTED
    else:
        state, about["by"] = STATES[intent.result["status"]], "somebody at the marketplace"
    if assignment.state == state:
        return
    was_rejected = assignment.state == State.REJECTED
    assignment.state, assignment.decided_at = state, timezone.now()
    if is_ours:
        assignment.feedback = intent.request.get("feedback") or intent.request.get("reason", "")
    assignment.save(update_fields=["state", "decided_at", "feedback"])
    count_answers(assignment=assignment)
    record(f"assignment.{state}", **about)
    if was_rejected and state == State.APPROVED:
        count_enough(items=[answer.item for answer in assignment.answers.select_related("item__stage")])
