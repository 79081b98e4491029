from dataclasses import asdict

from django.core.management.base import CommandError

from annotation.pipeline import advance
from annotation.projects.commanding import ProjectCommand, find_project


class Command(ProjectCommand):
    help = "Carry a project a step forward now, as the clock does: call the marketplace, collect, settle, pay, promote."
    example = "./crowdwright advance demo"

    def handle(self, *, project: str, **options) -> None:
        progress = advance(find_project(project))
        if progress is None:
            raise CommandError(f"{project} is being advanced by another process right now")
        done = asdict(progress)
        self.report(done, ", ".join(f"{count:,} {what}" for what, count in done.items() if count) or "Nothing to do.")
