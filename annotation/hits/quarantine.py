"""Work that was handed in here and that the marketplace never listed: looked for again, and settled by a person.

It never counts: what counts is what the marketplace lists. But somebody did it, so a person says what
became of their pay.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.events.actions import current_actor, record
from annotation.hits.models import HIT, Assignment
from annotation.hits.queries import unplaced
from annotation.projects.actions import Refused
from annotation.projects.models import Project

# How quarantined work may be settled: name, and the sentence that says it.
SETTLEMENTS = {
    "paid_outside": "The worker was paid outside the marketplace",
    "not_owed": "Nothing is owed for it",
}
MOST_REASON = 2_000


def look_again(*, project: Project) -> int:
    """Wants the marketplace asked about every HIT that is out, and about closed ones with work in quarantine.

    Nothing is asked here: the next `collect` does. Gives how many HITs it will ask about.
    """
    quarantined = unplaced(project).values("hit_id")
    wanted = Q(state=HIT.State.OFFERED) | Q(state=HIT.State.CLOSED, pk__in=quarantined)
    return project.hits.filter(wanted, remote_id__isnull=False).update(collect_after=timezone.now())


@transaction.atomic
def settle_by_hand(*, assignment: Assignment, how: str, reason: str) -> Assignment:
    """Writes down what a person did about quarantined work: `paid_outside` or `not_owed`, and why."""
    if how not in SETTLEMENTS:
        raise Refused(f"work in quarantine is settled as {' or '.join(SETTLEMENTS)}, found {how!r}")
    words = reason.strip()
    if not words:
        raise Refused("settling by hand needs a reason: who reads it later was not there")
    if len(words) > MOST_REASON:
        raise Refused(f"a reason has at most {MOST_REASON:,} characters, found {len(words):,}")
    if not current_actor().startswith("user:"):
        raise Refused("settling by hand takes a person who answers for it")
    standing = Assignment.objects.select_related("hit").select_for_update(of=("self",)).get(pk=assignment.pk)
    if standing.state != Assignment.State.QUARANTINED:
        raise Refused(f"only work in quarantine is settled by hand; this is {standing.state.replace('_', ' ')}")
    if standing.settlement:
        raise Refused("this work is settled already")
    standing.settlement, standing.decided_at = f"{SETTLEMENTS[how]}: {words}", timezone.now()
    standing.save(update_fields=["settlement", "decided_at"])
    record("assignment.settled_by_hand", subject=standing, project_id=standing.hit.project_id, how=how, reason=words)
    return standing
