from annotation.projects.actions import open_project, open_stage
from annotation.projects.commanding import ProjectCommand, find_project, find_stage


class Command(ProjectCommand):
    help = "Open a project, or one stage, that was paused or closed."
    example = "./crowdwright open demo --stage direct_answer"
    takes_stage = True

    def handle(self, *, project: str, stage: str | None, **options) -> None:
        found = find_project(project)
        if stage is None:
            open_project(project=found)
            self.report({"project": found.slug, "state": found.state}, f"{found.slug} is open.")
        else:
            one = find_stage(found, stage)
            open_stage(stage=one)
            self.report({"stage": one.name, "state": one.state}, f"{one.name} of {found.slug} is open.")
