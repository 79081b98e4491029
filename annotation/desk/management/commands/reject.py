from annotation.desk.commanding import AssignmentCommand, person_who
from annotation.events.actions import acting_as
from annotation.hits.paying import reject
from annotation.projects.commanding import refusals_as_errors


class Command(AssignmentCommand):
    help = (
        "Reject an assignment while its stage's time to look lasts: its worker is not paid, and reads the reason. "
        "Takes a person who answers for it (--by)."
    )
    example = './crowdwright reject demo 17 --by researcher --reason "All answers are the same word."'
    several = False

    def add_arguments(self, parser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", required=True, help="The worker reads it.")
        parser.add_argument("--by", required=True, metavar="USER", help="Who rejects it: an owner or researcher.")

    def handle(self, *, project: str, assignment: list[int], reason: str, by: str, **options) -> None:
        [found] = self.found(project, assignment)
        person = person_who(found.hit.project, by, power="run")
        with acting_as(f"user:{person.pk}"), refusals_as_errors():
            call = reject(assignment=found, reason=reason)
        self.report_calls(project, [call])
