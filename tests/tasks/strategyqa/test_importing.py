"""Terms from files."""

import json

import pytest

from tasks.base import SourceItem
from tasks.strategyqa.importing import read


@pytest.fixture
def imported(tmp_path):
    def run(*lines):
        (tmp_path / "terms.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        return list(read(tmp_path / "terms.jsonl", {}))

    return run


def test_a_term_may_lack_its_description(imported):
    assert imported({"term": " Fir  tree ", "description": " tall "}, {"term": "Ash", "qid": 5}) == [
        SourceItem("Fir tree", {"term": "Fir tree", "description": "tall"}),
        SourceItem("Ash", {"term": "Ash", "description": ""}),
    ]


def test_a_record_may_name_its_one_question_and_the_expected_answer(imported):
    first, second = imported({"term": "Fir", "key": "a1", "expected": "yes"}, {"term": "Fir", "key": "a2"})
    assert (first.key, first.payload) == ("a1", {"term": "Fir", "description": "", "expected": "yes"})
    assert (second.key, second.payload) == ("a2", {"term": "Fir", "description": ""})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"description": "x"}, 'expected an object with a "term"'),
        ({"term": " "}, 'expected an object with a "term"'),
        (["Fir"], 'expected an object with a "term"'),
        ({"term": "Fir"}, "stands already in line 1"),
        ({"term": "x" * 121}, "at most 120 characters"),
        ({"term": "Ash", "expected": "maybe"}, "to be yes or no"),
        ({"term": "Ash", "key": "Ash"}, "a short name other than the term"),
        ({"term": "Ash", "key": 5}, "a short name other than the term"),
        ({"term": "Ash", "key": "Fir"}, "stands already in line 1"),
        ({"term": "Ash", "description": 3}, "expected description to be a text"),
        ({"term": "Ash", "description": "x" * 1_001}, "at most 1,000 characters"),
    ],
)
def test_a_bad_line_is_reported(imported, line, reason):
    good, problem = imported({"term": "Fir"}, line)
    assert isinstance(good, SourceItem)
    assert problem.line == 2
    assert reason in problem.reason
