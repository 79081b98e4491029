"""StrategyQA's published records: train with all annotations, test and rejected questions without them."""

import hashlib
from collections.abc import Mapping
from typing import Any

from tasks.base import Shape
from tasks.strategyqa.evidence import StepEvidence


class Row(Shape):
    """A train record. `evidence` is by annotator and step, each step a list of the published form."""

    qid: str
    term: str
    description: str
    question: str
    answer: bool
    facts: list[str]
    decomposition: list[str]
    evidence: list[list[list]]


class FilteredRow(Shape):
    """A question that the solvers rejected."""

    qid: str
    term: str
    description: str
    question: str
    answer: bool


class UnlabelledRow(Shape):
    """A test question without its labels."""

    qid: str
    question: str


def qid_of(key: str) -> str:
    """Twenty hexadecimal digits, as the published ids have, from a project's own key: the same each time."""
    return hashlib.sha256(f"strategyqa:{key}".encode()).hexdigest()[:20]


def row(
    *,
    qid: str,
    question: Mapping[str, Any],
    decomposition: list[str],
    evidence: list[list[StepEvidence]],
) -> dict:
    """A train record from what the three stages accepted."""
    return {
        "qid": qid,
        "term": question["term"],
        "description": question["description"],
        "question": question["question"],
        "answer": question["answer"],
        "facts": list(question["facts"]),
        "decomposition": list(decomposition),
        "evidence": [[step.published() for step in annotator] for annotator in evidence],
    }


def unlabelled(row: Mapping[str, Any]) -> dict:
    """The same question as the test file shows it."""
    return {"qid": row["qid"], "question": row["question"]}
