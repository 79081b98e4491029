from argparse import ArgumentParser

from django.core.management.base import CommandError

from annotation.command import row_number, whole_number
from annotation.desk import assignments as work
from annotation.desk import words
from annotation.desk.api.assignments import AssignmentOut
from annotation.hits.models import Assignment
from annotation.projects.commanding import ProjectCommand, find_project
from annotation.workers.queries import worker_called

# Each has findings and items looked up by number, and a query takes so many; --before gets the next part.
MOST_ROWS = 10_000


class Command(ProjectCommand):
    help = "List a project's assignments, newest first: state, worker by pseudonym, pay, time, what the checks said."
    example = "./crowdwright assignments demo --state submitted --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--state", choices=Assignment.State.values, help="Only those that stand so.")
        parser.add_argument("--stage", default="", help="Only those of this stage.")
        parser.add_argument("--worker", default="", help="Only those of this worker, by pseudonym.")
        parser.add_argument(
            "--limit", type=whole_number(1, MOST_ROWS), default=100, help="At most so many (default 100)."
        )
        parser.add_argument("--before", type=row_number, help="Only those below this number: the next part of a list.")

    def handle(
        self, *, project: str, state: str | None, stage: str, worker: str, limit: int, before: int | None, **options
    ) -> None:
        found = find_project(project)
        if stage and not found.stages.filter(name=stage).exists():
            there = ", ".join(found.stages.values_list("name", flat=True))
            raise CommandError(f"{project} has no stage {stage!r}; it has {there}")
        person = worker_called(found, worker) if worker else None
        if worker and person is None:
            raise CommandError(f"nobody is called {worker!r} in {project}: expected a pseudonym of its releases")
        rows = work.assignments_of(found, stage=stage, state=state or "", worker=person)
        shown = work.slice_assignments(found, rows, after=before, size=limit).rows
        self.report(AssignmentOut(shown, many=True).data, "\n".join(map(_line, shown)) or "No assignment matches.")


def _line(row: work.Row) -> str:
    one = row.assignment
    parts = [one.hit.stage.name, row.worker, words.dollars(one.hit.reward_cents), words.span(one.seconds_spent)]
    if row.findings:
        parts.append(words.plural(row.findings, "finding"))
    return f"{one.pk} ({one.state}): {', '.join(parts)}"
