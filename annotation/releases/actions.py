"""What makes releases. A row is ready only when its folder is whole and in its place."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from datetime import timedelta

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.crypto import get_random_string

from annotation.events.actions import record
from annotation.projects.models import Project
from annotation.releases import queries, versions
from annotation.releases.emptiness import nothing_to_release
from annotation.releases.models import Release
from annotation.releases.results import Built, Progress, ReleaseRefused
from annotation.releases.storage import release_storage
from annotation.waking import wake

PROVISIONAL = "next-"
MOST_ATTEMPTS = 3
RENEWED_EVERY = timedelta(minutes=1)
logger = logging.getLogger(__name__)


def build(
    *,
    project: Project,
    version: str | None = None,
    notes: str = "",
    created_by: str,
    progress: Progress | None = None,
) -> Release:
    """Builds a release here and now. Raises ReleaseRefused with the reason.

    What can be refused at once leaves no row behind; of what fails later, the row keeps the reason.
    """
    release = _new_release(project, version, notes, created_by)
    return finish(release=release, progress=progress)


def order(*, project: Project, version: str | None = None, notes: str = "", created_by: str) -> Release:
    """Orders a release; a job builds it. The row says how far it is. Does not wait for the broker.

    Raises ReleaseRefused where there is nothing to release, or the version can't be.
    """
    from annotation.releases.jobs import build_release  # jobs call actions

    release = _new_release(project, version, notes, created_by)
    wake(build_release, release.pk)
    return release


def _new_release(project: Project, version: str | None, notes: str, created_by: str) -> Release:
    """A row that is building. A version that failed before may be tried again."""
    if reason := nothing_to_release(project):
        raise ReleaseRefused(f"nothing to release: {reason}")
    with transaction.atomic():
        if version is not None:
            _refuse_version(project, version)
            _free_version(project, version)
        return Release.objects.create(
            project=project,
            version=version or _provisional_version(),
            notes=notes,
            created_by=created_by,
        )


def _refuse_version(project: Project, version: str) -> None:
    try:
        wanted = versions.parse(version)
    except ValueError as error:
        raise ReleaseRefused(str(error)) from None
    taken = Release.objects.filter(project=project, version=version).exclude(state=Release.State.FAILED).first()
    if taken and not queries.has_dead_builder(taken):
        raise ReleaseRefused(f"{project.slug} has a release {version} already, and releases are never changed")
    _refuse_earlier(project, wanted)


def _refuse_earlier(project: Project, wanted: versions.Version) -> None:
    newest = queries.newest_release(project)
    if newest and wanted < versions.parse(newest.version):
        raise ReleaseRefused(f"version {wanted} must come after {newest.version}, the newest of {project.slug}")


def _free_version(project: Project, version: str) -> None:
    """Takes a version away from builds that came to nothing: it was never published."""
    for other in Release.objects.select_for_update().filter(project=project, version=version):
        if other.state == Release.State.FAILED or queries.has_dead_builder(other):
            other.error = other.error or "its builder died; a later build took its version"
            other.version, other.state = _provisional_version(), Release.State.FAILED
            other.save(update_fields=["version", "state", "error"])


def _provisional_version() -> str:
    return PROVISIONAL + get_random_string(6).lower()


def finish(*, release: Release, progress: Progress | None = None) -> Release:
    """Builds what was ordered. Does nothing where it is built already or another builder is at it."""
    if not _claim(release):
        release.refresh_from_db()
        return release
    try:
        return _make_ready(release, *_build(release, progress))
    except BaseException as error:  # an interrupted build has failed as well
        _fail(release, error)
        raise


@transaction.atomic
def _claim(release: Release) -> bool:
    """One builder at a time: only an unclaimed release, or a dead builder's, can be had."""
    row = Release.objects.select_for_update().get(pk=release.pk)
    if row.state != Release.State.BUILDING or (row.claimed_at and not queries.has_dead_builder(row)):
        return False
    row.claimed_at, row.claimed_by, row.attempts = timezone.now(), queries.builder_here(), row.attempts + 1
    row.save(update_fields=["claimed_at", "claimed_by", "attempts"])
    return True


def _build(release: Release, progress: Progress | None) -> tuple[Built, str]:
    from annotation.releases.building import write  # brings 40 MB of Arrow into the process

    release.refresh_from_db()
    if release.attempts > MOST_ATTEMPTS:
        raise ReleaseRefused(f"builders died {MOST_ATTEMPTS} times over this release; the log of the jobs may say why")
    project, storage = release.project, release_storage()
    version = None if release.version.startswith(PROVISIONAL) else release.version
    if version:  # others may have been finished since it was ordered
        _refuse_earlier(project, versions.parse(version))
    previous = queries.newest_release(project)

    def tell(step: str, percent: int) -> None:
        Release.objects.filter(pk=release.pk).update(step=step, progress=percent)
        if progress:
            progress(step, percent)

    with _sign_of_life(release), storage.workspace(_label(release), _living_labels) as folder:
        built = write(
            project,
            folder,
            version=version,
            previous=previous.location if previous else None,
            notes=release.notes,
            progress=tell,
            settle_version=lambda version: _settle_version(release, version),
        )
        _refuse_lost_claim(release)
        return built, storage.publish(folder, f"{project.slug}/{built.version}")


@contextlib.contextmanager
def _sign_of_life(release: Release) -> Iterator[None]:
    """Renews the claim from a thread of its own, so that a builder may take as long as it takes."""
    mine = Release.objects.filter(pk=release.pk, state=Release.State.BUILDING, attempts=release.attempts)
    done = threading.Event()

    def renew() -> None:
        try:
            while not done.wait(RENEWED_EVERY.total_seconds()):
                try:
                    mine.update(claimed_at=timezone.now())
                except DatabaseError as fault:  # the claim holds for several of these
                    logger.warning("the claim on release %s was not renewed: %s", release.pk, fault)
        finally:
            connection.close()

    thread = threading.Thread(target=renew, name=f"release-{release.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _label(release: Release) -> str:
    return f"release-{release.pk}"


def _living_labels() -> set[str]:
    return {_label(other) for other in queries.with_living_builders()}


def _settle_version(release: Release, version: str) -> None:
    """Takes the version for this release before anything is put in its place."""
    try:
        with transaction.atomic():
            if release.version != version:
                _free_version(release.project, version)
                Release.objects.filter(pk=release.pk).update(version=version)
    except IntegrityError:
        raise ReleaseRefused(f"another build took version {version} meanwhile; build again") from None
    release.version = version


def _refuse_lost_claim(release: Release) -> None:
    """A builder that was thought dead must not put its folder where another's release lies."""
    mine = Release.objects.filter(pk=release.pk, state=Release.State.BUILDING, attempts=release.attempts)
    if not mine.exists():
        raise ReleaseRefused(f"another builder took over release {release.pk}, for this one took too long")


@transaction.atomic
def _make_ready(release: Release, built: Built, location: str) -> Release:
    row = Release.objects.select_for_update().get(pk=release.pk)
    row.state, row.error, row.step, row.progress = Release.State.READY, "", "", 100
    row.version, row.location = built.version, location
    row.log_position, row.log_events = built.position.event, built.position.events
    row.manifest_sha256 = built.manifest_sha256
    row.figures, row.counts = built.figures, built.counts
    row.save()
    record(
        "release.built",
        subject=row,
        project_id=row.project_id,
        version=row.version,
        log_position=row.log_position,
        manifest_sha256=row.manifest_sha256,
    )
    return row


@transaction.atomic
def _fail(release: Release, error: BaseException) -> None:
    text = str(error) if isinstance(error, ReleaseRefused) else f"{type(error).__name__}: {error}"
    mine = Release.objects.filter(pk=release.pk, state=Release.State.BUILDING, attempts=release.attempts)
    if mine.update(state=Release.State.FAILED, error=text, step=""):
        record("release.failed", subject=release, project_id=release.project_id, error=text[:500])
    if isinstance(error, Exception) and not isinstance(error, ReleaseRefused):
        logger.error("release %s of project %s failed", release.pk, release.project_id, exc_info=error)
