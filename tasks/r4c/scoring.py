"""Scores derivations against R4C's references: precision, recall and F1 of aligned steps, for e, r and er."""

import random
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tasks.base import Scorer, ScoringProblem
from tasks.metrics.alignment import DIMENSIONS, Alignment, alignments
from tasks.metrics.intervals import mean, method_of
from tasks.r4c.derivations import Derivation, NoDerivations, read_predictions, read_references

FIGURES = ("precision", "recall", "f1")
TIES = ("official", "shortest", "first")
OFFICIAL_SEED = 3
# Sums of the same similarities in another order differ in the last digits: equal to nine is a tie.
DIGITS = 9


class Scored(NamedTuple):
    """An instance in one dimension: the reference that fits best and the alignment with it."""

    key: str
    reference: int
    alignment: Alignment


class R4CScorer(Scorer):
    title = "precision, recall and F1 of derivation steps aligned with the best of three references"
    example = "./crowdwright score r4c --gold dev_csf.json --predictions prediction.json --ties shortest --json"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--ties",
            choices=TIES,
            default="official",
            help="which of several equally fitting references counts: the first in the order that the official "
            "script draws with its seed (default), the shortest, or the first in the file",
        )
        parser.add_argument(
            "--references", type=int, choices=(1, 2, 3), default=3, help="use the first N references in file order"
        )
        parser.add_argument("--ignore-missing", action="store_true", help="leave out instances without a prediction")
        parser.add_argument("--details", action="store_true", help="add every instance with its alignment")

    def score(
        self,
        gold: Path,
        predictions: Path,
        *,
        ties: str = "official",
        references: int = 3,
        ignore_missing: bool = False,
        details: bool = False,
        **options: Any,
    ) -> dict:
        """Means over the instances; a missing or empty prediction scores 0, unless missing ones are ignored."""
        try:
            expected, predicted = read_references(gold), read_predictions(predictions)
        except NoDerivations as problem:
            raise ScoringProblem(str(problem)) from None
        scored = scores(expected, predicted, ties=ties, references=references, ignore_missing=ignore_missing)
        found = {
            dimension: {figure: mean([getattr(one.alignment, figure) for one in instances]) for figure in FIGURES}
            for dimension, instances in scored.items()
        }
        result: dict[str, Any] = {
            dimension: {figure: interval.value for figure, interval in figures.items()}
            for dimension, figures in found.items()
        }
        result["intervals"] = {
            dimension: {figure: [interval.low, interval.high] for figure, interval in figures.items()}
            for dimension, figures in found.items()
        }
        result |= {
            "n": len(scored["e"]),
            "missing": len(expected.keys() - predicted.keys()),
            "unknown": len(predicted.keys() - expected.keys()),
            "empty": sum(1 for key in expected if key in predicted and not predicted[key]),
            "ties": ties,
            "references": references,
            "method": method_of("questions"),
        }
        if details:
            result["instances"] = _details(scored, expected, predicted)
        return result

    def told(self, result: Mapping[str, Any]) -> str:
        lines = [_told_instance(instance) for instance in result.get("instances", [])]
        lines.append(f"{'':4}{'precision':>12}{'recall':>10}{'f1':>10}")
        for dimension in DIMENSIONS:
            precision, recall, f1 = (_share(result[dimension][figure]) for figure in FIGURES)
            lines.append(f"{dimension:4}{precision:>12}{recall:>10}{f1:>10}")
        lines.append(
            f"{result['n']:,} instances; {result['missing']:,} without a prediction, {result['empty']:,} empty, "
            f"{result['unknown']:,} predictions for unknown instances"
        )
        return "\n".join(lines)


def scores(
    expected: Mapping[str, Sequence[Derivation]],
    predicted: Mapping[str, Derivation],
    *,
    ties: str = "official",
    references: int = 3,
    ignore_missing: bool = False,
) -> dict[str, list[Scored]]:
    """Each instance in each dimension, in the order of the references' file."""
    order = _order_of(ties)
    aligned = {
        key: [
            alignments([step.triplet for step in predicted.get(key, [])], [step.triplet for step in derivation])
            for derivation in derivations[:references]
        ]
        for key, derivations in expected.items()
        if key in predicted or not ignore_missing
    }
    # Dimension by dimension: the official script draws in this order.
    return {
        dimension: [_best(key, [by[dimension] for by in several], order) for key, several in aligned.items()]
        for dimension in DIMENSIONS
    }


def _best(key: str, candidates: list[Alignment], order: Callable[[list[Alignment]], list[int]]) -> Scored:
    if not candidates:
        return Scored(key, -1, Alignment((), 0, 0))
    place = max(order(candidates), key=lambda place: round(candidates[place].score, DIGITS))
    return Scored(key, place, candidates[place])


def _order_of(ties: str) -> Callable[[list[Alignment]], list[int]]:
    """In which order the references of an instance are tried; the first of the best wins."""
    dice = random.Random(OFFICIAL_SEED)

    def drawn(candidates: list[Alignment]) -> list[int]:
        return dice.sample(range(len(candidates)), len(candidates))

    def by_length(candidates: list[Alignment]) -> list[int]:
        return sorted(range(len(candidates)), key=lambda place: candidates[place].expected)

    def as_they_stand(candidates: list[Alignment]) -> list[int]:
        return list(range(len(candidates)))

    return {"official": drawn, "shortest": by_length, "first": as_they_stand}[ties]


def _details(
    scored: Mapping[str, list[Scored]],
    expected: Mapping[str, Sequence[Derivation]],
    predicted: Mapping[str, Derivation],
) -> list[dict]:
    """Every instance with its figures and the triplets that were aligned."""
    instances = []
    for several in zip(*(scored[dimension] for dimension in DIMENSIONS), strict=True):
        key = several[0].key
        entry: dict[str, Any] = {"id": key}
        for dimension, one in zip(DIMENSIONS, several, strict=True):
            alignment = one.alignment
            entry[dimension] = {figure: getattr(alignment, figure) for figure in FIGURES} | {
                "reference": one.reference,
                "aligned": [
                    {
                        "predicted": list(predicted[key][step].triplet),
                        "reference": list(expected[key][one.reference][other].triplet),
                        "similarity": similarity,
                    }
                    for step, other, similarity in alignment.pairs
                ],
            }
        instances.append(entry)
    return instances


def _told_instance(instance: Mapping[str, Any]) -> str:
    lines = []
    for dimension in DIMENSIONS:
        found = instance[dimension]
        figures = " ".join(_share(found[figure]) for figure in FIGURES)
        lines.append(f"{instance['id']} {dimension}: {figures}, reference {found['reference'] + 1}")
        for pair in found["aligned"]:
            one, other = (" | ".join(pair[side]) for side in ("predicted", "reference"))
            lines.append(f"  {pair['similarity']:.3f}  {one}  <=>  {other}")
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.2%}"
