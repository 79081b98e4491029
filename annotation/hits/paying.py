"""Approves, rejects and rewards work: always an intent first, then the call, then what became of it.

Pay is the rule: submitted work is approved, at once or after the stage's time to look. A rejection
needs a person and a reason, and can be turned round within 30 days.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.collecting import count_again
from annotation.hits.fees import bonus_fee_cents
from annotation.hits.models import Assignment
from annotation.hits.queries import spending
from annotation.projects.actions import Refused
from annotation.projects.models import Project, Stage
from annotation.providers import jobs as provider_jobs
from annotation.providers.actions import absorb, plan, plan_all
from annotation.providers.models import Intent
from annotation.providers.queries import results
from annotation.waking import wake

THANKS = "Thank you!"


def approve_due(*, project: Project) -> int:
    """Plans the approval of all submitted work whose time to look is over. Gives how many were planned."""
    planned = []
    for stage in Stage.objects.filter(project=project):
        before = timezone.now() - timedelta(hours=stage.approve_after_hours)
        rows = Assignment.objects.filter(hit__stage=stage, state=Assignment.State.SUBMITTED, submitted_at__lte=before)
        wanted = {
            row["key"]: row for row in (_approval(assignment, THANKS) for assignment in rows.select_related("hit"))
        }
        known = set(Intent.objects.filter(key__in=wanted).values_list("key", flat=True)) if wanted else set()
        planned += [row for key, row in wanted.items() if key not in known]
    plan_all(planned)
    return len(planned)


def approve(*, assignment: Assignment, feedback: str = THANKS) -> Intent:
    """Wants an assignment approved and paid. Again is the same intent: nobody is paid twice.

    A rejected assignment is approved all the same, as the protocol's override within 30 days.
    """
    if assignment.state not in {
        Assignment.State.SUBMITTED,
        Assignment.State.APPROVED,
        Assignment.State.REJECTED,
    }:
        raise Refused(f"only submitted work can be approved; this is {assignment.state.replace('_', ' ')}")
    return plan(**_approval(assignment, feedback))


def _approval(assignment: Assignment, feedback: str) -> dict:
    override = assignment.state == Assignment.State.REJECTED
    return {
        "environment": assignment.hit.environment,
        "kind": "approve",
        "key": _key(assignment, "approve-after-all" if override else "approve"),
        "request": {"assignment_id": assignment.assignment_id, "feedback": feedback, "override": override},
        "project_id": assignment.hit.project_id,
    }


def reject(*, assignment: Assignment, reason: str) -> Intent:
    """Wants an assignment rejected: unpaid, and its answers don't count. Needs a reason that the worker reads."""
    if not reason.strip():
        raise Refused("a rejection needs a reason; the worker reads it")
    if assignment.state != Assignment.State.SUBMITTED:
        raise Refused(f"only submitted work can be rejected; this is {assignment.state.replace('_', ' ')}")
    if Intent.objects.filter(key=_key(assignment, "approve")).exclude(state=Intent.State.REFUSED).exists():
        raise Refused("this work is being approved already")
    return plan(
        environment=assignment.hit.environment,
        kind="reject",
        key=_key(assignment, "reject"),
        request={"assignment_id": assignment.assignment_id, "reason": reason.strip()[:1024]},
        project_id=assignment.hit.project_id,
    )


def bonus(*, assignment: Assignment, cents: int, reason: str, purpose: str) -> Intent:
    """Wants a bonus paid, once a `purpose`, within the project's cap. The worker reads the reason."""
    if cents < 1:
        raise Refused(f"a bonus is at least one cent, found {cents}")
    with transaction.atomic():
        project = Project.objects.select_for_update().get(pk=assignment.hit.project_id)
        total = cents + bonus_fee_cents(cents)
        if total > spending(project).free_cents:
            raise Refused("the budget cap leaves no room for this bonus and its fee")
        key = _key(assignment, f"bonus/{purpose}")
        intent = plan(
            environment=assignment.hit.environment,
            kind="bonus",
            key=key,
            # The reference at the end makes the marketplace's list of bonuses an exact match for this intent.
            request={
                "assignment_id": assignment.assignment_id,
                "cents": cents,
                "reason": f"{reason.strip()} (ref. {assignment.pk}-{purpose})",
            },
            cents=total,
            project_id=project.pk,
        )
    wake(provider_jobs.sweep)
    return intent


def _key(assignment: Assignment, what: str) -> str:
    return f"{assignment.hit.environment}/assignment/{assignment.pk}/{what}"


def absorb_decisions(*, project: Project) -> int:
    """Takes in what became of approvals and rejections."""
    taken = 0
    for kind, state in (("approve", Assignment.State.APPROVED), ("reject", Assignment.State.REJECTED)):
        while rows := list(results(kind, project.pk)[:200]):
            with transaction.atomic():
                for intent in rows:
                    _take(intent, state)
                absorb(intents=[intent.pk for intent in rows])
            taken += len(rows)
    return taken


def _take(intent: Intent, state: str) -> None:
    if intent.state != Intent.State.CONFIRMED:
        return  # it stays in the ledger, among what a person should look at
    pk = int(intent.key.split("/")[2])
    assignment = Assignment.objects.select_related("hit").get(pk=pk)
    if assignment.state == state:
        return
    assignment.state, assignment.decided_at = state, timezone.now()
    assignment.feedback = intent.request.get("feedback") or intent.request.get("reason", "")
    assignment.save(update_fields=["state", "decided_at", "feedback"])
    assignment.answers.update(counts=state == Assignment.State.APPROVED)
    record(f"assignment.{state}", subject=assignment, project_id=assignment.hit.project_id, by=intent.asked_by)
    if state == Assignment.State.REJECTED:
        count_again(items=[answer.item for answer in assignment.answers.select_related("item__stage")])
