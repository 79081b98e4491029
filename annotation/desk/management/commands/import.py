from dataclasses import asdict
from pathlib import Path

from django.core.management.base import CommandError

from annotation.projects.actions import ImportRefused, import_items
from annotation.projects.commanding import ProjectCommand, find_project, refusals_as_errors

SHOWN = 50


class Command(ProjectCommand):
    help = "Import source files into a project: all of them, or nothing and every problem by file and line."
    example = "./crowdwright import demo ARC-Easy-train.jsonl ARC-Challenge-train.jsonl"

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
                report = import_items(project=found, paths=files, options=_options(option), progress=self._tell)
            except ImportRefused as refusal:
                self._refuse(refusal)
        if self.stderr.isatty():
            self.stderr.write("")
        text = f"{report.added:,} imported, {report.excluded:,} of them excluded by the filter; {report.known:,} known."
        self.report({"added": report.added, "known": report.known, "excluded": report.excluded}, text)

    def _tell(self, count: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r\033[K{count:,} imported", ending="")
            self.stderr.flush()

    def _refuse(self, refusal: ImportRefused) -> None:
        problems = refusal.report.problems
        if self.as_json:
            self.report({"added": 0, "problems": [asdict(problem) for problem in problems]})
            raise CommandError(f"nothing was imported: {len(problems):,} problems")
        shown = "\n".join(f"  {problem}" for problem in problems[:SHOWN])
        more = f"\n  … and {len(problems) - SHOWN:,} more" if len(problems) > SHOWN else ""
        raise CommandError(f"nothing was imported; problems:\n{shown}{more}")


def _options(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--option wants NAME=VALUE, found {pair!r}")
        found[name] = value
    return found
