from __future__ import annotations

from django.conf import settings
from django.db import transaction

from annotation.events.actions import record
from annotation.prepared import Add
from annotation.projects.actions import Refused
from annotation.workers.models import Worker, WorkerIdentity
from annotation.workers.pseudonyms import pseudonym
from annotation.workers.queries import known_worker

MOST_REASON = 1_000


def meet_worker(*, environment: str, provider_id: str) -> Worker:
    """The Worker behind a marketplace's worker id; made, with a keyed pseudonym, at the first meeting."""
    known = known_worker(environment, provider_id)
    if known:
        return known
    name = pseudonym(settings.PSEUDONYM_KEY, environment, provider_id)
    with transaction.atomic(savepoint=False):
        worker = Worker(environment=environment, pseudonym=name)
        if _add_worker(worker):
            _add_identity(WorkerIdentity(worker=worker, environment=environment, provider_id=provider_id))
            return worker
    # Met by another process in the same moment.
    return Worker.objects.get(identity__environment=environment, identity__provider_id=provider_id)


_add_worker, _add_identity = Add(Worker), Add(WorkerIdentity)


def bar_worker(*, worker: Worker, reason: str, project_id: int | None = None) -> Worker:
    """Keeps a worker from opening further HITs, of any project at the same marketplace. What is open may be finished.

    `project_id`: whose log tells it. Again changes nothing.
    """
    return _set_barred(worker, True, "worker.barred", reason, project_id)


def unbar_worker(*, worker: Worker, reason: str, project_id: int | None = None) -> Worker:
    """Lets a barred worker open HITs again."""
    return _set_barred(worker, False, "worker.unbarred", reason, project_id)


@transaction.atomic
def _set_barred(worker: Worker, is_barred: bool, verb: str, reason: str, project_id: int | None) -> Worker:
    words = reason.strip()
    if not words:
        raise Refused("barring a worker, or letting one work again, needs a reason")
    if len(words) > MOST_REASON:
        raise Refused(f"a reason has at most {MOST_REASON:,} characters, found {len(words):,}")
    standing = Worker.objects.select_for_update().get(pk=worker.pk)
    if standing.is_barred == is_barred:
        return standing
    standing.is_barred, standing.note = is_barred, words
    standing.save(update_fields=["is_barred", "note"])
    record(verb, subject=standing, project_id=project_id, worker=standing.pseudonym, reason=words)
    return standing
