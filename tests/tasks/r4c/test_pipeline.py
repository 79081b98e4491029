"""The filter of submissions, what goes on to be judged, and the replay's comparison."""

import json
from pathlib import Path

import pytest

from tasks import registry
from tasks.base import Accepted, Follower, Judgement, SourceItem
from tasks.r4c import replay, simulation
from tasks.r4c.shapes import Question

DERIVATION = registry.task_type("r4c.derivation")
ANSWERABILITY = registry.task_type("r4c.answerability")
PIPELINE = registry.pipeline("r4c")
EXAMPLE = DERIVATION.examples()[0]
ITEM = Question.model_validate(EXAMPLE.item)


def judgements(*choices, steps=EXAMPLE.answer["steps"]):
    return [
        Judgement(f"w{key}", DERIVATION.Answer(choice=choice, steps=steps), key)
        for key, choice in enumerate(choices, 1)
    ]


def added_up(*choices, **settings):
    return DERIVATION.aggregate(ITEM, judgements(*choices), DERIVATION.Settings(**settings))


def test_three_right_answers_settle_a_question_whatever_else_was_said():
    found = added_up("Torwich", "neither", "torwich", "Maresby", "Torwich")
    assert found.state == "settled"
    assert [derivation["from_answers"] for derivation in found.value["derivations"]] == [[1], [3], [5]]


@pytest.mark.parametrize("choices", [("Torwich", "Torwich", "neither"), ("Torwich",) * 4, ()])
def test_any_other_number_drops_it(choices):
    found = added_up(*choices)
    assert found.state == "rejected"
    assert found.reason.startswith("other_number_of_derivations: ")
    assert found.more_answers == 0


def test_missing_derivations_are_ordered_where_the_stage_says_so_up_to_its_most():
    assert added_up("Torwich", "neither", "neither", order_missing=True).more_answers == 2
    assert added_up("Torwich", *["neither"] * 4, order_missing=True).more_answers == 1
    assert added_up("Torwich", *["neither"] * 5, order_missing=True).more_answers == 0
    assert added_up(*["Torwich"] * 4, order_missing=True).more_answers == 0


def test_a_step_gets_its_article_s_title_as_the_source_writes_it():
    item = ITEM.model_copy(update={"articles": [{"title": "Ant &amp; Bee", "sentences": ["A hill."]}]})
    item = Question.model_validate(item.model_dump(warnings=False))
    steps = [{"title": "Ant & Bee", "sentence": 0, "head": "a", "relation": "is", "tail": "b"}]
    found = DERIVATION.aggregate(item, judgements("Torwich", steps=steps), DERIVATION.Settings(wanted=1))
    assert found.value["derivations"][0]["steps"][0]["title"] == "Ant &amp; Bee"


def promoted(split, **settings):
    outcome = added_up("Torwich", "Torwich", "Torwich").value
    settings = PIPELINE.Settings(**{"answerability_share": 0.0, "derivability_share": 0.0} | settings)
    return PIPELINE.promote("derivation", "cw-1", EXAMPLE.item, outcome, settings, split=split)


def test_every_dev_derivation_is_judged_and_train_ones_by_their_share():
    assert [(stage, source.key) for stage, source in promoted("dev")] == [
        ("answerability", f"cw-1/{number}") for number in (1, 2, 3)
    ]
    assert promoted("train") == []
    assert len(promoted("train", answerability_share=1.0)) == 3


def test_what_is_judged_has_no_article_and_remembers_its_author():
    _, source = promoted("dev")[1]
    assert isinstance(source, SourceItem)
    assert source.from_answers == (2,)
    assert ANSWERABILITY.Item.model_validate(source.payload)
    assert "articles" not in source.payload


def test_a_sampled_step_comes_with_its_sentence():
    steps = [source for stage, source in promoted("train", derivability_share=1.0) if stage == "derivability"]
    assert len(steps) == 3 * len(EXAMPLE.answer["steps"])
    assert steps[0].payload["source"].strip() == "She built the Red Mill and three bridges over the Lune."


def test_a_split_verdict_is_said_as_one():
    said = [
        Judgement(f"w{key}", ANSWERABILITY.Answer(verdict=verdict), key) for key, verdict in enumerate(["yes", "no"])
    ]
    item = ANSWERABILITY.Item.model_validate(ANSWERABILITY.examples()[0].item)
    found = ANSWERABILITY.aggregate(item, said, ANSWERABILITY.Settings())
    assert (found.state, found.value, found.agreement) == ("disputed", {"verdict": "split"}, 0.0)


def test_the_replay_s_comparison_finds_what_differs_and_not_the_order():
    one, other = [["A", 0, ["a", "is", "b"]]], [["B", 1, ["b", "is", "c"]]]
    named = [{"title": "B", "sentence": 1, "head": "b", "relation": "is", "tail": "c"}]
    expected = {"dev": [{"id": "x", "derivations": [one, other, one]}, {"id": "y", "derivations": [one]}]}
    released = {"dev": [{"id": "x", "derivations": [named, one, one]}, {"id": "z", "derivations": [one]}]}
    found = replay.differences(expected, released)
    assert found == ["dev: y is missing", "dev: z should not be there"]
    changed = {"dev": [{"id": "x", "derivations": [one, one, one]}, {"id": "y", "derivations": [one]}]}
    assert len(replay.differences(expected, changed)) == 1


@pytest.mark.parametrize("settings", [{"answerable_splits": ["dev", "train"]}, {"answerability_splits": []}])
def test_no_split_waits_for_verdicts_that_nobody_is_asked_for(settings):
    with pytest.raises(ValueError, match="some would wait forever"):
        PIPELINE.Settings(**settings)
    assert PIPELINE.Settings(**settings, answerability_share=1.0)
    assert PIPELINE.Settings(**{"answerability_splits": ["dev", "train"]} | settings | {"answerable_splits": []})


def of_a_split(split: str, *verdicts: str | None) -> Accepted:
    steps = EXAMPLE.answer["steps"]
    outcome = {"derivations": [{"from_answers": [number], "steps": steps} for number in (1, 2, 3)]}
    followers = [
        Follower(f"x/{number}", verdict and {"verdict": verdict}) for number, verdict in enumerate(verdicts, 1)
    ]
    return Accepted("x", split, EXAMPLE.item, {"derivation": outcome}, followers={"answerability": followers})


def test_what_waits_for_verdicts_and_what_they_keep_out_is_told_by_split():
    waits = [of_a_split("dev", "yes", None, "yes"), of_a_split("dev")]
    goes, stays = of_a_split("dev", "yes", "yes", "yes"), of_a_split("dev", "yes", "likely", "yes")
    settings = PIPELINE.Settings()
    assert PIPELINE.held_back([goes, of_a_split("train")], settings) == ""
    assert PIPELINE.held_back([*waits, goes], settings) == (
        "2 accepted questions of dev wait for verdicts on their derivations"
    )
    assert PIPELINE.held_back([waits[0], stays], settings) == (
        "1 accepted question of dev waits for verdicts on its derivations; "
        "1 accepted question of dev stays out, for some derivation has no majority for Yes"
    )


@pytest.mark.shared_data
def test_the_replay_brings_the_public_instances_with_their_articles(shared_data: Path, tmp_path: Path):
    prepared = replay.prepare(shared_data, tmp_path)
    assert len(prepared.expected["dev"]) == 389
    known = simulation.knowledge(prepared.knowledge)
    assert len(known) == 389
    payloads = [source.payload for source in PIPELINE.read(prepared.sources[0], {})]
    questions = [Question.model_validate(payload) for payload in payloads]
    cited = json.loads((tmp_path / "dev_csf.json").read_text(encoding="utf-8")).values()
    by_title = {(article.title, len(article.sentences)) for question in questions for article in question.articles}
    for title, number, _ in (step for several in cited for derivation in several for step in derivation):
        assert any(length > number for name, length in by_title if name == title)
