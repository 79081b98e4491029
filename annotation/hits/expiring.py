"""Ends HITs: no one can accept them any more; who accepted in time may finish, and is paid."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.models import HIT
from annotation.hits.publishing import offer_key, plan_expiry, reopen_items
from annotation.projects.actions import close_project
from annotation.projects.models import Project, Stage
from annotation.providers.actions import absorb, withdraw
from annotation.providers.models import Intent
from annotation.providers.queries import results

# Of these calls nothing will come: no HIT is there, or ever will be.
ENDED = [Intent.State.REFUSED, Intent.State.ABSENT, Intent.State.WITHDRAWN]


@transaction.atomic
def expire_hit(*, hit: HIT) -> bool:
    """Wants a HIT taken off the market. Gives whether that was not wanted before.

    One that was never sent is called off here and now; one that is just being sent goes as soon as it is there.
    """
    # Held, so that nobody takes in meanwhile that it is on offer.
    hit = HIT.objects.select_related("stage__project").select_for_update(of=("self",)).get(pk=hit.pk)
    if hit.state == HIT.State.PLANNED:
        return _call_off(hit)
    return hit.state == HIT.State.OFFERED and plan_expiry(hit=hit)


def _call_off(hit: HIT) -> bool:
    intent = Intent.objects.filter(key=offer_key(hit.stage, hit)).first()
    if intent and withdraw(intent=intent):
        hit.state, hit.closed_at, hit.close_reason = HIT.State.CLOSED, timezone.now(), "called off"
        hit.save(update_fields=["state", "closed_at", "close_reason"])
        reopen_items(hits=[hit])
        record("hit.expired", subject=hit, project_id=hit.project_id)
        return True
    is_coming = intent is not None and Intent.objects.filter(pk=intent.pk).exclude(state__in=ENDED).exists()
    if hit.expire_wanted or not is_coming:
        return False
    hit.expire_wanted = True
    hit.save(update_fields=["expire_wanted"])
    return True


def expire_stage(*, stage: Stage) -> int:
    """Takes all of a stage's HITs off the market. Gives for how many that was not wanted before."""
    hits = list(stage.hits.filter(state__in=[HIT.State.PLANNED, HIT.State.OFFERED]))
    return sum(expire_hit(hit=hit) for hit in hits)


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
