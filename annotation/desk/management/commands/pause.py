from annotation.projects.actions import pause_project, pause_stage
from annotation.projects.commanding import ProjectCommand, find_project, find_stage


class Command(ProjectCommand):
    help = "Pause a project, or one stage: nothing more is published; work that is out still comes in and is paid."
    example = "./crowdwright pause demo"
    takes_stage = True

    def handle(self, *, project: str, stage: str | None, **options) -> None:
        found = find_project(project)
        if stage is None:
            pause_project(project=found)
            self.report({"project": found.slug, "state": found.state}, f"{found.slug} is paused.")
        else:
            one = find_stage(found, stage)
            pause_stage(stage=one)
            self.report({"stage": one.name, "state": one.state}, f"{one.name} of {found.slug} is paused.")
