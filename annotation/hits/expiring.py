"""Ends HITs: no one can accept them any more; who accepted in time may finish, and is paid."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.models import HIT
from annotation.hits.publishing import reopen_items
from annotation.projects.actions import close_project
from annotation.projects.models import Project, Stage
from annotation.providers import jobs as provider_jobs
from annotation.providers.actions import absorb, plan, withdraw
from annotation.providers.models import Intent
from annotation.providers.queries import results
from annotation.waking import wake


@transaction.atomic
def expire_hit(*, hit: HIT) -> None:
    """Wants a HIT taken off the market. One that was never sent is called off here and now."""
    if hit.state == HIT.State.PLANNED:
        intent = Intent.objects.filter(kind="create_hit", request__annotation=f"crowdwright:{hit.token}").first()
        if intent and withdraw(intent=intent):
            hit.state, hit.closed_at, hit.close_reason = HIT.State.CLOSED, timezone.now(), "called off"
            hit.save(update_fields=["state", "closed_at", "close_reason"])
            reopen_items(hits=[hit])
            record("hit.expired", subject=hit, project_id=hit.project_id)
        return
    if hit.state == HIT.State.OFFERED:
        plan(
            environment=hit.environment,
            kind="expire_hit",
            key=f"{hit.environment}/hit/{hit.pk}/expire",
            request={"hit_id": hit.remote_id},
            project_id=hit.project_id,
        )
        wake(provider_jobs.sweep)


def expire_stage(*, stage: Stage) -> int:
    """Takes all of a stage's HITs off the market. Gives how many."""
    hits = list(stage.hits.filter(state__in=[HIT.State.PLANNED, HIT.State.OFFERED]))
    for hit in hits:
        expire_hit(hit=hit)
    return len(hits)


def close(*, project: Project) -> int:
    """Closes a project and takes its HITs off the market. What was handed in is still collected and paid."""
    close_project(project=project)
    return sum(expire_stage(stage=stage) for stage in project.stages.all())


def absorb_expiries(*, project: Project) -> int:
    taken = 0
    for intent in list(results("expire_hit", project.pk)):
        with transaction.atomic():
            hit = HIT.objects.filter(remote_id=intent.request["hit_id"]).first()
            if hit and intent.state == Intent.State.CONFIRMED:
                hit.expires_at = hit.collect_after = timezone.now()
                hit.save(update_fields=["expires_at", "collect_after"])
                record("hit.expired", subject=hit, project_id=hit.project_id)
            absorb(intents=[intent.pk])
        taken += 1
    return taken
