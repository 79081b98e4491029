"""What a replay imports, and how it tells one release from another."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path

import pytest

from tasks.strategyqa import release, replay
from tasks.strategyqa.importing import read
from tasks.strategyqa.simulation import knowledge

ROW = {
    "qid": "0" * 20,
    "term": "Cactus",
    "description": "desert plant",
    "question": "Could a cactus\u200b outlive its gardener? ",
    "answer": True,
    "facts": ["Some cacti live for  150 years.", "Gardeners seldom do. "],
    "decomposition": ["How old can a cactus get?", "Is #1 more than 100? "],
    "evidence": [
        [[["Cactus-3"], "no_evidence"], ["operation"]],
        [[["Cactus-1", "A-B-2"]], ["operation"]],
        [["no_evidence"], ["operation"]],
    ],
}
OTHER = ROW | {"qid": "1" * 20, "answer": False, "evidence": [*ROW["evidence"], ROW["evidence"][0]]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "strategyqa"
    folder.mkdir(parents=True)
    (folder / "train.json.gz").write_bytes(gzip.compress(json.dumps([ROW]).encode()))
    (folder / "dev.json").write_text(json.dumps([OTHER]))
    return folder.parent


def released(row: dict) -> dict:
    """A released row as it comes out: texts as forms keep them, evidence in parts."""
    made = copy.deepcopy(row)
    made["facts"] = [text.strip() for text in row["facts"]]
    made["question"] = row["question"].strip().replace("\u200b", "")
    made["evidence"] = [
        [
            {
                "paragraphs": next((part for part in step if isinstance(part, list)), None),
                "is_operation": "operation" in step,
                "lacks_evidence": "no_evidence" in step,
            }
            for step in matcher
        ]
        for matcher in row["evidence"]
    ]
    return made


def test_each_question_is_an_item_under_its_id_with_the_answer_it_should_have(data, tmp_path):
    prepared = replay.prepare(data, tmp_path / "out")
    (terms,) = prepared.sources
    items = {item.key: item.payload["expected"] for item in read(terms, {})}
    assert items == {ROW["qid"]: "yes", OTHER["qid"]: "no"}
    assert len(knowledge(prepared.knowledge)) == 2


def test_every_cited_paragraph_has_a_stand_in_under_its_id(data, tmp_path):
    (paragraphs,) = replay.prepare(data, tmp_path / "out").corpus
    found = json.loads(paragraphs.read_text())
    assert found.keys() == {"Cactus-1", "Cactus-3", "A-B-2"}
    assert (found["A-B-2"]["title"], found["A-B-2"]["para_index"]) == ("A-B", 2)


def test_a_fourth_matcher_is_ordered_where_there_was_one(data, tmp_path):
    prepared = replay.prepare(data, tmp_path / "out", limit=1)
    assert prepared.more_answers == {"evidence": {OTHER["qid"]: 1}}
    assert len(prepared.expected["train"]) == 1


def test_the_same_questions_in_another_order_of_matchers_are_no_difference():
    given = released(ROW)
    given["evidence"].reverse()
    assert replay.differences({"train": [ROW]}, {"train": [given], "test": []}) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"answer": False}, "answer should be True, is False"),
        ({"facts": ["Some cacti live for 150 years.", "Gardeners seldom do."]}, "facts should be"),
        ({"evidence": released(ROW)["evidence"][:2]}, "evidence should be"),
        ({"qid": "2" * 20}, "is missing"),
    ],
)
def test_what_differs_is_named(change, said):
    found = replay.differences({"train": [ROW]}, {"train": [released(ROW) | change]})
    assert any(said in each for each in found)


@pytest.mark.shared_data
def test_the_public_data_are_all_there(shared_data, tmp_path, public_rows):
    prepared = replay.prepare(shared_data, tmp_path)
    assert len(prepared.expected["train"]) == len(public_rows) == 2_290
    assert len(prepared.more_answers["evidence"]) == 10
    assert len(json.loads(prepared.corpus[0].read_text(encoding="utf-8"))) == 9_251
    assert release.FILES["train"] == "strategyqa_train.json"
