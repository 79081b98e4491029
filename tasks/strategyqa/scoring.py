"""Scores answers, decompositions and retrieved paragraphs as StrategyQA's evaluator does."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.base import Scorer, ScoringProblem
from tasks.metrics.intervals import mean, method_of
from tasks.metrics.sari import sari
from tasks.sources import Unreadable, document
from tasks.strategyqa.evidence import StepEvidence

RETRIEVAL_LIMIT = 10


class StrategyQAScorer(Scorer):
    title = "accuracy of answers, SARI of decompositions, Recall@10 of paragraphs"
    example = "./crowdwright score strategyqa --gold strategyqa_dev.json --predictions predictions.json --json"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--retrieval-limit",
            type=_number_of_paragraphs,
            default=RETRIEVAL_LIMIT,
            metavar="N",
            help="how many of the retrieved paragraphs count (default: 10)",
        )

    def score(self, gold: Path, predictions: Path, *, retrieval_limit: int = RETRIEVAL_LIMIT, **options: Any) -> dict:
        """Means over the gold questions of what is predicted at all; a missing prediction scores 0.

        Gold is the list of released questions; predictions are an object from `qid` to an object with any of
        `answer`, `decomposition` and `paragraphs`.
        """
        if retrieval_limit < 1:
            raise ScoringProblem(f"expected --retrieval-limit to be 1 or more, found {retrieval_limit}")
        questions, given = _gold(gold), _predictions(predictions)
        parts = {part for prediction in given.values() for part in prediction}
        per_question = {
            "accuracy": ("answer", lambda row, answer: float(row["answer"] is answer)),
            "sari": ("decomposition", decomposition_score),
            "recall": ("paragraphs", lambda row, found: recall(row["evidence"], found[:retrieval_limit])),
        }
        result: dict[str, Any] = {}
        for name, (part, metric) in per_question.items():
            if part not in parts:
                continue
            values = [
                metric(row, given[qid][part]) if part in given.get(qid, {}) else 0.0 for qid, row in questions.items()
            ]
            found = mean(values)
            shown = f"recall_at_{retrieval_limit}" if name == "recall" else name
            result |= {shown: sum(values) / len(values), f"{shown}_interval": [found.low, found.high]}
        return result | {
            "n": len(questions),
            "missing": len(questions.keys() - given.keys()),
            "unknown": len(given.keys() - questions.keys()),
            "method": method_of("questions"),
        }

    def told(self, result: Mapping[str, Any]) -> str:
        lines = []
        for name in [name for name in result if f"{name}_interval" in result]:
            low, high = result[f"{name}_interval"]
            lines.append(f"{name:14}{result[name]:7.2%}   [{low:.2%}, {high:.2%}]")
        counts = f"{result['n']:,} questions, {result['missing']:,} without a prediction (scored 0)"
        return "\n".join([*lines, f"{counts}, {result['unknown']:,} predictions for unknown questions"])


def _number_of_paragraphs(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text) or not int(text):
        raise ArgumentTypeError(f"expected a whole number from 1, found {text!r}")
    return int(text)


def decomposition_score(row: Mapping[str, Any], steps: Sequence[str]) -> float:
    """SARI of the joined steps against the gold ones, with the question as source."""
    return sari(_tokens(row["question"]), _tokens(" ".join(steps)), _tokens(" ".join(row["decomposition"])))


def recall(evidence: Sequence[Sequence[list]], found: Sequence[str]) -> float:
    """The largest share, over annotators, of their paragraphs that were found."""
    shares = []
    for annotator in evidence:
        places = frozenset().union(*(StepEvidence.of(step).places for step in annotator))
        shares.append(len(places & set(found)) / len(places) if places else 0.0)
    return max(shares, default=0.0)


def _tokens(text: str) -> list[str]:
    return text.replace("?", " ?").split()


def _document(path: Path) -> Any:
    try:
        return document(path)
    except Unreadable as problem:
        raise ScoringProblem(f"{path.name}: {problem}") from None


def _gold(path: Path) -> dict[str, dict]:
    rows = _document(path)
    if not isinstance(rows, list) or not rows:
        raise ScoringProblem(f"{path.name}: expected a list of questions")
    questions: dict[str, dict] = {}
    for place, row in enumerate(rows):
        match row:
            case {
                "qid": str(qid),
                "question": str(),
                "answer": bool(),
                "decomposition": [*steps],
                "evidence": [*annotators],
            } if _are_texts(steps) and _are_evidence(annotators):
                questions[qid] = row
            case _:
                raise ScoringProblem(
                    f"{path.name}: question {place + 1}: expected qid, question, answer (true or false), "
                    "decomposition and evidence as released"
                )
    if len(questions) < len(rows):
        raise ScoringProblem(f"{path.name}: {len(rows) - len(questions)} qids stand there more than once")
    return questions


def _predictions(path: Path) -> dict[str, dict[str, Any]]:
    given = _document(path)
    if not isinstance(given, dict):
        raise ScoringProblem(f"{path.name}: expected an object of predictions by qid")
    for qid, prediction in given.items():
        if not isinstance(prediction, dict):
            raise ScoringProblem(f"{path.name}: {qid}: expected an object, found {str(prediction)[:40]!r}")
        for part, value in prediction.items():
            if part == "answer" and not isinstance(value, bool):
                raise ScoringProblem(f"{path.name}: {qid}: expected answer to be true or false, found {value!r}")
            if part in ("decomposition", "paragraphs") and not _are_texts(value):
                raise ScoringProblem(f"{path.name}: {qid}: expected {part} to be a list of texts")
    return given


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _are_evidence(annotators: Sequence[Any]) -> bool:
    try:
        for annotator in annotators:
            for step in annotator:
                StepEvidence.of(step)
    except (TypeError, ValueError):
        return False
    return True
