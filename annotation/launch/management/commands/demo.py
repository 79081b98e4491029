"""`demo`: first projects with everything in them. `up` runs it once."""

from argparse import ArgumentParser
from typing import Any

import requests
from django.core.management.base import CommandError

from annotation.command import Command as BaseCommand
from annotation.command import whole_number
from annotation.launch import demo
from annotation.projects.actions import Refused
from annotation.simulation.browser import Unexpected
from annotation.simulation.run import NotRunning, require_running
from tasks.simulation import demos


class Command(BaseCommand):
    help = "Make the demo projects: items of our own, published, with some work done by a simulated crowd."
    example = "./crowdwright demo --assignments 35"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--assignments",
            type=whole_number(0),
            help="How many assignments the simulated crowd does in each project (else as many as each says); "
            "0 leaves all the work to you.",
        )

    def handle(self, *, assignments: int | None, **options: Any) -> None:
        made = {}
        try:
            if assignments != 0:
                require_running()
        except NotRunning as problem:
            raise CommandError(str(problem)) from problem
        for dataset, told in demos().items():
            try:
                made[told.slug] = self._make(dataset, told.assignments if assignments is None else assignments)
            except (Refused, demo.NotOffered, Unexpected, requests.RequestException) as problem:
                raise CommandError(f"{told.name}: {problem}") from problem
        self.report({"projects": made}, "\n".join(map(_in_words, made.values())))

    def _make(self, dataset: str, assignments: int) -> dict[str, Any]:
        """One demo project; where some of its HITs are there already, the crowd has been."""
        project = demo.make_project(dataset)
        has_begun = project.hits.exists()
        offered = demo.offer(project)
        report = None if has_begun else self._work(project, assignments)
        return {
            "name": project.name,
            "items": project.items.count(),
            "filtered": project.items.filter(state="excluded").count(),
            "hits": offered,
            "assignments": report.total.assignments if report else 0,
        }

    def _work(self, project: Any, assignments: int) -> Any:
        if assignments <= 0:
            return None
        steps = iter(self.progress(range(assignments), label="The simulated crowd works:"))
        return demo.let_a_crowd_work(project, assignments, done=lambda: next(steps, None))


def _in_words(made: dict[str, Any]) -> str:
    return (
        "{name}: {items} items, {filtered} of them filtered out; {hits} HITs offered, "
        "{assignments} assignments done by a simulated crowd."
    ).format(**made)
