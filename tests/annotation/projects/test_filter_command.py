"""`filter` on files alone."""

import io
import json

import pytest
from django.core.management import CommandError, call_command


def run(*arguments):
    told = io.StringIO()
    try:
        call_command("filter", *map(str, arguments), stdout=told)
    except CommandError as error:
        return told.getvalue(), str(error)
    return told.getvalue(), ""


def question(identifier, text):
    choices = {"text": ["ice", "iron"], "label": ["A", "B"]}
    return {"id": identifier, "question": text, "choices": choices, "answerKey": "A"}


@pytest.fixture
def file(tmp_path):
    def write(name, *lines):
        path = tmp_path / name
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return write


LINES = question("CW_1", "Which of these melts?"), question("CW_2", "What is the best way to cool tea?")


def test_excluded_questions_are_given_with_their_phrases(file):
    told, failure = run("arc-da", file("ARC-Easy-test.jsonl", *LINES), file("mine.jsonl", *LINES), "--json")
    assert json.loads(told) == {
        "total": 4,
        "removed": 2,
        "share": 0.5,
        "excluded": [
            {"id": "CW_1", "key": "ARCEZ_CW_1", "phrase": "which of"},
            {"id": "CW_1", "key": "", "phrase": "which of"},
        ],
        "errors": [],
    }
    assert not failure


def test_a_reading_may_be_chosen(file):
    path = file("mine.jsonl", *LINES)
    told, _ = run("arc_da", path, "--reading", "last_sentence_suffix", "--json")
    assert [entry["phrase"] for entry in json.loads(told)["excluded"]] == ["which of", "best|est"]
    assert "2 of 2 removed (100.00%)" in run("arc_da", path, "--reading", "last_sentence_word")[0]


def test_lines_that_cannot_be_read_are_listed_and_fail(file, tmp_path):
    told, failure = run("arc-da", file("mine.jsonl", "{broken\n", *LINES), tmp_path / "none.jsonl", "--json")
    result = json.loads(told)
    assert (result["total"], result["removed"]) == (2, 1)
    assert [(fault["file"], fault["line"]) for fault in result["errors"]] == [("mine.jsonl", 1), ("none.jsonl", 0)]
    assert failure == "2 lines or files can't be read"


def test_unknown_datasets_and_readings_list_what_there_is(file):
    path = file("mine.jsonl", *LINES)
    assert "there are arc_da" in run("arc-db", path)[1]
    assert "release_consistent" in run("arc-da", path, "--reading", "literal")[1]


@pytest.mark.shared_data
def test_all_of_arc_is_filtered_as_published(shared_data):
    told, failure = run("arc-da", *sorted((shared_data / "arc").glob("ARC-*.jsonl")), "--json")
    result = json.loads(told)
    assert (result["total"], result["removed"]) == (7_787, 3_081)
    assert len({entry["key"] for entry in result["excluded"]}) == 3_081
    assert not failure
