"""The whole flow, in the order it happens. The clock calls `advance` for every project; so do commands and tests.

Each step is a call into one room and leaves rows in a state that the next one finds. A step that died
is simply run again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from annotation.checking.jobs import prepare_items
from annotation.hits.collecting import collect
from annotation.hits.expiring import absorb_expiries
from annotation.hits.paying import absorb_decisions, approve_due
from annotation.hits.publishing import absorb_offers
from annotation.projects.models import Project
from annotation.providers.dispatching import dispatch
from annotation.review.actions import heed, promote, replace_fallen, settle
from annotation.solving.asking import ask_missing
from annotation.solving.training import take_lessons
from annotation.trials.applying import collect_applications
from annotation.trials.deciding import carry_on
from annotation.waking import wake
from annotation.workers.qualifying import absorb_qualifications

LEASE = timedelta(minutes=10)


@dataclass(frozen=True)
class Progress:
    """What one run of `advance` did. `unread`: of each HIT that it could not read, which and why."""

    called: int = 0
    offered: int = 0
    collected: int = 0
    trials: int = 0
    settled: int = 0
    approved: int = 0
    heeded: int = 0
    promoted: int = 0
    replaced: int = 0
    unread: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self.counts.values())

    @property
    def counts(self) -> dict[str, int]:
        """How many of what were done."""
        return {name: value for name, value in asdict(self).items() if name != "unread"}


def advance(
    project: Project, *, everything: bool = False, asked: Callable[[int], None] = lambda count: None
) -> Progress | None:
    """Carries a project forward: call, collect, settle, pay, heed, promote, replace. None: another process is at it.

    `asked` is told how many HITs the marketplace was asked about so far.
    """
    lease = _take_lease(project)
    if lease is None:
        return None
    try:
        called = dispatch(project_id=project.pk)
        offered = absorb_offers(project=project)
        if offered:
            wake(prepare_items)
        absorb_expiries(project=project)
        absorb_qualifications(project=project)
        collected = collect(project=project, everything=everything, progress=asked)
        trials = carry_on(project=project)
        collect_applications(project=project, everything=everything)
        approved = approve_due(project=project)
        ask_missing(project=project)
        settled = settle(project=project)
        # What later stages objected to goes back or falls before anything goes on, and its place is offered again.
        heeded = heed(project=project)
        take_lessons(project=project)
        promoted = promote(project=project)
        replaced = replace_fallen(project=project)
        called += dispatch(project_id=project.pk)
        absorb_decisions(project=project)
        absorb_qualifications(project=project)
    finally:
        # Who took longer than the lease has a successor by now, whose lease this is not.
        Project.objects.filter(pk=project.pk, advancing_until=lease).update(advancing_until=None)
    return Progress(
        called=called,
        offered=offered,
        collected=collected.changed,
        trials=trials,
        settled=settled,
        approved=approved,
        heeded=heeded,
        promoted=promoted,
        replaced=replaced,
        unread=collected.unread,
    )


def _take_lease(project: Project) -> datetime | None:
    """Until when the project is this process's alone; None: another one has it."""
    now = timezone.now()
    free = Q(advancing_until__isnull=True) | Q(advancing_until__lt=now)
    taken = Project.objects.filter(free, pk=project.pk).update(advancing_until=now + LEASE)
    return now + LEASE if taken else None
