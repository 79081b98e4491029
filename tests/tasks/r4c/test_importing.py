"""HotpotQA in its forms, and instances that are refused."""

import json

import pytest

from tasks.base import SourceItem, SourceProblem
from tasks.r4c.importing import read

CONTEXT = [
    ["Ant &amp; Bee", ["Ant is small.", "", " Bee flies."]],
    ["Hive", ["A hive holds bees."]],
    ["Honey", ["Honey is sweet."]],
]
LISTS = {
    "_id": "h1",
    "question": " Who flies? ",
    "answer": "Bee",
    "supporting_facts": [["Ant &amp; Bee", 2], ["Hive", 0], ["Hive", 7], ["Hive", 0]],
    "context": CONTEXT,
    "type": "bridge",
    "level": "easy",
}
COLUMNS = {
    "id": "h1",
    "question": "Who flies?",
    "answer": "Bee",
    "supporting_facts": {"title": ["Ant &amp; Bee", "Hive", "Hive"], "sent_id": [2, 0, 7]},
    "context": {"title": [title for title, _ in CONTEXT], "sentences": [sentences for _, sentences in CONTEXT]},
}


@pytest.fixture
def imported(tmp_path):
    def run(*instances, name="hotpot_dev.json", **options):
        (tmp_path / name).write_text(json.dumps(list(instances)))
        return list(read(tmp_path / name, options))

    return run


@pytest.mark.parametrize("instance", [LISTS, COLUMNS])
def test_both_forms_give_the_same_item(imported, instance):
    [item] = imported(instance)
    assert (item.key, item.split) == ("h1", "dev")
    assert item.payload == {
        "question": "Who flies?",
        "answer": "Bee",
        "articles": [{"title": title, "sentences": sentences} for title, sentences in CONTEXT],
        # The seventh sentence of "Hive" does not exist, and a fact counts once.
        "supporting_facts": [{"title": "Ant &amp; Bee", "sentence": 2}, {"title": "Hive", "sentence": 0}],
        "candidates": ["Bee", "Honey", "Hive", "Ant & Bee"],
    }


def test_instances_without_supporting_facts_are_taken(imported):
    [item] = imported(LISTS | {"supporting_facts": None})
    assert item.payload["supporting_facts"] == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"supporting_facts": [["Wasp", 0], ["Hive", 0]]}, "gold article missing from the context: Wasp"),
        ({"supporting_facts": None, "supporting_titles": ["Wasp"]}, "gold article missing from the context: Wasp"),
        ({"supporting_facts": [["Hive", -1]]}, "expected [title, sentence number]"),
        ({"supporting_facts": {"title": ["Hive"], "sent_id": []}}, "lists of one length"),
        ({"context": []}, "expected context to be a list of articles"),
        ({"context": [["Hive", "one text"]]}, "expected [title, [sentences]] in context"),
        ({"context": [["Hive", [1]]]}, "expected sentences of 'Hive' to be a list of texts"),
        ({"context": [["Hive", []], ["Hive", []]]}, "two articles bear the title 'Hive'"),
        ({"context": {"title": ["Hive"], "sentences": []}}, "lists of one length"),
        ({"context": [["Hive", ["x" * 200_001]]], "supporting_facts": []}, "at most 200,000 characters"),
        ({"answer": " "}, "expected answer to be a text that is not empty"),
        ({"_id": "two words"}, "expected an id without blanks"),
    ],
)
def test_an_instance_that_cannot_be_used_is_refused_with_the_reason(imported, changes, reason):
    [problem] = imported(LISTS | changes)
    assert isinstance(problem, SourceProblem)
    assert reason in problem.reason


def test_an_id_may_stand_once(imported):
    assert [type(found) for found in imported(LISTS, COLUMNS)] == [SourceItem, SourceProblem]


def test_a_file_without_a_split_is_refused(imported):
    assert "should say the split" in imported(LISTS, name="hotpot.json")[0].reason
    assert imported(LISTS, name="hotpot.json", split="train")[0].split == "train"


def test_a_sample_depends_on_seed_and_ids_alone(imported):
    instances = [LISTS | {"_id": f"h{number}"} for number in range(60)]
    drawn = {item.key for item in imported(*instances, sample="20", seed="5")}
    assert len(drawn) == 20
    assert {item.key for item in imported(*instances[::-1], sample="20", seed="5")} == drawn
    assert {item.key for item in imported(*instances, sample="20", seed="6")} != drawn
    assert {item.key for item in imported(*instances, sample="10", seed="5")} < drawn
    assert "whole number" in imported(LISTS, sample="ten")[0].reason


def test_an_option_that_is_left_empty_counts_as_not_given(imported):
    instances = [LISTS | {"_id": f"h{number}", "answer": "yes"} for number in range(9)]
    empty = {"sample": "", "seed": "", "opposite": "", "split": ""}
    assert list(imported(*instances, **empty)) == list(imported(*instances))
    drawn = list(imported(*instances, sample="3"))
    assert len(drawn) == 3
    assert list(imported(*instances, **empty | {"sample": "3"})) == drawn


@pytest.mark.shared_data
def test_real_instances_are_read_and_those_without_their_gold_articles_refused(shared_data):
    folder = shared_data / "hotpotqa"
    numbers = {}
    for name in ("r4c_instances_original", "r4c_instances_rebuilt", "other_instances", "fullwiki_gold_missing"):
        found = list(read(folder / f"{name}.json.gz", {"split": "dev"}))
        numbers[name] = (len(found), sum(isinstance(item, SourceItem) for item in found))
    assert numbers == {
        "r4c_instances_original": (274, 274),
        "r4c_instances_rebuilt": (136, 136),
        "other_instances": (624, 624),
        "fullwiki_gold_missing": (40, 0),
    }
