import os
import socket
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.events.models import Event
from annotation.projects.models import Project, Stage
from annotation.projects.queries import pipeline_of
from annotation.releases import versions
from annotation.releases.models import Release

# A builder renews its claim each minute: one that did not for so long is dead.
CLAIM_HOLDS = timedelta(minutes=12)


def released_stage(project: Project) -> Stage:
    """The stage whose accepted items a release is made of."""
    stages = list(project.stages.order_by("position"))
    wanted = pipeline_of(project).released_stage
    # A project keeps its stages also where its pipeline changed since.
    return next((stage for stage in stages if stage.name == wanted), stages[-1])


def releases_of(project: Project) -> list[Release]:
    """A project's finished releases, the highest version first. One that is being built, or failed, is none yet.

    Rows tell nothing of that order: an order whose builder died is built when later ones are finished.
    """
    return _by_version(Release.objects.filter(project=project))


def newest_release(project: Project) -> Release | None:
    return next(iter(releases_of(project)), None)


def _by_version(releases: QuerySet[Release]) -> list[Release]:
    ready = releases.filter(state=Release.State.READY).select_related("project").defer("figures")
    return sorted(ready, key=lambda release: versions.parse(release.version), reverse=True)


def release_called(project: Project, version: str, *, ready: bool = False) -> Release | None:
    """A project's release of that version; `ready`: only a finished one."""
    if "\x00" in version:  # which PostgreSQL takes in no text
        return None
    releases = project.releases.select_related("project").filter(version=version)
    return (releases.filter(state=Release.State.READY) if ready else releases).first()


def builds_of(project: Project) -> QuerySet[Release]:
    """What is being built, or failed and was not made good since; newest first."""
    building = Release.objects.filter(project=project, state=Release.State.BUILDING)
    return (building | failed_and_not_rebuilt(project)).order_by("-id")


def failed_and_not_rebuilt(project: Project) -> QuerySet[Release]:
    """What failed, and no release that was ordered later was finished. The rest is a matter of the past."""
    finished = Release.objects.filter(project=project, state=Release.State.READY, pk__gt=OuterRef("pk"))
    return Release.objects.filter(~Exists(finished), project=project, state=Release.State.FAILED).order_by("-id")


def find_release(name: str) -> Release | None:
    """The finished release that `project@version` names (`project@newest` too)."""
    slug, _, version = name.partition("@")
    ready = _by_version(Release.objects.filter(project__slug=slug))
    return next((release for release in ready if version in ("", "newest", release.version)), None)


class Position(NamedTuple):
    """A place in a project's log. `event`: the newest; `events`: how many there are; `at`: when the newest happened.

    The number of events belongs to it: where several people write, one with a smaller number may come in later.
    """

    event: int
    events: int
    at: datetime


def position_of(project: Project) -> Position:
    """Where a project's log is. Building a release changes nothing that it holds, so its own events are left out."""
    happened = Event.objects.filter(project_id=project.pk).exclude(verb__startswith="release.")
    event, at = happened.order_by("-id").values_list("id", "at").first() or (0, project.created_at)
    return Position(event, happened.count(), at)


def has_dead_builder(release: Release) -> bool:
    """Whether its builder is gone: seen at once on its own host, elsewhere when it gave no sign of life for long."""
    if release.state != Release.State.BUILDING or release.claimed_at is None:
        return False
    return release.claimed_at < timezone.now() - CLAIM_HOLDS or not _may_be_alive(release.claimed_by)


def with_living_builders() -> list[Release]:
    claimed = Release.objects.filter(state=Release.State.BUILDING, claimed_at__isnull=False)
    return [release for release in claimed if not has_dead_builder(release)]


def builder_here() -> str:
    """How this process signs its claims."""
    return f"{socket.gethostname()[:80]}:{os.getpid()}"


def _may_be_alive(builder: str) -> bool:
    host, _, process = builder.rpartition(":")
    if host != socket.gethostname()[:80] or not process.isdigit():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another user's process: there is one
        return True
    return True


def forgotten(unclaimed_for: timedelta) -> list[Release]:
    """Ordered releases that no builder took up in time, or whose builder died. Oldest first."""
    building = Release.objects.filter(state=Release.State.BUILDING).order_by("id")
    waited = timezone.now() - unclaimed_for
    return [
        release
        for release in building
        if (release.claimed_at is None and release.created_at < waited) or has_dead_builder(release)
    ]
