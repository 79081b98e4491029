from annotation.desk.commanding import AssignmentCommand
from annotation.hits.paying import approve
from annotation.projects.commanding import refusals_as_errors


class Command(AssignmentCommand):
    help = (
        "Approve and pay assignments now. Of a rejected one it turns the rejection round, with --feedback for its "
        "worker. What the marketplace refused before is asked for once more."
    )
    example = "./crowdwright approve demo 17 18"

    def add_arguments(self, parser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--feedback", default="", help="A word to the worker.")

    def handle(self, *, project: str, assignment: list[int], feedback: str, **options) -> None:
        calls = []
        for found in self.progress(self.found(project, assignment), label="approving"):
            with refusals_as_errors(f"assignment {found.pk}: "):
                calls.append(approve(assignment=found, feedback=feedback))
        self.report_calls(project, calls)
