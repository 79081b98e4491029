"""The evaluator: its published example, and files with faults."""

import json

import pytest

from tasks.base import ScoringProblem
from tasks.strategyqa.scoring import StrategyQAScorer

GOLD = [
    {
        "qid": "a",
        "question": "Is a fir taller than a house?",
        "answer": True,
        "decomposition": ["How tall is a fir?", "Is #1 much?"],
        "evidence": [[[["Fir-1", "Fir-2"]], ["operation"]], [[["Ash-1"]], ["no_evidence"]], [["no_evidence"], []]],
    },
    {
        "qid": "b",
        "question": "Is ice hot?",
        "answer": False,
        "decomposition": ["Is ice hot?"],
        "evidence": [[["operation"]]],
    },
]


@pytest.fixture
def score(tmp_path):
    def run(predictions, gold=GOLD, **options):
        (tmp_path / "gold.json").write_text(json.dumps(gold))
        (tmp_path / "predictions.json").write_text(json.dumps(predictions))
        return StrategyQAScorer().score(tmp_path / "gold.json", tmp_path / "predictions.json", **options)

    return run


def test_only_what_is_predicted_is_scored_and_missing_questions_count_nothing(score):
    result = score({"a": {"answer": True}, "z": {"answer": True}})
    assert result["accuracy"] == 0.5
    assert (result["n"], result["missing"], result["unknown"]) == (2, 1, 1)
    assert "sari" not in result and "recall_at_10" not in result


def test_recall_takes_the_annotator_that_fits_best_and_stops_at_the_limit(score):
    predictions = {"a": {"paragraphs": ["Fir-1", "Ash-1"]}, "b": {"paragraphs": []}}
    assert score(predictions)["recall_at_10"] == 0.5
    assert score(predictions, retrieval_limit=1)["recall_at_1"] == 0.25


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(score, limit):
    with pytest.raises(ScoringProblem, match=f"1 or more, found {limit}"):
        score({"a": {"paragraphs": ["Fir-1"]}}, retrieval_limit=limit)


def test_a_decomposition_like_the_gold_one_scores_full(score):
    result = score({row["qid"]: {"decomposition": row["decomposition"]} for row in GOLD})
    assert result["sari"] == 1.0
    assert "sari          100.00%" in StrategyQAScorer().told(result)


@pytest.mark.parametrize(
    ("gold", "predictions", "reason"),
    [
        ([], {}, "gold.json: expected a list of questions"),
        ([{"qid": "a", "question": "?"}], {}, "gold.json: question 1: expected qid"),
        (GOLD * 2, {}, "2 qids stand there more than once"),
        (GOLD, [], "predictions.json: expected an object"),
        (GOLD, {"a": True}, "a: expected an object"),
        (GOLD, {"a": {"answer": "yes"}}, "a: expected answer to be true or false"),
        (GOLD, {"a": {"paragraphs": "Fir-1"}}, "a: expected paragraphs to be a list of texts"),
    ],
)
def test_files_in_another_form_are_refused_with_their_place(score, gold, predictions, reason):
    with pytest.raises(ScoringProblem, match=reason):
        score(predictions, gold)


@pytest.mark.shared_data
def test_the_official_example_comes_out_to_the_last_digit(shared_data):
    folder = shared_data / "strategyqa"
    result = StrategyQAScorer().score(folder / "eval_gold_small.json", folder / "eval_predictions_small.json")
    found = [result["accuracy"], result["sari"], result["recall_at_10"]]
    assert found == [0.8, 0.6644986320583632, 0.2833333333333333]
