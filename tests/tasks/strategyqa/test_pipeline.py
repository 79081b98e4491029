"""From terms to released rows: what goes on to which stage, who is in the test set, what is released of it."""

from __future__ import annotations

import dataclasses

import pytest

from tasks import registry
from tasks.base import TRIED, Accepted, Follower, Rejected, SourceItem
from tasks.strategyqa.pipeline import Settings

PIPELINE = registry.pipeline("strategyqa")
QUESTION = {
    "term": "Cactus",
    "description": "desert plant",
    "question": "Could a cactus outlive its gardener?",
    "answer": True,
    "facts": ["Some cacti live for 150 years.", "Gardeners seldom live for 100 years."],
}
STEPS = [
    {"text": "How old can a cactus get?", "page": "Cactus"},
    {"text": "How old do people get?", "page": "Life expectancy"},
    {"text": "Is #1 more than #2?", "page": ""},
]
FOUND = [
    {"paragraphs": ["Cactus-3"], "is_operation": False, "lacks_evidence": False},
    {"paragraphs": ["Life expectancy-1", "Ageing-2"], "is_operation": False, "lacks_evidence": True},
    {"paragraphs": None, "is_operation": True, "lacks_evidence": False},
]
EVIDENCE = {"evidence": [{"from_answers": [place], "matched": FOUND} for place in (7, 8, 9)]}


def accepted(key: str, writer: str) -> Accepted:
    question = QUESTION | {"question": f"Could {key} outlive its gardener?"}
    return Accepted(
        key=key,
        split="",
        item={"term": "Cactus", "description": "desert plant", "expected": "yes"},
        outcomes={"question": question, "decomposition": {"steps": STEPS}, "evidence": EVIDENCE},
        judgements={"question": [{"worker": writer, "answer": {}, "seconds": 60}]},
    )


ITEMS = [accepted(f"Cactus/{number}", writer) for number, writer in enumerate(["ann", "ann", "bob", "cy", "cy", "cy"])]


def test_a_term_is_as_many_items_as_questions_are_wanted():
    term = SourceItem("Cactus", {"term": "Cactus", "description": ""})
    found = PIPELINE.spread(term, Settings(questions_per_term=3))
    assert [one.key for one in found] == ["Cactus/1", "Cactus/2", "Cactus/3"]
    assert all(one.payload == term.payload for one in found)


def test_a_record_with_a_key_of_its_own_is_one_item():
    named = SourceItem("a1", {"term": "Cactus", "description": ""})
    assert PIPELINE.spread(named, Settings()) == [named]


def test_in_place_of_a_fallen_question_another_is_offered_up_to_the_bound():
    fallen = SourceItem("Cactus/2", {"term": "Cactus", "description": "", "expected": "yes"})
    taken = {"Cactus/1", "Cactus/2", "Cactus/2~2"}
    found = PIPELINE.replacement(fallen, taken, Settings())
    assert (found.key, found.payload["expected"]) == ("Cactus/3", "")
    assert PIPELINE.replacement(fallen, taken, Settings(tries_per_term=3)) is None


def test_a_term_with_a_slash_keeps_to_itself():
    assert PIPELINE.family(SourceItem("AC/DC/4", {"term": "AC/DC"})) == "AC/DC/"
    assert PIPELINE.family(SourceItem("AC/DC/4~2", {"term": "AC/DC"})) == "AC/DC/"
    assert PIPELINE.family(SourceItem("AC/DC/4", {"term": "AC"})) == ""
    assert PIPELINE.family(SourceItem("AC/DC", {"term": "AC"})) == ""


def test_a_question_goes_on_to_be_decomposed_and_then_to_three_matchers():
    ((stage, source),) = PIPELINE.promote("question", "Cactus/1", {}, QUESTION, Settings(), split="")
    assert (stage, source.key, source.payload) == ("decomposition", "Cactus/1", QUESTION)
    ((stage, source),) = PIPELINE.promote("decomposition", "Cactus/1", QUESTION, {"steps": STEPS}, Settings())
    assert (stage, source.payload) == ("evidence", QUESTION | {"steps": STEPS})


def test_nothing_goes_on_without_steps():
    assert PIPELINE.promote("decomposition", "Cactus/1", QUESTION, {"steps": []}, Settings()) == []


def test_a_sample_of_evidence_is_verified_one_matchers_of_each():
    item = QUESTION | {"steps": STEPS}
    everything, nothing = Settings(verification_share=1), Settings(verification_share=0)
    ((stage, source),) = PIPELINE.promote("evidence", "Cactus/1", item, EVIDENCE, everything)
    assert (stage, source.payload["matched"]) == ("verification", FOUND)
    assert PIPELINE.promote("evidence", "Cactus/1", item, EVIDENCE, nothing) == []


@pytest.mark.parametrize(("kind", "effect"), [("answer_incorrect", "drop"), ("not_definitive", "expert")])
def test_rules_are_settings_with_the_papers_behaviour_as_default(kind, effect):
    assert PIPELINE.on_feedback(kind, Settings()).effect == effect
    assert PIPELINE.on_feedback(kind, Settings(**{kind: "again"})).effect == "again"
    assert PIPELINE.on_feedback("something else", Settings()).effect == "keep"


def test_without_a_wish_all_is_train_and_published_in_the_datasets_form():
    rows = PIPELINE.release_rows(ITEMS, Settings())
    assert (len(rows["train"]), rows["test"]) == (6, [])
    (published,) = PIPELINE.published_files({"train": rows["train"][:1]})["strategyqa_train.json"]
    assert published["decomposition"] == [step["text"] for step in STEPS]
    assert published["evidence"][0] == [
        [["Cactus-3"]],
        [["Life expectancy-1", "Ageing-2"], "no_evidence"],
        ["operation"],
    ]


def test_writers_of_test_questions_write_no_train_question():
    rows = PIPELINE.release_rows(ITEMS, Settings(test_questions=3, test_writers=1))
    assert {row["question"] for row in rows["test"]} == {f"Could Cactus/{n} outlive its gardener?" for n in (3, 4, 5)}
    assert all(set(row) == {"qid", "question"} for row in rows["test"])
    assert len(rows["train"]) == 3


def test_the_seed_chooses_between_equal_splits():
    chosen = {
        tuple(
            row["qid"]
            for row in PIPELINE.release_rows(ITEMS[:4], Settings(test_writers=1, test_questions=1, seed=n))["test"]
        )
        for n in range(12)
    }
    assert len(chosen) == 2, "bob's one question or cy's one question"


def test_rejected_questions_of_train_writers_are_released_with_their_labels():
    def rejected(key: str, writer: str, code: str = "solved") -> Rejected:
        return Rejected(key, "", {}, QUESTION, code, [{"worker": writer, "answer": {}, "seconds": 5}])

    tried = Rejected(
        "e", "", {"term": "Fir", "description": ""}, {"text": "Is it?", "right": "no"}, TRIED, [{"worker": "bob"}]
    )
    those = [
        tried,
        rejected("b", "ann"),
        rejected("a", "bob"),
        rejected("c", "cy"),
        rejected("d", "ann", "answer_incorrect"),
    ]
    rows = PIPELINE.rejected_rows(those, ITEMS, Settings(test_questions=3, test_writers=1))
    assert [row["qid"] for row in rows["filtered"]] == ["1", "2", "3"]
    assert rows["filtered"][2] == {"qid": "3", "term": "Fir", "description": "", "question": "Is it?", "answer": False}
    assert list(rows["filtered"][0]) == ["qid", "term", "description", "question", "answer"]


def test_paragraphs_are_those_that_train_rows_cite():
    rows = PIPELINE.release_rows(ITEMS, Settings())
    assert PIPELINE.cited(rows) == {"Cactus-3", "Life expectancy-1", "Ageing-2"}


def test_the_statistics_tell_what_verifiers_made_of_the_evidence():
    followers = {"verification": [Follower("Cactus/0", {"verdict": "supported"}), Follower("Cactus/1", None)]}
    items = [dataclasses.replace(ITEMS[0], followers=followers), *ITEMS[1:]]
    found = {one.row: one.value for one in PIPELINE.statistics({}, items, Settings()) if one.column == "sample"}
    assert found == {"questions verified": 1, "supported": 1.0}


def test_the_statistics_count_both_sets_and_their_writers():
    settings = Settings(test_questions=3, test_writers=1)
    rows = PIPELINE.release_rows(ITEMS, settings)
    found = {(one.row, one.column): one.value for one in PIPELINE.statistics(rows, ITEMS, settings)}
    assert found["questions", "train"] == found["questions", "test"] == 3
    assert found['questions answered "yes"', "test"] == 1.0
    assert (found["writers", "train"], found["writers", "test"]) == (2, 1)
    assert found["questions whose every step some matcher covers", "train"] == 0.0
    assert found["Jaccard similarity of paragraphs", "train"] == 1.0


def test_the_rule_of_the_split_is_told_as_it_is():
    assert "by writer" in PIPELINE.split_rule(Settings(test_questions=3))
    assert "by writer" in PIPELINE.split_rule(Settings(test_writers=1))
    assert PIPELINE.split_rule(Settings()) == "All questions are train questions."
