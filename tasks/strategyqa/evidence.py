"""The published record of a step's evidence: paragraphs, and the marks *operation* and *no_evidence*.

A record is a list that may hold one list of paragraph ids, the word `no_evidence` and the word
`operation`, in that order; all combinations occur.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

OPERATION, NO_EVIDENCE = "operation", "no_evidence"


@dataclass(frozen=True)
class StepEvidence:
    """What one matcher found for one step. `paragraphs` is None where no list was given at all."""

    paragraphs: tuple[str, ...] | None = None
    is_operation: bool = False
    lacks_evidence: bool = False

    @classmethod
    def of(cls, record: Sequence[Any]) -> "StepEvidence":
        """Reads a published record. Raises ValueError where it holds anything else."""
        paragraphs = None
        for part in record:
            if isinstance(part, list) and paragraphs is None and all(isinstance(name, str) for name in part):
                paragraphs = tuple(part)
            elif part not in (OPERATION, NO_EVIDENCE):
                raise ValueError(f"expected paragraph ids, {OPERATION!r} or {NO_EVIDENCE!r}, found {part!r}")
        return cls(paragraphs, OPERATION in record, NO_EVIDENCE in record)

    def published(self) -> list:
        marks = [NO_EVIDENCE] * self.lacks_evidence + [OPERATION] * self.is_operation
        return marks if self.paragraphs is None else [list(self.paragraphs), *marks]

    @property
    def places(self) -> frozenset[str]:
        return frozenset(self.paragraphs or ())

    @property
    def pages(self) -> frozenset[str]:
        return frozenset(map(page_of, self.places))


def page_of(paragraph: str) -> str:
    """The title of a paragraph's page: titles may hold hyphens, so the last one parts title and number."""
    return paragraph.rpartition("-")[0] or paragraph


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of all elements that both sets hold; 0 for two empty ones."""
    return len(one & other) / len(one | other) if one or other else 0.0


def paired_overlaps(annotators: Sequence[Sequence[StepEvidence]]) -> list[tuple[float, float]]:
    """(paragraphs, pages) Jaccard of every pair of annotators at every step where both found paragraphs."""
    found = []
    for step in zip(*annotators, strict=True):
        for one, other in combinations(step, 2):
            if one.places and other.places:
                found.append((jaccard(one.places, other.places), jaccard(one.pages, other.pages)))
    return found
