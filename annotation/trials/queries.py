"""What is asked of qualification tests: what waits for a grader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotation.projects.models import Membership, Project
from annotation.projects.queries import projects_of, role_of
from annotation.trials.models import Grade, Programme, Trial

Show = Literal["waiting", "talk", "decided", "mine"]
RUNNERS = (Membership.Role.OWNER, Membership.Role.RESEARCHER)


def trials_of(project: Project) -> QuerySet[Trial]:
    rows = Trial.objects.filter(programme__stage__project=project)
    return rows.select_related("programme__qualification", "programme__stage__project", "worker", "assignment")


def queue(user: Any, project: Project, show: str = "waiting") -> QuerySet[Trial]:
    """A project's trials for a person, oldest first. `waiting`: those that want this person's grade.

    What others gave is not told before a trial is decided, or its graders talk.
    """
    rows, own = trials_of(project), Grade.objects.filter(trial=OuterRef("pk"), grader=user, is_joint=False)
    match show:
        case "talk":
            rows = rows.filter(state=Trial.State.TALK)
            return (rows if role_of(user, project) in RUNNERS else rows.filter(Exists(own))).order_by("id")
        case "decided":
            return rows.filter(state__in=Trial.DECIDED).order_by("-decided_at")
        case "mine":
            return rows.filter(Exists(own)).order_by("-id")
    given = Count("grades", filter=Q(grades__is_joint=False))
    waiting = rows.filter(~Exists(own), state=Trial.State.WAITING).annotate(given=given)
    # Those that lack one grade only first: their workers wait for nobody but this person.
    return waiting.filter(given__lt=F("programme__graders")).order_by("-given", "id")


def next_trial(user: Any, project: Project, *, after: Trial | None = None, show: str = "waiting") -> Trial | None:
    """What to grade next, not the one that was just left."""
    rows = queue(user, project, "talk" if show == "talk" else "waiting")
    return (rows.exclude(pk=after.pk) if after else rows).first()


@dataclass(frozen=True)
class QueueCounts:
    """How many trials of a project want this person's grade, are talked about, and are decided."""

    waiting: int
    talk: int
    decided: int


def counts_of(user: Any, project: Project) -> QueueCounts:
    return QueueCounts(*(queue(user, project, show).count() for show in ("waiting", "talk", "decided")))


def graded_projects(user: Any) -> list[Project]:
    """A person's projects that have a qualification test."""
    tested = Programme.objects.filter(stage__project=OuterRef("pk"))
    return list(projects_of(user).filter(Exists(tested)).order_by("name"))


def may_see(trial: Trial, user: Any) -> bool:
    """Whether a person may read other graders' sheets of a trial: once it is decided, or graders talk."""
    return trial.is_decided or trial.state == Trial.State.TALK


def programmes_of(project: Project) -> QuerySet[Programme]:
    rows = Programme.objects.filter(stage__project=project)
    return rows.select_related("qualification", "stage__project").order_by("id")


def programme_called(project: Project, name: str = "") -> tuple[Programme | None, Iterable[str]]:
    """A project's test by its qualification's name or number (no name: its only one), and the names that there are."""
    rows = list(programmes_of(project))
    names = [one.qualification.name for one in rows]
    if not name:
        return (rows[0] if len(rows) == 1 else None), names
    found = [one for one in rows if name in (one.qualification.name, str(one.pk))]
    return (found[0] if found else None), names
