from __future__ import annotations

from django.conf import settings
from django.db import IntegrityError, transaction

from annotation.workers.models import Worker, WorkerIdentity
from annotation.workers.pseudonyms import pseudonym


def meet_worker(*, environment: str, provider_id: str) -> Worker:
    """The Worker behind a marketplace's worker id; made, with a keyed pseudonym, at the first meeting."""
    known = Worker.objects.filter(identity__environment=environment, identity__provider_id=provider_id).first()
    if known:
        return known
    name = pseudonym(settings.PSEUDONYM_KEY, environment, provider_id)
    try:
        with transaction.atomic():
            worker = Worker.objects.create(environment=environment, pseudonym=name)
            WorkerIdentity.objects.create(worker=worker, environment=environment, provider_id=provider_id)
            return worker
    except IntegrityError:  # met by another process in the same moment
        return Worker.objects.get(identity__environment=environment, identity__provider_id=provider_id)
