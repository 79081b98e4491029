"""Builds releases in the background. The rows say what is to be done; messages only wake a builder."""

import logging
from datetime import timedelta

from celery import shared_task

from annotation.events.actions import acting_as
from annotation.releases import actions, queries, verifying
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused

UNCLAIMED_FOR = timedelta(seconds=30)
logger = logging.getLogger(__name__)


@shared_task
def build_release(release_id: int) -> None:
    """Builds an ordered release. Why it was refused stands in its row."""
    release = Release.objects.filter(pk=release_id, state=Release.State.BUILDING).first()
    if release is None:
        return
    try:
        with acting_as(release.created_by):
            actions.finish(release=release)
    except ReleaseRefused as refused:
        logger.warning("release %s was refused: %s", release_id, refused)


@shared_task
def verify(release_id: int) -> None:
    """Verifies a release that somebody asked about. What it found stands in its row."""
    release = Release.objects.filter(pk=release_id).select_related("project").first()
    if release is not None:
        verifying.finish_verification(release=release)


@shared_task
def sweep() -> None:
    """Finds what a lost message or a dead process left behind: orders of releases and of verifications."""
    verifying.end_broken_off()
    for release in verifying.forgotten_verifications(UNCLAIMED_FOR):
        verifying.finish_verification(release=release)
    for release in queries.forgotten(UNCLAIMED_FOR):
        build_release(release.pk)
