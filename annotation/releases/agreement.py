"""Who chose what of each item: the reliability data of a stage's closed questions, and how far they agree.

The files have the three columns that crowd-kit and pandas' `pivot` read: task, worker, label. The
matrix of workers and items is mostly holes, so it is stored by its filled cells.
"""

from __future__ import annotations

import sys
from pathlib import Path

from annotation.releases.formats import csv_line
from tasks.base import TaskType
from tasks.fields import Choice, fields_of
from tasks.metrics.agreement import alpha
from tasks.metrics.intervals import method_of


def rated_fields(kind: TaskType) -> list[str]:
    """The parts of an answer that pick one of several options."""
    return [name for name, field in fields_of(kind.Answer).items() if isinstance(field, Choice)]


class Ratings:
    """The labels that one field of one stage got, item by item."""

    def __init__(self, stage: str, field: str, path: Path):
        self.stage, self.field, self.path = stage, field, path
        self._units: list[tuple] = []
        path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = path.open("w", encoding="utf-8", newline="")
        self._handle.write(csv_line(["task", "worker", "label"]))

    @property
    def name(self) -> str:
        return f"{self.stage}.{self.field}.csv"

    def add(self, item: str, labels: list[tuple[str, object]]) -> None:
        given = [(worker, label) for worker, label in labels if label not in (None, "")]
        self._handle.writelines(csv_line([item, worker, label]) for worker, label in given)
        if given:
            self._units.append(tuple(sys.intern(str(label)) for _, label in given))

    def __len__(self) -> int:
        return len(self._units)

    def close(self) -> None:
        self._handle.close()

    def alpha(self) -> dict:
        """Krippendorff's nominal alpha with its interval."""
        found = alpha(self._units)
        return {
            "stage": self.stage,
            "field": self.field,
            "measure": "Krippendorff's alpha, nominal",
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "n": found.n,
            "method": method_of("items"),
        }
