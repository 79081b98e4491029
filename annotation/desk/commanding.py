"""What the commands over projects share: a project and stage by name, refusals as errors, figures in a few lines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError, CommandParser

from annotation.command import Command
from annotation.desk import words
from annotation.events.actions import acting_as
from annotation.hits.publishing import Quote
from annotation.projects.actions import Refused
from annotation.projects.models import Project, Stage


class ProjectCommand(Command):
    """A command whose first word after its name is a project."""

    takes_stage: ClassVar[bool] = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="The project's short name.")
        if self.takes_stage:
            parser.add_argument("--stage", help="The stage's name; not needed where there is only one crowd stage.")

    def execute(self, *args: Any, **options: Any) -> str | None:
        with acting_as(f"command:{self.__module__.rsplit('.', 1)[-1].replace('_', '-')}"):
            return super().execute(*args, **options)


def find_project(slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        there = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:20])
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
def refusals_as_errors() -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        raise CommandError(str(refusal)) from None


def quote_as_json(offer: Quote) -> dict[str, Any]:
    shown = asdict(offer) | {"fits": offer.fits, "is_below_floor": offer.is_below_floor}
    shown["problems"] = list(offer.problems)
    del shown["planned"]
    return shown


def quote_as_text(stage: Stage, offer: Quote) -> str:
    amount = ", ".join(
        (
            words.plural(offer.items, "item"),
            words.plural(offer.hits, "HIT"),
            words.plural(offer.assignments, "assignment"),
        )
    )
    lines = [
        f"{stage.project.name}, {stage.name}: {amount}",
        f"  rewards           {words.dollars(offer.reward_cents):>14}",
        f"  fees              {words.dollars(offer.fee_cents):>14}",
        f"  total             {words.dollars(offer.total_cents):>14}   ({offer.total_cents} cents)",
        f"  spent or promised {words.dollars(offer.committed_cents):>14}   of {words.dollars(offer.cap_cents)}",
        f"  pay an hour       {words.dollars(offer.hourly_cents):>14}   floor {words.dollars(offer.floor_cents)}",
    ]
    return "\n".join([*lines, *(f"  can't be published: {problem}" for problem in offer.problems)])
