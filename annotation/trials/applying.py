"""Workers who ask the marketplace for the qualification itself: they are noted, and shown the way to the test.

A request waits at the marketplace until it is answered. Nobody gets a qualification for asking: the answer says
what to do instead. A request that is answered already is no longer listed, so nobody is told twice.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.events.actions import record
from annotation.projects.models import Project
from annotation.providers import mturk
from annotation.providers.actions import plan
from annotation.providers.base import Refused, Unclear
from annotation.trials.models import Application, Programme
from annotation.trials.programmes import terms_of
from annotation.workers.actions import meet_worker
from annotation.workers.models import Qualification

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=5)


def collect_applications(*, project: Project, everything: bool = False) -> int:
    """Notes who asked for a project's tested qualifications since the last look. Gives how many are new."""
    due = Programme.objects.filter(stage__project=project, qualification__state=Qualification.State.READY)
    if not everything:
        due = due.filter(Q(applications_after=None) | Q(applications_after__lte=timezone.now()))
    count = 0
    for programme in due.select_related("qualification", "stage__project"):
        try:
            listed = list(mturk.connect(project.environment).list_requests(programme.qualification.type_id))
        except (Refused, Unclear) as fault:
            log.warning("requests for qualification %s could not be read: %s", programme.qualification_id, fault)
            listed = []
        for request_id, worker_id in listed:
            count += _note(programme, request_id, worker_id)
        Programme.objects.filter(pk=programme.pk).update(applications_after=timezone.now() + EVERY)
    return count


@transaction.atomic
def _note(programme: Programme, request_id: str, worker_id: str) -> bool:
    qualification = programme.qualification
    worker = meet_worker(environment=qualification.environment, provider_id=worker_id)
    made, is_new = Application.objects.get_or_create(
        request_id=request_id, defaults={"programme": programme, "worker": worker}
    )
    if is_new:
        project_id = programme.stage.project_id
        record("trial.applied", subject=programme, project_id=project_id, worker=worker.pseudonym)
        plan(
            environment=qualification.environment,
            kind="answer_request",
            key=f"{qualification.environment}/application/{made.pk}/answer",
            request={"request_id": request_id, "type_id": qualification.type_id, "reason": _way(programme)},
            project_id=project_id,
        )
    return is_new


def _way(programme: Programme) -> str:
    return f"This qualification is earned by a paid test. Look for the HIT “{terms_of(programme).title}”."
