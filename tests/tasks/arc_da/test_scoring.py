"""Scores of predictions, and files that can't be scored."""

import json

import pytest

from tasks.base import ScoringProblem
from tasks.registry import scorers

GOLD = [
    {"question_id": "Q1", "answers": ["gravity", "the force of gravity"], "tag": "EASY-TEST", "question": "?"},
    {"question_id": "Q2", "answers": ["from liquid to solid"], "tag": "EASY-TEST", "question": "?"},
    {"question_id": "Q3", "answers": ["ice"], "tag": "EASY-TEST", "question": "?"},
    {"question_id": "Q4", "answers": [], "tag": "EASY-TEST", "question": "?"},
]


@pytest.fixture
def score(tmp_path):
    def run(gold, predictions):
        for name, lines in (("gold", gold), ("predictions", predictions)):
            (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        return scorers()["arc_da"].score(tmp_path / "gold", tmp_path / "predictions")

    return run


def test_missing_predictions_count_as_nothing_and_unknown_ones_are_counted(score):
    predictions = [
        {"question_id": "Q1", "answer": "Gravity."},
        {"question_id": "Q2", "answer": "from solid to liquid"},
        {"question_id": "Q9", "answer": "x"},
    ]
    result = score(GOLD, predictions)
    assert (result["f1"], result["rouge_l"], result["exact"]) == (0.5, 0.375, 0.25)
    assert (result["n"], result["missing"], result["unknown"]) == (4, 2, 1)
    low, high = result["f1_interval"]
    assert 0 <= low <= 0.5 <= high <= 1


@pytest.mark.parametrize(
    ("gold", "predictions", "reason"),
    [
        ([], [], "gold holds no questions"),
        (GOLD, [{"question_id": "Q1", "answer": 5}], 'predictions:1: "answer" is missing or no text'),
        (GOLD, [{"answer": "x"}], 'predictions:1: expected an object with a "question_id"'),
        (GOLD, [["Q1", "x"]], "predictions:1: expected an object"),
        (GOLD, [{"question_id": "Q1", "answer": "x"}] * 2, "predictions:2: question_id Q1 stands there twice"),
        ([{"question_id": "Q1", "answers": "ice"}], [], 'gold:1: "answers" is missing or no list of texts'),
    ],
)
def test_a_file_with_a_fault_is_refused_with_its_place(score, gold, predictions, reason):
    with pytest.raises(ScoringProblem, match=reason.replace("(", r"\(")):
        score(gold, predictions)
