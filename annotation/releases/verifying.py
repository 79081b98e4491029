"""Verification in the background, for it reads every line of a release. The row says how far it is, what it found."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from annotation.releases.models import Release
from annotation.releases.verification import verify_release
from annotation.waking import wake

# Longer than a job may run (CELERY_TASK_TIME_LIMIT): what began so long ago was broken off.
TAKES_AT_MOST = timedelta(minutes=12)
MOST_PROBLEMS = 200
Verification = Release.Verification
logger = logging.getLogger(__name__)


def order_verification(*, release: Release) -> None:
    """Orders the verification of a finished release; one that is ordered or running stays. Waits for no broker."""
    from annotation.releases.jobs import verify  # jobs call us

    waiting = Release.objects.filter(pk=release.pk, state=Release.State.READY).exclude(
        verification__in=[Verification.ORDERED, Verification.RUNNING]
    )
    if waiting.update(verification=Verification.ORDERED, verification_since=timezone.now()):
        wake(verify, release.pk)
    release.refresh_from_db(fields=["verification", "verification_since"])


def finish_verification(*, release: Release) -> None:
    """Verifies what was ordered, and keeps what came of it. Does nothing where another is at it."""
    now = timezone.now()
    ordered = Release.objects.filter(pk=release.pk, verification=Verification.ORDERED)
    if not ordered.update(verification=Verification.RUNNING, verification_since=now):
        return
    try:
        problems = verify_release(release)
    except Exception as error:
        logger.exception("the verification of release %s failed", release.pk)
        problems = [f"it could not be verified: {type(error).__name__}: {error}"]
    _keep(Release.objects.filter(pk=release.pk, verification=Verification.RUNNING, verification_since=now), problems)


def end_broken_off() -> None:
    """Says so where a verification began and never came to an end."""
    broken_off = Release.objects.filter(
        verification=Verification.RUNNING, verification_since__lt=timezone.now() - TAKES_AT_MOST
    )
    _keep(broken_off, ["the verification was broken off; ./crowdwright release verify has as much time as it takes"])


def _keep(rows: QuerySet[Release], problems: list[str]) -> None:
    more = [f"(and {len(problems) - MOST_PROBLEMS:,} more)"] if len(problems) > MOST_PROBLEMS else []
    rows.update(
        verification=Verification.DONE,
        verification_since=None,
        verified_at=timezone.now(),
        problems=problems[:MOST_PROBLEMS] + more,
    )


def forgotten_verifications(ordered_for: timedelta) -> list[Release]:
    """Those that were ordered and that no job took up in time."""
    late = Release.objects.filter(
        verification=Verification.ORDERED, verification_since__lt=timezone.now() - ordered_for
    )
    return list(late.select_related("project").order_by("verification_since"))
