"""Scores answers to ARC-DA questions: F1 and ROUGE-L against the best gold answer, as the paper reports them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tasks.base import Scorer, ScoringProblem, SourceProblem
from tasks.metrics.intervals import mean, method_of
from tasks.metrics.overlap import best, exact, f1, rouge_l
from tasks.sources import records

METRICS = {"f1": f1, "rouge_l": rouge_l, "exact": exact}


class ArcDaScorer(Scorer):
    title = "F1 and ROUGE-L of predicted answers, the best gold answer of each question counting"
    example = "./crowdwright score arc-da --gold test.jsonl --predictions predictions.jsonl --json"

    def score(self, gold: Path, predictions: Path, **options: Any) -> dict:
        """Means over all gold questions; a question without a prediction scores 0.

        Gold lines are released rows, predictions are lines of `{"question_id", "answer"}`.
        """
        golds = _by_id(gold, "answers", _texts)
        given = _by_id(predictions, "answer", _text)
        if not golds:
            raise ScoringProblem(f"{gold.name} holds no questions")
        result: dict[str, Any] = {}
        for name, metric in METRICS.items():
            found = mean([best(metric, given.get(key, ""), answers) for key, answers in golds.items()])
            result |= {name: found.value, f"{name}_interval": [found.low, found.high]}
        return result | {
            "n": len(golds),
            "missing": len(golds.keys() - given.keys()),
            "unknown": len(given.keys() - golds.keys()),
            "method": method_of("questions"),
        }

    def told(self, result: Mapping[str, Any]) -> str:
        lines = []
        for name, label in (("f1", "F1"), ("rouge_l", "ROUGE-L"), ("exact", "Exact")):
            low, high = result[f"{name}_interval"]
            lines.append(f"{label:8}{result[name]:7.2%}   [{low:.2%}, {high:.2%}]")
        counts = f"{result['n']:,} questions, {result['missing']:,} without a prediction (scored 0)"
        return "\n".join([*lines, f"{counts}, {result['unknown']:,} predictions for unknown questions"])


def _by_id(path: Path, name: str, value_of: Callable[[Any], Any]) -> dict[str, Any]:
    """One field of each line by question id; a file with a fault is not scored at all."""
    found: dict[str, Any] = {}
    for record in records(path):
        if isinstance(record, SourceProblem):
            raise ScoringProblem(str(record))
        place = f"{path.name}:{record.line}"
        if not isinstance(record.value, dict) or not isinstance(key := record.value.get("question_id"), str):
            raise ScoringProblem(f'{place}: expected an object with a "question_id", found {str(record.value)[:60]}')
        if key in found:
            raise ScoringProblem(f"{place}: question_id {key} stands there twice")
        value = value_of(record.value.get(name))
        if value is None:
            raise ScoringProblem(f'{place}: "{name}" is missing or no {value_of.__doc__}')
        found[key] = value
    return found


def _text(value: Any) -> str | None:
    """text"""
    return value if isinstance(value, str) else None


def _texts(value: Any) -> list[str] | None:
    """list of texts"""
    return value if isinstance(value, list) and all(isinstance(text, str) for text in value) else None
