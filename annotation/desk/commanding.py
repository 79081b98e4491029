"""What the commands over projects share: a project and stage by name, refusals as errors, figures in a few lines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError, CommandParser

from annotation.command import Command
from annotation.desk import words
from annotation.desk.access import ROLES
from annotation.desk.assignments import find_assignment
from annotation.events.actions import acting_as
from annotation.hits.models import Assignment
from annotation.hits.publishing import Quote
from annotation.projects.actions import Refused
from annotation.projects.models import Project, Stage
from annotation.providers.models import Intent


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


class AssignmentCommand(ProjectCommand):
    """A command about assignments of a project, by number."""

    several: ClassVar[bool] = True

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        count = "+" if self.several else 1
        parser.add_argument("assignment", type=int, nargs=count, help="Its number, as `assignments` lists it.")

    def found(self, slug: str, numbers: list[int]) -> list[Assignment]:
        """All of them, or an error before anything is done."""
        project = find_project(slug)
        found = [find_assignment(project, number) for number in numbers]
        if None in found:
            missing = ", ".join(str(number) for number, one in zip(numbers, found, strict=True) if one is None)
            raise CommandError(f"{slug} has no assignment {missing}; see ./crowdwright assignments {slug}")
        return found

    def report_calls(self, project: str, calls: list[Intent]) -> None:
        rows = [{"call": call.pk, "kind": call.kind, "state": call.state, "cents": call.cents} for call in calls]
        count = words.plural(len(calls), "call")
        self.report(rows, f"{count} planned; the clock makes them (or ./crowdwright advance {project}).")


def person_who(project: Project, username: str, *, power: str) -> Any:
    """The account of a member whose role has a power in a project."""
    member = project.memberships.select_related("user").filter(user__username=username).first()
    if member is None:
        raise CommandError(f"{username!r} is nobody in {project.slug}: expected a member's user name")
    if power not in ROLES[member.role]:
        raise CommandError(f"{username} is {member.role} in {project.slug}; this takes an owner or researcher")
    return member.user


@contextlib.contextmanager
def refusals_as_errors(where: str = "") -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        raise CommandError(f"{where}{refusal}") from None


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
