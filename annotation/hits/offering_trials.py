"""Offers trial HITs: a qualification test in the real form, at its own pay, within the project's budget.

A trial HIT holds the items of one set, and as many as nine workers may take it; more workers mean more HITs of
the same set. Its answers never count: they are read by graders, not added up. A set may be offered again and
again, so nothing of it says that it was; a quote therefore names how many trial HITs there were before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotation.hits.models import HIT
from annotation.hits.publishing import PlannedHIT, Quote, Terms, quote_of, refuse_unless_agreed, shares, write_hits
from annotation.projects.models import Project, Stage
from annotation.providers import jobs as provider_jobs
from annotation.waking import wake


def quote_trials(
    stage: Stage, *, sets: Sequence[Sequence[int]], workers: int, terms: Terms, problems: Sequence[str] = ()
) -> Quote:
    """The cost of so many workers' trials of each set of items, before anything is done."""
    planned = [PlannedHIT(tuple(ids), size) for ids in sets if ids for size in shares(workers)]
    found = list(problems)
    if not planned:
        found.append("the test has no items yet")
    if terms.trial_of and not terms.trial_of.type_id:
        found.append(f"the qualification {terms.trial_of.name!r} is not at the marketplace yet: look again in a moment")
    seconds = stage.expected_seconds_per_item * max((len(ids) for ids in sets), default=0)
    hourly = round(terms.reward_cents * 3_600 / seconds) if seconds else None
    return quote_of(
        stage,
        planned,
        terms,
        hourly_cents=hourly,
        problems=found,
        planned_before=HIT.objects.filter(trial_of=terms.trial_of).count(),
    )


def publish_trials(
    *,
    stage: Stage,
    sets: Sequence[Sequence[int]],
    workers: int,
    terms: Terms,
    confirmed_cents: int,
    digest: str,
    problems: Sequence[str] = (),
    below_floor_ok: bool = False,
) -> list[HIT]:
    """Plans trial HITs and the intents to create them: once for each quote, known by its `digest`.

    Raises Refused as `publish` does.
    """
    with transaction.atomic():
        # Two publishers meet here: the second waits, then finds a quote with another digest.
        project = Project.objects.select_for_update().get(pk=stage.project_id)
        stage = Stage.objects.select_related("project").get(pk=stage.pk)
        stage.project = project
        offer = quote_trials(stage, sets=sets, workers=workers, terms=terms, problems=problems)
        refuse_unless_agreed(offer, confirmed_cents=confirmed_cents, digest=digest, below_floor_ok=below_floor_ok)
        hits = write_hits(stage, offer, terms)
    wake(provider_jobs.sweep)
    return hits
