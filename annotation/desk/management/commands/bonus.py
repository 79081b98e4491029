from annotation.command import whole_number
from annotation.desk.commanding import AssignmentCommand
from annotation.hits.paying import bonus
from annotation.projects.commanding import refusals_as_errors


class Command(AssignmentCommand):
    help = "Pay a bonus for an approved assignment, within the budget and once a purpose. The worker reads the reason."
    example = './crowdwright bonus demo 17 --cents 50 --purpose care --reason "Very careful answers."'
    several = False

    def add_arguments(self, parser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--cents", type=whole_number(1), required=True, help="Without the marketplace's fee.")
        parser.add_argument("--purpose", required=True, help="A short name, such as care: paid once for each.")
        parser.add_argument("--reason", required=True, help="The worker reads it.")

    def handle(self, *, project: str, assignment: list[int], cents: int, purpose: str, reason: str, **options) -> None:
        [found] = self.found(project, assignment)
        with refusals_as_errors():
            call = bonus(assignment=found, cents=cents, reason=reason, purpose=purpose)
        self.report_calls(project, [call])
