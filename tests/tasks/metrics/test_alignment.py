"""Aligned derivation steps: by hand, by brute force, and against the published vectors."""

import gzip
import itertools
import json
import random

import pytest

from tasks.metrics.alignment import DIMENSIONS, alignments

ICE = ("ice", "melts in", "sun")
SNOW = ("snow", "falls on", "hill")


def test_equal_derivations_align_fully_in_any_order_and_case():
    found = alignments([ICE, SNOW], [("SNOW", "Falls on", "Hill"), ICE])
    for dimension in DIMENSIONS:
        assert (found[dimension].precision, found[dimension].recall, found[dimension].f1) == (1.0, 1.0, 1.0)
        assert found[dimension].pairs == ((0, 1, 1.0), (1, 0, 1.0))


def test_dimensions_compare_entities_relation_or_all_three():
    found = alignments([("ice", "melts in", "sun")], [("ice", "freezes x", "sun")])
    assert found["e"].score == 1.0
    assert found["r"].score < 1
    assert found["er"].score == pytest.approx((2 + found["r"].score) / 3)


def test_steps_too_many_cost_precision_and_steps_too_few_recall():
    found = alignments([ICE, SNOW], [ICE])["e"]
    assert (found.precision, found.recall, found.f1) == (0.5, 1.0, pytest.approx(2 / 3))


@pytest.mark.parametrize(("predicted", "expected"), [([], [ICE]), ([ICE], []), ([], []), ([("x", "y", "z")], [ICE])])
def test_nothing_alike_scores_nothing(predicted, expected):
    assert alignments(predicted, expected)["r"].f1 == 0.0


def test_the_alignment_is_the_best_of_all_one_to_one_ones():
    dice = random.Random(2)
    word = lambda: "".join(dice.choices("abcd ", k=dice.randint(1, 8)))  # noqa: E731
    for _ in range(60):
        one = [(word(), word(), word()) for _ in range(dice.randint(1, 4))]
        other = [(word(), word(), word()) for _ in range(dice.randint(1, 4))]
        for dimension, found in alignments(one, other).items():
            single = {
                (i, j): alignments([one[i]], [other[j]])[dimension].score
                for i in range(len(one))
                for j in range(len(other))
            }
            few, many = sorted((len(one), len(other)))
            best = max(
                sum(
                    single[(a, b) if len(one) <= len(other) else (b, a)]
                    for a, b in zip(range(few), places, strict=True)
                )
                for places in itertools.permutations(range(many), few)
            )
            assert found.score == pytest.approx(best)


@pytest.mark.shared_data
def test_the_published_vectors_come_out(shared_data):
    folder = shared_data / "r4c"
    references = json.loads((folder / "dev_csf.json").read_text(encoding="utf-8"))
    predictions = {
        "oracle": json.loads((folder / "prediction_oracle.json").read_text(encoding="utf-8"))["re"],
        "bm_core": json.loads(gzip.decompress((folder / "prediction_bm_core.json.gz").read_bytes()))["re"],
    }
    vectors = json.loads((folder / "alignment_vectors.json").read_text(encoding="utf-8"))["vectors"]
    assert len(vectors) == 24
    for vector in vectors:
        predicted = [step[2] for step in predictions[vector["source"]][vector["id"]]]
        assert len(predicted) == vector["pred_steps"]
        found = [alignments(predicted, [step[2] for step in reference]) for reference in references[vector["id"]]]
        for dimension, published in vector["dims"].items():
            for row in published["per_ref"]:
                ours = found[row["ref"]][dimension]
                assert ours.expected == row["ref_steps"]
                figures = [ours.score, ours.precision, ours.recall, ours.f1]
                assert figures == pytest.approx([row[name] for name in ("score", "p", "r", "f1")], abs=1e-7)
            scores = [round(by[dimension].score, 9) for by in found]
            assert [place for place, score in enumerate(scores) if score == max(scores)] == published["best_refs"]
