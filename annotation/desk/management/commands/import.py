from pathlib import Path

from django.core.management.base import CommandError

from annotation.projects.commanding import ProjectCommand, find_project, refusals_as_errors
from annotation.projects.importing import ImportRefused, import_items


class Command(ProjectCommand):
    help = "Import source files into a project: all of them, or nothing and every problem by file and line."
    example = (
        "./crowdwright import demo tasks/arc_da/demo/ARC-Easy-train.jsonl tasks/arc_da/demo/ARC-Challenge-train.jsonl"
    )

    def add_arguments(self, parser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", type=Path, help="Source files of the project's pipeline.")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="For the reader, such as split=train.",
        )

    def handle(self, *, project: str, files: list[Path], option: list[str], **options) -> None:
        found = find_project(project)
        missing = [str(path) for path in files if not path.is_file()]
        if missing:
            raise CommandError(f"no such file: {', '.join(missing)}")
        with refusals_as_errors():
            try:
                report = import_items(
                    project=found, paths=files, options=_options(option), progress=self.counting("items imported:")
                )
            except ImportRefused as refusal:
                self.refuse_files(refusal.report.problems, added=0)
        text = f"{report.added:,} imported, {report.excluded:,} of them excluded by the filter; {report.known:,} known."
        self.report({"added": report.added, "known": report.known, "excluded": report.excluded}, text)


def _options(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--option wants NAME=VALUE, found {pair!r}")
        found[name] = value
    return found
