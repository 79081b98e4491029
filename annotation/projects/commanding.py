"""What the commands over projects share: a project and a stage by name, refusals as errors."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import ClassVar

from django.core.management.base import CommandError, CommandParser

from annotation.events.commanding import ActingCommand
from annotation.projects.actions import Refused
from annotation.projects.models import Project, Stage

SHOWN = 20


class ProjectCommand(ActingCommand):
    """A command whose first word after its name is a project."""

    takes_stage: ClassVar[bool] = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="The project's short name.")
        if self.takes_stage:
            parser.add_argument("--stage", help="The stage's name; not needed where there is only one crowd stage.")


def find_project(slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        known = list(Project.objects.order_by("slug").values_list("slug", flat=True)[: SHOWN + 1])
        there = ", ".join([*known[:SHOWN], *(["…"] if known[SHOWN:] else [])])
        raise CommandError(f"no project {slug!r}; there {'are ' + there if there else 'is none yet'}")
    return project


def find_stage(project: Project, name: str | None) -> Stage:
    stages = list(project.stages.select_related("project").filter(crowd=True).order_by("position"))
    found = [stage for stage in stages if name in (None, stage.name)]
    if len(found) == 1:
        return found[0]
    there = ", ".join(stage.name for stage in stages) or "none"
    if name is None:
        raise CommandError(f"which stage? Say --stage; {project.slug} has {there}")
    raise CommandError(f"{project.slug} has no crowd stage {name!r}; it has {there}")


@contextlib.contextmanager
def refusals_as_errors(where: str = "") -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        raise CommandError(f"{where}{refusal}") from None
