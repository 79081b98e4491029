"""Scorers: how predictions for a dataset are scored against its released rows, from files alone."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar


class ScoringProblem(ValueError):
    """Why predictions can't be scored, in words: which file, what was expected, what was found."""


class Scorer:
    """How predictions for a dataset are scored against its released rows. One class in `tasks/<dataset>/scoring.py`.

    `name` is the folder's name.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str]
    example: ClassVar[str] = ""

    def add_options(self, parser: ArgumentParser) -> None:
        """Options of this dataset's command line beside `--gold` and `--predictions`."""

    def score(self, gold: Path, predictions: Path, **options: Any) -> dict:
        """The scores, with their intervals and counts, as one JSON value. Raises `ScoringProblem`."""
        raise TypeError(f"{self.name} does not say how predictions are scored")

    def told(self, result: Mapping[str, Any]) -> str:
        """The same for people, a line a figure."""
        return "\n".join(f"{name}: {value}" for name, value in result.items())
