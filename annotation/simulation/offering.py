"""What a researcher does between the stages of a project: publishes what the stage before has brought in."""

from __future__ import annotations

import time

from django.conf import settings
from django.db import connection

from annotation.events.actions import acting_as
from annotation.hits.models import HIT
from annotation.hits.publishing import publish, quote
from annotation.projects.models import Item, Project
from annotation.review.models import Outcome

SECONDS_TO_OFFER = 600
OWN = "own"
SECONDS_BETWEEN_LOOKS = 0.5


class NotOffered(Exception):
    """HITs that the marketplace did not take in time, or that may not be published; why is in the message."""


def refuse_other_marketplaces(project: Project) -> None:
    """Raises NotOffered unless a project is of our own marketplace: what is simulated never meets other people.

    Elsewhere a run would spend the project's money on real workers, and let a scripted expert decide on their work.
    """
    if project.environment != OWN:
        raise NotOffered(
            f"only projects of the marketplace {OWN!r} are simulated; {project.slug} is of {project.environment!r}"
        )


def offer_what_is_open(project: Project, *, as_: str, below_floor_ok: bool = False) -> int:
    """Publishes the open items that no HIT offered yet, of every crowd stage; gives how many HITs.

    Items that came back unfinished stay for a top-up. Raises NotOffered, with the reason.
    """
    refuse_other_marketplaces(project)
    hits = 0
    with acting_as(as_):
        for stage in project.stages.filter(crowd=True).select_related("project").order_by("position"):
            if not stage.items.filter(state=Item.State.OPEN, places__isnull=True).exists():
                continue
            offer = quote(stage)
            if not offer.fits:
                raise NotOffered(f"{stage.name}: {'; '.join(offer.problems)}")
            hits += len(publish(stage=stage, confirmed_cents=offer.total_cents, below_floor_ok=below_floor_ok))
    if hits:
        wait_until_offered(project)
    return hits


def offer_again(project: Project, *, as_: str) -> int:
    """Publishes the open items that HITs offered before; gives how many HITs. Raises NotOffered, with the reason."""
    refuse_other_marketplaces(project)
    hits = 0
    with acting_as(as_):
        for stage in project.stages.filter(crowd=True).select_related("project").order_by("position"):
            offer = quote(stage, only_unfinished=True)
            if not offer.items:
                continue
            if not offer.fits:
                raise NotOffered(f"{stage.name}: {'; '.join(offer.problems)}")
            total = offer.total_cents
            hits += len(publish(stage=stage, confirmed_cents=total, only_unfinished=True, below_floor_ok=True))
    if hits:
        wait_until_offered(project)
    return hits


def wait_until_offered(project: Project) -> None:
    """Until the running jobs have brought all planned HITs to the marketplace. Raises NotOffered."""
    deadline = time.monotonic() + SECONDS_TO_OFFER
    while waiting := project.hits.filter(state=HIT.State.PLANNED).count():
        if time.monotonic() > deadline:
            raise NotOffered(f"{waiting} HITs are not on offer at {settings.MTURK_ENDPOINT_URL} in time")
        connection.close()
        time.sleep(SECONDS_BETWEEN_LOOKS)


def is_on_its_way(project: Project) -> bool:
    """Whether accepted outcomes have still to become items of a later stage."""
    if project.stages.count() < 2:
        return False
    return Outcome.objects.filter(project=project, state=Outcome.State.ACCEPTED, promoted_at=None).exists()
