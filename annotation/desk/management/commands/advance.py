from annotation.desk.commanding import carry_forward, refuse_unread
from annotation.projects.commanding import ProjectCommand, find_project


class Command(ProjectCommand):
    help = (
        "Carry a project a step forward now, as the clock does: call the marketplace, collect, settle, pay, promote. "
        "Fails where a HIT can't be read, after all else is done."
    )
    example = "./crowdwright advance demo"

    def handle(self, *, project: str, **options) -> None:
        progress = carry_forward(self, find_project(project))
        done = ", ".join(f"{count:,} {what}" for what, count in progress.counts.items() if count)
        self.report(progress.counts | {"unread": progress.unread}, done or "Nothing to do.")
        refuse_unread(progress)
