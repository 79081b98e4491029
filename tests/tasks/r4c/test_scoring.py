"""R4C's metric: ties, missing, empty and unknown predictions, and the published figures."""

import json

import pytest

from tasks.base import ScoringProblem
from tasks.r4c.scoring import R4CScorer

ICE = ["Ice", 0, ["ice", "melts in", "the sun"]]
SNOW = ["Snow", 1, ["snow", "falls on", "the hill"]]
GOLD = {"a": [[ICE, SNOW, SNOW], [ICE, SNOW], [ICE]], "b": [[SNOW], [SNOW], [SNOW]]}


@pytest.fixture
def score(tmp_path):
    def run(predictions, gold=GOLD, **options):
        for name, value in (("gold.json", gold), ("predictions.json", predictions)):
            (tmp_path / name).write_text(json.dumps(value))
        return R4CScorer().score(tmp_path / "gold.json", tmp_path / "predictions.json", **options)

    return run


def test_missing_empty_and_unknown_predictions_are_counted(score):
    result = score({"re": {"a": [], "z": [ICE]}})
    assert (result["n"], result["missing"], result["empty"], result["unknown"]) == (2, 1, 1, 1)
    assert result["e"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_missing_predictions_can_be_ignored(score):
    result = score({"b": [SNOW]}, ignore_missing=True)
    assert (result["n"], result["missing"]) == (1, 1)
    assert result["er"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert score({}, ignore_missing=True)["e"]["f1"] is None


@pytest.mark.parametrize(("ties", "recall"), [("first", 2 / 3), ("shortest", 1.0)])
def test_between_references_that_fit_alike_the_rule_decides(score, ties, recall):
    result = score({"a": [ICE, SNOW]}, ignore_missing=True, ties=ties)
    assert result["r"]["recall"] == pytest.approx(recall)


def test_fewer_references_are_the_first_ones(score):
    predictions = {"a": [SNOW], "b": [SNOW]}
    gold = {"a": [[ICE], [SNOW], [SNOW]], "b": [[SNOW], [ICE], [ICE]]}
    assert score(predictions, gold, references=1)["r"]["f1"] < 1
    assert score(predictions, gold, references=2)["r"]["f1"] == 1.0


def test_details_show_what_was_aligned(score):
    scorer = R4CScorer()
    result = score({"a": [ICE], "b": []}, details=True, ties="shortest")
    first = result["instances"][0]
    assert first["id"] == "a"
    assert first["e"]["reference"] == 2
    assert first["e"]["aligned"] == [{"predicted": ICE[2], "reference": ICE[2], "similarity": 1.0}]
    told = scorer.told(result)
    assert "1.000  ice | melts in | the sun  <=>  ice | melts in | the sun" in told
    assert "2 instances; 0 without a prediction, 1 empty" in told


@pytest.mark.parametrize(
    ("predictions", "reason"),
    [
        ([], "predictions.json: expected an object of derivations by id"),
        ({"a": "x"}, "a: expected a list"),
        ({"a": ["x"]}, r"a, step 1: expected \[title, sentence"),
        ({"a": [["Ice", 0, ["ice", "melts"]]]}, "a, step 1"),
        ({"a": [["Ice", "0", ["ice", "melts", "x"]]]}, "a, step 1"),
    ],
)
def test_a_prediction_in_another_form_is_refused_with_its_place(score, predictions, reason):
    with pytest.raises(ScoringProblem, match=reason):
        score(predictions)


PUBLISHED = {
    ("oracle", "official"): [83.37, 81.06, 81.42, 72.33, 69.39, 69.99, 77.66, 75.10, 75.56],
    ("oracle", "first"): [83.37, 81.21, 81.51, 72.33, 70.29, 70.53, 77.66, 75.10, 75.56],
    ("oracle", "shortest"): [83.37, 81.55, 81.72, 72.33, 70.79, 70.83, 77.66, 75.10, 75.56],
    ("bm_core", "official"): [66.44, 60.15, 62.11, 50.98, 46.03, 47.48, 59.35, 53.64, 55.41],
    ("bm_core", "first"): [66.44, 60.20, 62.13, 50.98, 46.14, 47.54, 59.35, 53.67, 55.43],
    ("bm_core", "shortest"): [66.44, 60.44, 62.29, 50.98, 46.22, 47.59, 59.35, 53.71, 55.46],
}


@pytest.mark.shared_data
@pytest.mark.parametrize(("source", "ties"), list(PUBLISHED))
def test_the_published_figures_come_out(shared_data, source, ties):
    folder = shared_data / "r4c"
    [predictions] = folder.glob(f"prediction_{source}.json*")
    result = R4CScorer().score(folder / "dev_csf.json", predictions, ties=ties, ignore_missing=True)
    figures = [100 * result[dimension][figure] for dimension in ("e", "r", "er") for figure in result[dimension]]
    assert figures == pytest.approx(PUBLISHED[source, ties], abs=0.00501)
    assert result["unknown"] == (31 if source == "oracle" else 0)
