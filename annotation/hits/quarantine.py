"""Work that was handed in here and that the marketplace never listed: looked for again, and settled by a person.

Or that it gave to another worker meanwhile. It never counts: what counts is what the marketplace lists. But
somebody did it, so a person says what becomes of their pay. The marketplace pays for nothing that it does not
know, but it pays a bonus on any work of the same worker that it does know.
"""

from __future__ import annotations

import re

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.events.actions import current_actor, record
from annotation.hits.models import HIT, Assignment
from annotation.hits.paying import bonus
from annotation.hits.queries import unplaced
from annotation.projects.actions import Refused
from annotation.projects.models import Project
from annotation.providers.models import Intent

UNLISTED = [Assignment.State.QUARANTINED, Assignment.State.SUPERSEDED]
# How quarantined work may be settled: name, and the sentence that says it.
SETTLEMENTS = {
    "bonus": "The worker is paid by a bonus on other work of theirs",
    "paid_outside": "The worker was paid outside the marketplace",
    "not_owed": "Nothing is owed for it",
}
MOST_REASON = 2_000
# Before the number of the work that a bonus pays for.
PURPOSE = "quarantine-"
# What the worker reads who is paid so.
WORDS = "Pay for work that you handed in and that the marketplace did not list. Thank you, and sorry for the wait!"


def look_again(*, project: Project) -> int:
    """Wants the marketplace asked about every HIT that is out, and about closed ones with work in quarantine.

    Nothing is asked here: the next `collect` does. Gives how many HITs it will ask about.
    """
    quarantined = unplaced(project).filter(state=Assignment.State.QUARANTINED).values("hit_id")
    wanted = Q(state=HIT.State.OFFERED) | Q(state=HIT.State.CLOSED, pk__in=quarantined)
    return project.hits.filter(wanted, remote_id__isnull=False).update(collect_after=timezone.now())


def carrier_of(assignment: Assignment) -> Assignment | None:
    """Work of the same worker that a bonus can be paid on: of the same project before others, the newest first."""
    decided = [Assignment.State.APPROVED, Assignment.State.REJECTED]
    rows = Assignment.objects.select_related("hit").filter(
        worker=assignment.worker_id, state__in=decided, hit__environment=assignment.hit.environment
    )
    project = assignment.hit.project_id
    return rows.filter(hit__project=project).order_by("-pk").first() or rows.order_by("-pk").first()


def why_no_bonus(assignment: Assignment) -> str:
    """Why quarantined work can't be paid by a bonus yet; empty where it can."""
    if carrier_of(assignment) is None:
        return "the marketplace pays a bonus on approved work only, and it knows none of this worker yet"
    return ""


def _pay(assignment: Assignment) -> str:
    """Wants the reward paid, from the budget of the project that the work was for. Gives how that is written down."""
    if fault := why_no_bonus(assignment):
        raise Refused(fault)
    carrier = carrier_of(assignment)
    call = bonus(
        assignment=carrier,
        cents=assignment.hit.reward_cents,
        reason=WORDS,
        purpose=f"{PURPOSE}{assignment.pk}",
        charged_to=assignment.hit.project_id,
    )
    return _by(call)


def _by(call: Intent) -> str:
    """How a settlement by this bonus begins."""
    return f"{SETTLEMENTS['bonus']} (assignment {call.key.split('/')[2]}, call {call.pk})"


def _paid_by(intent: Intent) -> QuerySet[Assignment]:
    """The quarantined work that a bonus was to pay for; none where it is a bonus like any other."""
    purpose = intent.key.rpartition("/")[2]
    pk = int(purpose.removeprefix(PURPOSE)) if re.fullmatch(f"{PURPOSE}[0-9]+", purpose) else None
    return Assignment.objects.filter(pk=pk)


def reopen(*, intent: Intent) -> None:
    """A bonus that was to pay for quarantined work is called off: the work waits for a person again."""
    _paid_by(intent).filter(settlement__startswith=_by(intent)).update(settlement="", decided_at=None)


def settle_again(*, intent: Intent) -> None:
    """A refused bonus for quarantined work is to be tried again. Raises Refused where it would pay the work twice."""
    standing = _paid_by(intent).select_related("hit").select_for_update(of=("self",)).first()
    if standing is None or standing.settlement.startswith(_by(intent)):
        return
    if standing.settlement:
        raise Refused("the work that this bonus was to pay for was settled in another way since")
    if standing.state not in UNLISTED:
        raise Refused("the marketplace lists the work that this bonus was to pay for: it is paid by its approval")
    words = "The refused bonus was tried again."
    standing.settlement, standing.decided_at = f"{_by(intent)}: {words}", timezone.now()
    standing.save(update_fields=["settlement", "decided_at"])
    about = {"how": "bonus", "reason": words}
    record("assignment.settled_by_hand", subject=standing, project_id=standing.hit.project_id, **about)


@transaction.atomic
def settle_by_hand(*, assignment: Assignment, how: str, reason: str) -> Assignment:
    """What a person decides about quarantined work: pay it by `bonus`, or it was `paid_outside`, or is `not_owed`."""
    if how not in SETTLEMENTS:
        raise Refused(f"work in quarantine is settled as {' or '.join(SETTLEMENTS)}, found {how!r}")
    words = reason.strip()
    if not words:
        raise Refused("settling by hand needs a reason: who reads it later was not there")
    if len(words) > MOST_REASON:
        raise Refused(f"a reason has at most {MOST_REASON:,} characters, found {len(words):,}")
    if not current_actor().startswith("user:"):
        raise Refused("settling by hand takes a person who answers for it")
    # Whoever pays holds the project before the work.
    Project.objects.select_for_update().get(pk=assignment.hit.project_id)
    standing = Assignment.objects.select_related("hit").select_for_update(of=("self",)).get(pk=assignment.pk)
    if standing.state not in UNLISTED:
        state = standing.state.replace("_", " ")
        raise Refused(f"only work in quarantine, or that another worker got, is settled by hand; this is {state}")
    if standing.settlement:
        raise Refused("this work is settled already")
    done = _pay(standing) if how == "bonus" else SETTLEMENTS[how]
    standing.settlement, standing.decided_at = f"{done}: {words}", timezone.now()
    standing.save(update_fields=["settlement", "decided_at"])
    record("assignment.settled_by_hand", subject=standing, project_id=standing.hit.project_id, how=how, reason=words)
    return standing
