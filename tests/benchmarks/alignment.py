"""R4C's metric beside a plain integer program: `.venv/bin/python -m tests.benchmarks.alignment [--instances 200]`.

Both score the public predictions of `bm_core` against the three references of each instance, in e, r and er.
The integer program is the paper's formulation (section 2.3) as one would write it down: a 0/1 variable for each
pair of steps, at most one pair a step, solved by CBC through PuLP. It is given the same similarities, so that the
ratio is about aligning and not about edit distances. Both must come to the same sums.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pulp
from rapidfuzz.distance import Levenshtein

from tasks.metrics.alignment import DIMENSIONS, Triplet, alignments
from tasks.r4c.derivations import read_predictions, read_references
from tests.services import ROOT

Pair = tuple[list[Triplet], list[Triplet]]


def integer_program(predicted: Sequence[Triplet], expected: Sequence[Triplet]) -> dict[str, float]:
    """The largest sum of similarities in each dimension."""
    return {dimension: _solved(predicted, expected, dimension) for dimension in DIMENSIONS}


def _solved(predicted: Sequence[Triplet], expected: Sequence[Triplet], dimension: str) -> float:
    parts = {"e": (0, 2), "r": (1,), "er": (0, 1, 2)}[dimension]
    worth = {
        (row, column): statistics.fmean(
            Levenshtein.normalized_similarity(one[part].lower(), other[part].lower()) for part in parts
        )
        for row, one in enumerate(predicted)
        for column, other in enumerate(expected)
    }
    if not worth:
        return 0.0
    program = pulp.LpProblem("alignment", pulp.LpMaximize)
    taken = {pair: pulp.LpVariable(f"x_{pair[0]}_{pair[1]}", cat="Binary") for pair in worth}
    program += pulp.lpSum(worth[pair] * taken[pair] for pair in worth)
    for row in range(len(predicted)):
        program += pulp.lpSum(taken[row, column] for column in range(len(expected))) <= 1
    for column in range(len(expected)):
        program += pulp.lpSum(taken[row, column] for row in range(len(predicted))) <= 1
    program.solve(pulp.PULP_CBC_CMD(msg=False))
    return pulp.value(program.objective) or 0.0


def by_assignment(predicted: Sequence[Triplet], expected: Sequence[Triplet]) -> dict[str, float]:
    return {dimension: found.score for dimension, found in alignments(predicted, expected).items()}


def pairs(data: Path) -> list[Pair]:
    """Predicted and reference derivations, three pairs an instance."""
    folder = data / "r4c"
    expected = read_references(folder / "dev_csf.json")
    predicted = read_predictions(folder / "prediction_bm_core.json.gz")
    return [
        ([step.triplet for step in predicted.get(key, [])], [step.triplet for step in derivation])
        for key, derivations in expected.items()
        for derivation in derivations
    ]


def timed(way: Callable[..., dict[str, float]], several: Sequence[Pair]) -> tuple[float, list[dict[str, float]]]:
    began = time.perf_counter()
    found = [way(*pair) for pair in several]
    return time.perf_counter() - began, found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.alignment", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--instances", type=int, help="the integer program solves only the first so many")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    several = pairs(options.data)
    part = several[: 3 * options.instances] if options.instances else several
    alignments(*several[0])  # what is imported at first use is not the metric's time
    whole, _ = timed(by_assignment, several)
    quick, ours = timed(by_assignment, part)
    slow, theirs = timed(integer_program, part)
    apart = max(abs(one[name] - other[name]) for one, other in zip(ours, theirs, strict=True) for name in DIMENSIONS)
    result = {
        "instances": len(several) // 3,
        "seconds": round(whole, 3),
        "compared_instances": len(part) // 3,
        "compared_seconds": round(quick, 4),
        "integer_program_seconds": round(slow, 2),
        "times_faster": round(slow / quick),
        "largest_difference": apart,
    }
    if apart > 1e-6:
        sys.exit(f"the two ways disagree by {apart}")
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{result['instances']:,} instances, three references, e, r and er: {whole:.2f} s")
    print(f"integer program, {result['compared_instances']:,} of them: {slow:.1f} s against {quick:.3f} s")
    print(f"{result['times_faster']} times faster; the sums differ by at most {apart:.1e}")


if __name__ == "__main__":
    main()
