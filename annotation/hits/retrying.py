"""A person's word on calls that the marketplace refused or never showed: try again, call off, say what became of it.

The ledger knows what may be sent again; here stands what of it still makes sense for the work and the money.
"""

from __future__ import annotations

from django.db import transaction

from annotation.events.actions import current_actor
from annotation.hits.fees import bonus_fee_cents
from annotation.hits.models import Assignment
from annotation.hits.paying import REFUSED_STATES, why_no_bonus, why_not_approved, why_not_rejected
from annotation.hits.quarantine import reopen, settle_again
from annotation.hits.queries import spending
from annotation.projects.actions import Refused
from annotation.projects.models import Project
from annotation.providers import actions as ledger
from annotation.providers import jobs as provider_jobs
from annotation.providers.models import Intent
from annotation.waking import wake

DECISIONS = ("approve", "reject", "bonus")


@transaction.atomic
def try_again(*, intent: Intent) -> Intent:
    """Lets a refused call be made again, where it is still wanted. Raises Refused with the reason where not."""
    if intent.kind in DECISIONS:
        # Held before it is asked whether it is still wanted: of two who ask at once the second finds it under way.
        project = Project.objects.select_for_update().get(pk=intent.project_id)
        intent = Intent.objects.select_for_update().get(pk=intent.pk)
        if intent.state in REFUSED_STATES and (fault := _why_not_wanted(intent, project)):
            raise Refused(f"{fault}; call it off instead" if intent.kind != "bonus" else fault)
    try:
        again = ledger.try_again(intent=intent)
    except ledger.NotAgain as fault:
        raise Refused(str(fault)) from None
    if intent.kind == "bonus":
        settle_again(intent=intent)
    wake(provider_jobs.sweep)
    return again


@transaction.atomic
def call_off(*, intent: Intent, reason: str) -> Intent:
    """Ends a refused call that is no longer wanted. Submitted work can't lose its approval this way."""
    if not reason.strip():
        raise Refused("calling off needs a reason")
    if intent.kind == "approve" and _assignment_of(intent).state == Assignment.State.SUBMITTED:
        raise Refused("this work waits for its pay: try the approval again, or reject it with a reason")
    try:
        ended = ledger.call_off(intent=intent, reason=reason.strip()[:1000])
    except ledger.NotAgain as fault:
        raise Refused(str(fault)) from None
    if intent.kind == "bonus":
        reopen(intent=intent)
    return ended


@transaction.atomic
def tell(*, intent: Intent, is_done: bool, reason: str) -> Intent:
    """Writes down what a person found who looked in the marketplace for a call that was never seen there."""
    if not reason.strip():
        raise Refused("say where you looked and what you found")
    if not current_actor().startswith("user:"):
        raise Refused("what became of a call is said by a person who looked")
    try:
        return ledger.settle(intent=intent, is_done=is_done, reason=reason.strip()[:1000])
    except ledger.NotAgain as fault:
        raise Refused(str(fault)) from None


def _assignment_of(intent: Intent) -> Assignment:
    rows = Assignment.objects.select_related("hit__stage").select_for_update(of=("self",))
    return rows.get(pk=int(intent.key.split("/")[2]))


def _why_not_wanted(intent: Intent, project: Project) -> str:
    assignment = _assignment_of(intent)
    if intent.kind == "reject":
        return why_not_rejected(assignment)
    if intent.kind == "bonus":
        total = intent.request["cents"] + bonus_fee_cents(intent.request["cents"])
        no_room = "the budget cap leaves no room for it" if total > spending(project).free_cents else ""
        return why_no_bonus(assignment) or no_room
    if assignment.state == Assignment.State.REJECTED and not intent.request.get("override"):
        return "this work was rejected since; turn that round on the assignment's own page"
    return why_not_approved(assignment, project)
