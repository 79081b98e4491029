from annotation.desk import words
from annotation.hits.expiring import close
from annotation.projects.commanding import ProjectCommand, find_project


class Command(ProjectCommand):
    help = "Close a project and take its HITs off the market. What was handed in is still collected and paid."
    example = "./crowdwright close demo"

    def handle(self, *, project: str, **options) -> None:
        found = find_project(project)
        count = close(project=found)
        self.report(
            {"project": found.slug, "state": found.state, "hits": count},
            f"{found.slug} is closed; {words.plural(count, 'HIT')} on the way off the market.",
        )
