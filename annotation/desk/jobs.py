"""The clock's errand: carries every project that still has something to do a step forward."""

from __future__ import annotations

import logging

from celery import shared_task
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.hits.models import HIT, Assignment
from annotation.pipeline import advance
from annotation.projects.models import Item, Project
from annotation.providers.models import Intent

log = logging.getLogger(__name__)

LIVE_HITS = [HIT.State.PLANNED, HIT.State.OFFERED]
UNDECIDED = [Assignment.State.HANDED_OVER, Assignment.State.SUBMITTED]
UNDER_WAY = [Intent.State.PLANNED, Intent.State.SENDING, Intent.State.UNKNOWN]


@shared_task
def advance_all() -> int:
    """Advances each project; a fault in one keeps no other waiting. Gives how many moved."""
    moved = 0
    with acting_as("clock"):
        for project in projects_to_advance():
            try:
                moved += bool(advance(project))
            except Exception:
                log.exception("project %s could not be advanced; it is tried again", project.slug)
    return moved


def projects_to_advance() -> QuerySet[Project]:
    """All but the closed ones whose work is collected, paid and settled."""
    mine = OuterRef("pk")
    # A person wants closed HITs looked at again, for work in quarantine.
    wanted = HIT.objects.filter(
        project=mine, collect_after__lte=timezone.now(), assignments__state=Assignment.State.QUARANTINED
    )
    unfinished = (
        Q(Exists(HIT.objects.filter(project=mine, state__in=LIVE_HITS)))
        | Q(Exists(wanted))
        | Q(Exists(Item.objects.filter(project=mine, state=Item.State.ANSWERED)))
        | Q(Exists(Assignment.objects.filter(hit__project=mine, state__in=UNDECIDED)))
        | Q(Exists(Intent.objects.filter(project_id=mine).filter(Q(state__in=UNDER_WAY) | Q(absorbed_at=None))))
    )
    return Project.objects.filter(~Q(state=Project.State.CLOSED) | unfinished).order_by("pk")
