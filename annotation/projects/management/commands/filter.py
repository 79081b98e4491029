"""`filter DATASET FILE...`: what a dataset's first filter would exclude, on files alone."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from pydantic import BaseModel, ValidationError

from annotation.command import Command as OurCommand
from tasks.base import Pipeline, SourceProblem, problems_of
from tasks.registry import UnknownKind, pipeline


class Command(OurCommand):
    help = (
        "Show which items of source files a dataset's first filter excludes, without a project or a database.\n\n"
        "Each excluded item is given with the id that it has in its file and the phrases that exclude it, parted\n"
        'by "|". Lines that can\'t be read are listed under "errors", and the exit code is 1.'
    )
    example = "./crowdwright filter arc-da tasks/arc_da/demo/ARC-Easy-test.jsonl --reading last_sentence_word --json"
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", help="a folder of tasks/ with a pipeline, e.g. arc-da")
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="source files of the dataset")
        parser.add_argument("--reading", help="how the filter's phrases are read (default: the dataset's own choice)")

    def handle(self, *, dataset: str, files: list[Path], reading: str | None, **options: Any) -> None:
        try:
            kind = pipeline(dataset)
        except UnknownKind as error:
            raise CommandError(str(error)) from None
        settings = settings_with(kind, reading)
        total, excluded, errors = 0, [], []
        for path in files:
            for found in self.progress(kind.screen_file(path, settings), label=f"filtered {path.name}"):
                if isinstance(found, SourceProblem):
                    errors.append(found)
                    continue
                total += 1
                if found.reason:
                    excluded.append({"id": found.id, "key": found.key, "phrase": found.reason})
        share = len(excluded) / total if total else 0.0
        result = {"total": total, "removed": len(excluded), "share": share, "excluded": excluded}
        result["errors"] = [asdict(fault) for fault in errors]
        told = [f"{entry['id']}: {entry['phrase']}" for entry in excluded]
        told += map(str, errors)
        self.report(result, "\n".join([*told, f"{len(excluded):,} of {total:,} removed ({share:.2%})"]))
        if errors:
            many = len(errors) > 1
            raise CommandError(f"{len(errors)} {'lines or files' if many else 'line or file'} can't be read")


def settings_with(kind: Pipeline, reading: str | None) -> BaseModel:
    """The dataset's settings with a reading of its filter, which they call `filter_reading`."""
    if reading is None:
        return kind.Settings()
    if "filter_reading" not in kind.Settings.model_fields:
        raise CommandError(f"{kind.name} has no readings of a filter to choose from")
    try:
        return kind.Settings(filter_reading=reading)
    except ValidationError as error:
        raise CommandError(problems_of(error)) from None
