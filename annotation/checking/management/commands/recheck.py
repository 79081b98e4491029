"""`recheck`: today's checks over stored answers."""

from argparse import ArgumentParser
from typing import Any

from annotation.checking.rechecking import recheck
from annotation.projects.commanding import ProjectCommand, find_project


class Command(ProjectCommand):
    help = "Run the checks again over a project's stored answers, and report what they say differently than before."
    example = "./crowdwright recheck demo --trial --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--trial", action="store_true", help="Only report; leave the stored findings as they are.")

    def handle(self, *, project: str, trial: bool, **options: Any) -> None:
        report = recheck(project=find_project(project), is_trial=trial, progress=self.counting("answers checked:"))
        self.report(report, _in_words(report))


def _in_words(report: dict) -> str:
    lines = []
    for stage in report["stages"]:
        lines.append(f"{stage['stage']}: {stage['answers']:,} answers")
        for each in stage["checks"]:
            versions = ", ".join(map(str, each["versions_before"])) or "–"
            now = "gone" if each["version_now"] is None else f"version {each['version_now']} (before: {versions})"
            lines.append(f"  {each['check']}, {now}: {each['same']} same, {each['appeared']} new, {each['gone']} gone")
            lines += [f"    {example}" for example in each["examples"]]
    if not report["stored"]:
        lines.append("A trial: nothing was stored.")
    return "\n".join(lines)
