from annotation.desk import words
from annotation.desk.commanding import carry_forward, refuse_unread
from annotation.projects.commanding import ProjectCommand, find_project


class Command(ProjectCommand):
    help = (
        "Ask the marketplace about every HIT that is out, due or not, and take in what came back. "
        "Fails where a HIT can't be read, after all others are."
    )
    example = "./crowdwright collect demo"

    def handle(self, *, project: str, **options) -> None:
        progress = carry_forward(self, find_project(project), everything=True)
        came = words.plural(progress.collected, "assignment")
        self.report(
            {"collected": progress.collected, "settled": progress.settled, "unread": progress.unread},
            f"{came} came in; {words.plural(progress.settled, 'item')} settled.",
        )
        refuse_unread(progress)
