"""`simulate`: a crowd at a project's HITs."""

from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path
from typing import Any

import requests
from django.core.management.base import CommandError

from annotation.command import Command as BaseCommand
from annotation.command import whole_number
from annotation.hits.models import HIT
from annotation.projects.commanding import find_project
from annotation.projects.models import Project
from annotation.simulation.browser import Unexpected
from annotation.simulation.offering import NotOffered
from annotation.simulation.run import NotRunning, Outcome, Run, Unfinished, require_running
from tasks.simulation import NoSimulation, simulation_of

# Each is a thread, and signs in before anybody begins.
MOST_WORKERS = 1_000


class Command(BaseCommand):
    help = "Let simulated workers and an expert work on a project, through the pages of the running services."
    example = "./crowdwright simulate demo --workers 10 --seed 1"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="The project's short name (slug).")
        parser.add_argument(
            "--workers",
            type=whole_number(1, MOST_WORKERS),
            default=10,
            help="How many people work at the same time (10).",
        )
        parser.add_argument("--seed", type=whole_number(0), default=1, help="The same seed makes the same people (1).")
        parser.add_argument(
            "--assignments", type=whole_number(1), help="Stop after so many assignments; else when none is left."
        )
        parser.add_argument(
            "--expert",
            action=BooleanOptionalAction,
            default=True,
            help="Review what comes in, or leave it in the queue.",
        )

        parser.add_argument(
            "--knowledge",
            nargs="+",
            type=Path,
            default=[],
            metavar="FILE",
            help="What the crowd knows; else the demo's.",
        )

    def handle(self, **options: Any) -> None:
        project = find_project(options["project"])
        try:
            require_running()
            self._require_work(project)
            run = Run(
                project=project,
                workers=options["workers"],
                seed=options["seed"],
                knowledge=self._knowledge(project, options["knowledge"]),
                with_expert=options["expert"],
            )
            sign = Sign(self)
            outcome = run.go(assignments=options["assignments"], handed_in=sign.handed_in, decided=sign.decided)
        except (NoSimulation, NotOffered, NotRunning, Unexpected, Unfinished, requests.RequestException) as problem:
            raise CommandError(str(problem)) from problem
        self.report(outcome.as_dict(), told(outcome))

    def _knowledge(self, project: Project, paths: list[Path]) -> Any:
        try:
            return simulation_of(project.pipeline).knowledge(paths)
        except OSError as missing:
            raise CommandError(f"--knowledge: {missing}") from missing
        except ValueError as fault:
            raise CommandError(f"--knowledge: {fault}") from fault

    def _require_work(self, project: Project) -> None:
        if not project.hits.filter(state=HIT.State.OFFERED).exists():
            raise CommandError(
                f"{project.name} offers no HIT at the moment. Publish first: ./crowdwright publish {project.slug}"
            )


class Sign:
    """A line on a terminal that counts what happens."""

    def __init__(self, command: BaseCommand):
        self.command = command
        self.counts = {"assignments": 0, "decisions": 0}

    def handed_in(self) -> None:
        self._count("assignments")

    def decided(self) -> None:
        self._count("decisions")

    def _count(self, what: str) -> None:
        self.counts[what] += 1
        shown = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        self.command.sign(shown, now_and_then=True)


def told(outcome: Outcome) -> str:
    """A run in a table for people."""
    head = ("character", "assignments", "returned", "findings", "earned")
    rows = [
        (name, f"{t.assignments:,}", f"{t.returned:,}", f"{t.findings.total():,}", f"${t.earned_cents / 100:,.2f}")
        for name, t in [*sorted(outcome.crowd.tallies.items()), ("all", outcome.crowd.total)]
    ]
    lines = [f"{a:<10} {b:>12} {c:>9} {d:>9} {e:>10}" for a, b, c, d, e in [head, *rows]]
    speed = outcome.as_dict()["assignments_per_second"]
    lines.append(f"{outcome.crowd.total.assignments:,} assignments in {outcome.crowd.seconds:.1f} s ({speed} a second)")
    if outcome.decisions:
        lines.append(f"The expert: {_counted(outcome.decisions)}.")
    if outcome.blind_decisions:
        lines.append(f"The second expert, blindly: {_counted(outcome.blind_decisions)}.")
    return "\n".join([*lines, f"Items: {_counted(outcome.items)}."])


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
