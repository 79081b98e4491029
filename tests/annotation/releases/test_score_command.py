"""`score` on files alone."""

import io
import json

import pytest
from django.core.management import CommandError, call_command


def run(*arguments):
    told = io.StringIO()
    call_command("score", *map(str, arguments), stdout=told)
    return told.getvalue()


@pytest.fixture
def files(tmp_path):
    gold, predictions = tmp_path / "gold.jsonl", tmp_path / "predictions.jsonl"
    gold.write_text('{"question_id": "Q1", "answers": ["gravity"]}\n{"question_id": "Q2", "answers": ["ice"]}\n')
    predictions.write_text('{"question_id": "Q1", "answer": "the gravity"}\n')
    return "--gold", gold, "--predictions", predictions


@pytest.mark.parametrize("arguments", [("arc-da", "--json"), ("arc_da", "--json"), ("--json", "arc-da")])
def test_scores_are_one_json_value_wherever_the_option_stands(files, arguments):
    split = arguments.index("arc-da") if "arc-da" in arguments else 0
    result = json.loads(run(*arguments[: split + 1], *files, *arguments[split + 1 :]))
    assert (result["f1"], result["exact"], result["n"], result["missing"]) == (0.5, 0.5, 2, 1)
    assert result["rouge_l"] == pytest.approx(1 / 3)
    assert len(result["f1_interval"]) == len(result["rouge_l_interval"]) == 2


def test_people_read_percentages(files):
    assert "F1       50.00%" in run("arc-da", *files)


def test_what_cannot_be_scored_is_said(files, tmp_path):
    with pytest.raises(CommandError, match="invalid choice: 'arc-db'"):
        run("arc-db", *files)
    with pytest.raises(CommandError, match="No such file"):
        run("arc-da", "--gold", tmp_path / "none.jsonl", *files[2:])
