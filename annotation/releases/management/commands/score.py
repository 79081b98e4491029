"""`score DATASET --gold FILE --predictions FILE`: predictions against a release, on files alone."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.command import Command as OurCommand
from annotation.command import ExampleFormatter
from tasks.base import ScoringProblem
from tasks.registry import scorers


class Command(OurCommand):
    help = (
        "Score predictions against released rows with the dataset's own metrics, without a project or a database.\n\n"
        "Scores are between 0 and 1, with bootstrap intervals where they are means. `score DATASET --help` tells\n"
        "what the dataset's metrics are and which options it has."
    )
    example = "./crowdwright score arc-da --gold test.jsonl --predictions predictions.jsonl --json"
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        datasets = parser.add_subparsers(dest="dataset", required=True, metavar="DATASET")
        for name, scorer in scorers().items():
            dashed = name.replace("_", "-")
            inner = datasets.add_parser(
                dashed,
                aliases=[name] if name != dashed else [],
                help=scorer.title,
                description=scorer.title,
                epilog=f"example:\n  {scorer.example}",
                formatter_class=ExampleFormatter,
            )
            inner.add_argument("--gold", type=Path, required=True, metavar="FILE", help="released rows")
            inner.add_argument("--predictions", type=Path, required=True, metavar="FILE", help="what is scored")
            scorer.add_options(inner)

    def handle(self, *, dataset: str, gold: Path, predictions: Path, **options: Any) -> None:
        scorer = scorers()[dataset.replace("-", "_")]
        try:
            result = scorer.score(gold, predictions, **options)
        except ScoringProblem as problem:
            raise CommandError(str(problem)) from None
        self.report(result, scorer.told(result))
