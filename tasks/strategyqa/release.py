"""StrategyQA's published records: train with all annotations, test and rejected questions without them."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.base import Shape
from tasks.strategyqa.evidence import StepEvidence
from tasks.strategyqa.shapes import Matched

TRAIN, TEST, FILTERED = "train", "test", "filtered"
FILES = {
    TRAIN: "strategyqa_train.json",
    FILTERED: "strategyqa_train_filtered.json",
    TEST: "strategyqa_test.json",
}
PARAGRAPHS = "strategyqa_train_paragraphs.json"


class Row(Shape):
    """A question with what is published of it: all of a train question, two fields of a test question.

    `evidence` is by annotator and step, in parts that a table can hold; `published` writes it as the dataset does.
    """

    qid: str
    question: str
    term: str | None = None
    description: str | None = None
    answer: bool | None = None
    facts: list[str] | None = None
    decomposition: list[str] | None = None
    evidence: list[list[Matched]] | None = None


# The fields of a rejected question, as published.
REJECTED_FIELDS = ("term", "description", "question", "answer")


def qid_of(key: str) -> str:
    """Twenty hexadecimal digits, as the published ids have, from a project's own key: the same each time.

    A key that is such an id stays one.
    """
    if _QID.fullmatch(key):
        return key
    return hashlib.sha256(f"strategyqa:{key}".encode()).hexdigest()[:20]


_QID = re.compile(r"[0-9a-f]{20}")


def row(
    *,
    qid: str,
    question: Mapping[str, Any],
    steps: Iterable[Mapping[str, Any]],
    evidence: Iterable[Iterable[Mapping[str, Any]]],
) -> dict:
    """A train row from what the three stages accepted; `evidence` is each matcher's list of `Matched`, a step each."""
    return {
        "qid": qid,
        "term": question["term"],
        "description": question["description"],
        "question": question["question"],
        "answer": question["answer"],
        "facts": list(question["facts"]),
        "decomposition": [step["text"] for step in steps],
        "evidence": [[Matched.model_validate(step).model_dump() for step in matcher] for matcher in evidence],
    }


def published(row: Mapping[str, Any]) -> dict:
    """A train row as the dataset's file has it: `evidence` by annotator and step, each a list of ids and marks."""
    return row | {"evidence": [[evidence_of(step).published() for step in one] for one in row["evidence"]]}


def evidence_of(matched: Mapping[str, Any]) -> StepEvidence:
    """What a matcher says of a step, in the form that figures are counted from."""
    paragraphs = matched["paragraphs"]
    return StepEvidence(
        None if paragraphs is None else tuple(paragraphs), matched["is_operation"], matched["lacks_evidence"]
    )


def unlabelled(row: Mapping[str, Any]) -> dict:
    """The same question as the test file shows it."""
    return {"qid": row["qid"], "question": row["question"]}


def paragraph(found: Mapping[str, Any]) -> dict:
    """A paragraph as the dataset's file of paragraphs has it."""
    names = {"title": "title", "section": "section", "headers": "headers", "para_index": "number", "content": "text"}
    return {name: found[theirs] for name, theirs in names.items()}
