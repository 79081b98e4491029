from annotation.command import whole_number
from annotation.desk.commanding import quote_as_json, quote_as_text
from annotation.hits.publishing import quote
from annotation.projects.commanding import ProjectCommand, find_project, find_stage


class Command(ProjectCommand):
    help = "What publishing a stage's open items would cost, fees included. Publishes nothing."
    example = "./crowdwright quote demo"
    takes_stage = True

    def add_arguments(self, parser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--limit", type=whole_number(1), help="Only the first items.")

    def handle(self, *, project: str, stage: str | None, limit: int | None, **options) -> None:
        found = find_stage(find_project(project), stage)
        offer = quote(found, limit=limit)
        self.report(quote_as_json(offer), quote_as_text(found, offer))
