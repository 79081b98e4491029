"""`demo`: a first project with everything in it. `up` runs it once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.command import Command as BaseCommand
from annotation.launch import demo
from annotation.projects.actions import Refused
from annotation.simulation.browser import Unexpected


class Command(BaseCommand):
    help = "Make the demo project: questions of our own, published, with some work done by a simulated crowd."
    example = "./crowdwright demo --assignments 35"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--assignments",
            type=int,
            default=demo.ASSIGNMENTS,
            help="How many assignments the simulated crowd does (35); 0 leaves all the work to you.",
        )

    def handle(self, *, assignments: int, **options: Any) -> None:
        try:
            project = demo.make_project()
            offered = demo.offer(project)
            report = self._work(project, assignments)
        except (Refused, demo.NotOffered, Unexpected) as problem:
            raise CommandError(str(problem)) from problem
        counts = {
            "questions": project.items.count(),
            "filtered": project.items.filter(state="excluded").count(),
            "hits": offered,
            "assignments": report.total.assignments if report else 0,
        }
        self.report(
            {"project": project.slug, **counts},
            "Demo project: {questions} questions, {filtered} of them filtered out; {hits} HITs offered, "
            "{assignments} assignments done by a simulated crowd.".format(**counts),
        )

    def _work(self, project: Any, assignments: int) -> Any:
        if assignments <= 0:
            return None
        steps = iter(self.progress(range(assignments), label="The simulated crowd works:"))
        return demo.let_a_crowd_work(project, assignments, done=lambda: next(steps, None))
