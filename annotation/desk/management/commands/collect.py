from django.core.management.base import CommandError

from annotation.desk import words
from annotation.pipeline import advance
from annotation.projects.commanding import ProjectCommand, find_project


class Command(ProjectCommand):
    help = "Ask the marketplace about every HIT that is out, due or not, and take in what came back."
    example = "./crowdwright collect demo"

    def handle(self, *, project: str, **options) -> None:
        progress = advance(find_project(project), everything=True)
        if progress is None:
            raise CommandError(f"{project} is being advanced by another process right now")
        came = words.plural(progress.collected, "assignment")
        self.report(
            {"collected": progress.collected, "settled": progress.settled},
            f"{came} came in; {words.plural(progress.settled, 'item')} settled.",
        )
