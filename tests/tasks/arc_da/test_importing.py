"""ARC's files in both forms, and the reasons why a line is no question."""

import copy
import gzip
import json

import pytest

from tasks.arc_da.importing import read
from tasks.base import SourceItem

FLAT = {
    "id": "CW_1",
    "question": "What melts in the sun?",
    "choices": {"text": ["ice", "Ice", "iron"], "label": ["1", "2", "3"]},
    "answerKey": "1",
}
NESTED = {
    "id": "CW_1",
    "question": {
        "stem": "What melts in the sun?",
        "choices": [{"text": "ice", "label": "1"}, {"text": "Ice", "label": "2"}, {"text": "iron", "label": "3"}],
    },
    "answerKey": "1",
}
PAYLOAD = {
    "question": "What melts in the sun?",
    "choices": [{"label": "1", "text": "ice"}, {"label": "2", "text": "Ice"}, {"label": "3", "text": "iron"}],
    "answer_key": "1",
}


@pytest.fixture
def imported(tmp_path):
    def run(*lines, name="ARC-Easy-train.jsonl", **options):
        path = tmp_path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return list(read(path, options))

    return run


@pytest.mark.parametrize("record", [FLAT, NESTED])
def test_both_forms_give_the_same_item_and_options_keep_their_case(imported, record):
    assert imported(record) == [SourceItem("ARCEZ_CW_1", PAYLOAD, "train")]


@pytest.mark.parametrize(
    ("name", "key", "split"),
    [
        ("ARC-Challenge-Dev.jsonl", "ARCCH_CW_1", "dev"),
        ("arc_easy_validation.json", "ARCEZ_CW_1", "dev"),
        ("ARC-Easy-Test.jsonl.gz", "ARCEZ_CW_1", "test"),
    ],
)
def test_set_and_split_come_from_the_name(imported, name, key, split):
    [item] = imported(FLAT, name=name)
    assert (item.key, item.split) == (key, split)


def test_options_go_before_the_name(imported):
    [item] = imported(FLAT, name="ARC-Easy-Train.jsonl", set="Challenge", split="validation")
    assert (item.key, item.split) == ("ARCCH_CW_1", "dev")


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("questions.jsonl", {}, "should say the set"),
        ("ARC-Easy.jsonl", {}, "should say the split"),
        ("easy-challenge-train.jsonl", {}, "found challenge and easy"),
        ("ARC-Easy-train.jsonl", {"set": "middling"}, "found 'middling'"),
        ("contest-easily-trained.jsonl", {}, "found none"),
    ],
)
def test_a_file_without_set_or_split_is_refused_whole(imported, name, options, reason):
    [problem] = imported(FLAT, FLAT, name=name, **options)
    assert problem.line == 0
    assert reason in problem.reason


def without(name):
    return {field: value for field, value in FLAT.items() if field != name}


def nested_with(**changes):
    record = copy.deepcopy(NESTED)
    record["question"] |= changes
    return record


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ([], "expected an object, found a list"),
        ("x", "expected an object, found a text"),
        (without("id"), "expected id to be a text, found nothing"),
        (FLAT | {"id": 7}, "expected id to be a text, found a number"),
        (FLAT | {"id": "two words"}, "without blanks"),
        (FLAT | {"id": "x" * 101}, "at most 100"),
        (without("question"), "expected question to be a text, found nothing"),
        (FLAT | {"question": "  "}, "question is empty"),
        (FLAT | {"question": "x" * 10_001}, "question has 10,001 characters"),
        (without("choices"), "expected choices to be an object with text and label, found nothing"),
        (FLAT | {"choices": {"text": ["a", "b"], "label": ["A"]}}, "has 1 entries"),
        (FLAT | {"choices": {"text": ["a", "b"], "label": "AB"}}, "expected choices.label to be a list, found a text"),
        (FLAT | {"choices": {"text": ["a", 2], "label": ["A", "B"]}}, "expected choices.text to be a text"),
        (FLAT | {"choices": {"text": ["a", " "], "label": ["A", "B"]}}, "choices.text is empty"),
        (FLAT | {"choices": {"text": ["a"], "label": ["1"]}}, "expected 2 to 10 options, found 1"),
        (FLAT | {"choices": {"text": ["a", "b"], "label": ["1", "1"]}}, "two options bear the label '1'"),
        (without("answerKey"), "expected answerKey to be a text, found nothing"),
        (FLAT | {"answerKey": 1}, "expected answerKey to be a text, found a number"),
        (FLAT | {"answerKey": "A"}, "answerKey 'A' is not among the labels 1, 2, 3"),
        (nested_with(stem=None), "expected question.stem to be a text, found nothing"),
        (nested_with(choices={}), "expected question.choices to be a list, found an object"),
        (nested_with(choices=["a", "b"]), "expected question.choices[0] to be an object, found a text"),
    ],
)
def test_a_bad_record_is_reported_with_its_line_and_reason(imported, record, reason):
    good, problem = imported(FLAT | {"id": "CW_0"}, record)
    assert good.key == "ARCEZ_CW_0"
    assert (problem.file, problem.line) == ("ARC-Easy-train.jsonl", 2)
    assert reason in problem.reason


def test_an_id_may_stand_once_in_a_file(imported):
    first, problem, last = imported(FLAT, NESTED, FLAT | {"id": "CW_2"})
    assert isinstance(first, SourceItem) and isinstance(last, SourceItem)
    assert str(problem) == "ARC-Easy-train.jsonl:2: id CW_1 stands already in line 1"


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "ARC-Easy-test.json.gz"
    path.write_bytes(gzip.compress(json.dumps([FLAT, NESTED | {"id": "CW_2"}], indent=1).encode()))
    assert [item.key for item in read(path, {})] == ["ARCEZ_CW_1", "ARCEZ_CW_2"]


@pytest.mark.shared_data
def test_all_of_arc_is_read(shared_data):
    items = [item for path in sorted((shared_data / "arc").glob("ARC-*.jsonl")) for item in read(path, {})]
    assert all(isinstance(item, SourceItem) for item in items)
    sizes = {}
    for item in items:
        sizes[item.key[:5], item.split] = sizes.get((item.key[:5], item.split), 0) + 1
    assert sizes == {
        ("ARCCH", "train"): 1_119,
        ("ARCCH", "dev"): 299,
        ("ARCCH", "test"): 1_172,
        ("ARCEZ", "train"): 2_251,
        ("ARCEZ", "dev"): 570,
        ("ARCEZ", "test"): 2_376,
    }
    options = {item.key: len(item.payload["choices"]) for item in items}
    assert options["ARCCH_NYSEDREGENTS_2004_4_8"] == 3
    assert options["ARCCH_TIMSS_1995_8_N3"] == 5
