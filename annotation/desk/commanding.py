"""What the desk's commands share: assignments by number, the person who answers for something, figures in lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, ClassVar

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError, CommandParser

from annotation.command import Command, row_number
from annotation.desk import words
from annotation.desk.access import ROLES
from annotation.desk.assignments import find_assignment
from annotation.hits.models import Assignment
from annotation.hits.publishing import Quote
from annotation.pipeline import Progress, advance
from annotation.projects.commanding import ProjectCommand, find_project
from annotation.projects.models import Project, Stage
from annotation.projects.queries import role_of
from annotation.providers.models import Intent

SHOWN_UNREAD = 5


class AssignmentCommand(ProjectCommand):
    """A command about assignments of a project, by number."""

    several: ClassVar[bool] = True

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        count = "+" if self.several else 1
        parser.add_argument("assignment", type=row_number, nargs=count, help="Its number, as `assignments` lists it.")

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
    """The account of somebody whose role has a power in a project, as the pages see it."""
    user = get_user_model().objects.filter(username=username, is_active=True).first()
    role = role_of(user, project) if user else None
    if role is None:
        raise CommandError(f"{username!r} is nobody in {project.slug}: expected a member's user name")
    if power not in ROLES[role]:
        raise CommandError(f"{username} is {role} in {project.slug}; this takes an owner or researcher")
    return user


def carry_forward(command: Command, project: Project, *, everything: bool = False) -> Progress:
    """The pipeline's `advance`, or an error where another process is at it."""
    progress = advance(project, everything=everything, asked=command.counting("HITs asked about:"))
    if progress is None:
        raise CommandError(f"{project.slug} is being advanced by another process right now")
    return progress


def refuse_unread(progress: Progress) -> None:
    """An error, once all is reported, where the marketplace did not tell of each HIT."""
    if progress.unread:
        more = len(progress.unread) - SHOWN_UNREAD
        reasons = [*progress.unread[:SHOWN_UNREAD], *([f"and {more:,} more"] if more > 0 else [])]
        count = words.plural(len(progress.unread), "HIT")
        raise CommandError(f"{count} could not be read: {'; '.join(reasons)}")


def refuse_unfit(offer: Quote, *, below_floor: bool) -> None:
    """An error before anybody is asked about the money, where this can't be published."""
    if not offer.fits:
        raise CommandError(f"nothing was published: {'; '.join(offer.problems)}")
    if offer.is_below_floor and not below_floor:
        raise CommandError(
            f"nothing was published: this pays {words.dollars(offer.hourly_cents)} an hour, below the project's floor "
            f"of {words.dollars(offer.floor_cents)}; raise the reward, or say --below-floor"
        )


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
        f"  digest            {offer.digest:>14}   for --quote: publishes these HITs, and once",
    ]
    return "\n".join([*lines, *(f"  can't be published: {problem}" for problem in offer.problems)])
