"""A project's figures taken together. They are read by `annotation.review.figures` alone; here they are remembered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone

from annotation.desk.queries import offers_of, size_of
from annotation.desk.remembering import remembered
from annotation.hits.publishing import Quote
from annotation.hits.queries import Spending, spending
from annotation.projects.models import Project
from annotation.projects.queries import item_counts
from annotation.releases.queries import newest_release
from annotation.review import figures

SHOWN_DAYS = 30


@dataclass(frozen=True)
class Standing:
    """How a project stands. The keys of dicts are names of stages."""

    at: datetime
    counts: dict[str, dict[str, int]]
    funnel: list[figures.Step]
    progress: list[figures.Progress]
    agreement: dict[str, figures.Agreement]
    hours: list[tuple[datetime, int]]
    pay: dict[str, figures.Pay]
    workers: list[figures.WorkerCount]
    offers: dict[str, Quote]
    spending: Spending


def standing_of(project: Project) -> Standing:
    return remembered(project, _take)


def _take(project: Project) -> Standing:
    stages = list(project.stages.order_by("position"))
    crowd = [stage for stage in stages if stage.crowd]
    return Standing(
        at=timezone.now(),
        counts=item_counts(project),
        funnel=figures.funnel(project, released=size_of(newest_release(project))),
        progress=[figures.progress(stage) for stage in crowd],
        agreement={stage.name: figures.agreement(stage) for stage in stages},
        hours=figures.answers_by_hour(project, since=timezone.now() - timedelta(days=SHOWN_DAYS)),
        pay={stage.name: figures.hourly_pay(project, stage) for stage in crowd},
        workers=figures.workers_of(project),
        # Without the ids of all open items, which nobody reads here.
        offers={name: replace(offer, planned=()) for name, offer in offers_of(project).items()},
        spending=spending(project),
    )
