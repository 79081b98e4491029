"""What the simulated crowd types and its expert decides, for ARC's questions."""

import json
from pathlib import Path
from random import Random

import pytest

from tasks import registry, simulation
from tasks.arc_da import simulation as arc
from tasks.base import Judgement, run_checks
from tasks.simulation import CARELESS, SPAMMER, Person, Seen, Sheet

QUESTION = "The green pigment in leaves is"
OPEN_QUESTION = "Name an animal that hibernates in winter."
KIND = registry.task_type("arc_da.direct_answer")


@pytest.fixture(scope="module")
def demo() -> arc.Knowledge:
    return arc.knowledge()


def _item(question: str):
    choices = [{"label": "A", "text": "chlorophyll"}, {"label": "B", "text": "iron"}]
    return KIND.Item.model_validate({"question": question, "choices": choices, "answer_key": "A"})


def _findings(question: str, form: dict) -> list[str]:
    return [found.level for found in run_checks(KIND.checks, _item(question), KIND.answer_from_form(form))]


def test_a_careful_worker_enters_what_no_check_blocks(demo: arc.Knowledge) -> None:
    for question in (QUESTION, OPEN_QUESTION):
        for seat in range(5):
            form = arc.answer_for(Seen(question), Person("careful", seat), Random(1), demo)
            assert "block" not in _findings(question, form)


def test_five_careful_workers_agree(demo: arc.Knowledge) -> None:
    said = [arc.answer_for(Seen(QUESTION), Person("careful", seat), Random(seat), demo) for seat in range(5)]
    judgements = [Judgement(str(seat), KIND.answer_from_form(form), seat) for seat, form in enumerate(said)]
    assert KIND.aggregate(_item(QUESTION), judgements, KIND.Settings()).state == "settled"


def test_the_same_seed_types_the_same(demo: arc.Knowledge) -> None:
    for character in simulation.CHARACTERS:
        first, second = (
            [arc.answer_for(Seen(QUESTION), Person(character), rng, demo) for _ in range(20)]
            for rng in (Random(7), Random(7))
        )
        assert first == second


@pytest.mark.parametrize("character", [CARELESS, SPAMMER])
def test_a_bad_worker_meets_the_checks_and_then_gets_past_them(character: str, demo: arc.Knowledge) -> None:
    rng = Random(3)
    entered = [arc.answer_for(Seen(QUESTION), Person(character), rng, demo) for _ in range(40)]
    assert any(_findings(QUESTION, form) for form in entered)
    again = arc.answer_for(Seen(QUESTION, objections=("nothing_answered",)), Person(character), rng, demo)
    assert "block" not in _findings(QUESTION, again)


def test_who_does_not_know_a_question_says_so(demo: arc.Knowledge) -> None:
    form = arc.answer_for(Seen("What is the name of my cat?"), Person("careful"), Random(1), demo)
    assert form == {"answers": ["don't know"], "category": ["unknown"]}
    assert _findings(QUESTION, form) == []


def _sheet(question: str, *listed: str, page: str = "") -> Sheet:
    return Sheet(page=page, texts={"question": question}, lists={"answers": listed})


def test_the_expert_keeps_good_answers_removes_wrong_ones_and_rewords_a_stem(demo: arc.Knowledge) -> None:
    verdict = arc.verdict_on(_sheet(QUESTION, "Chlorophyll", "photosynthesis", "good"), demo)
    assert verdict.decision == "accept"
    assert verdict.removed == {"answers": [1, 2]}
    assert verdict.texts == {"question": "The green pigment in leaves is what?"}


def test_the_expert_adds_the_key_where_no_good_answer_is_left(demo: arc.Knowledge) -> None:
    verdict = arc.verdict_on(_sheet(QUESTION, "green"), demo)
    assert verdict.added == {"answers": ["chlorophyll."]}


def test_the_expert_rejects_an_open_question_with_a_reason(demo: arc.Knowledge) -> None:
    verdict = arc.verdict_on(_sheet(OPEN_QUESTION, "bear", "bat"), demo)
    assert (verdict.decision, bool(verdict.reason)) == ("reject", True)


@pytest.mark.parametrize(
    ("stem", "question"),
    [
        ("Coal, oil and natural gas are all", "Coal, oil and natural gas are all what?"),
        ("The star that is closest to Earth is the", "The star that is closest to Earth is what?"),
        ("A red apple looks red because the apple", "A red apple looks red because the apple does what?"),
        ("Name a planet.", "Name a planet."),
        ("What is ice?", "What is ice?"),
    ],
)
def test_a_stem_becomes_a_question(stem: str, question: str) -> None:
    assert arc.reworded(stem) == question


@pytest.mark.parametrize("answers", [["one"], ["a cat", "a dog"], ["up"], [f"thing{n}" for n in range(15)]])
def test_a_list_is_spread_so_that_all_of_it_is_given_and_two_agree(answers: list[str]) -> None:
    seats = arc.spread(answers)
    assert len(seats) == 5 and all(seats)
    assert {text for seat in seats for text in seat} == set(answers)
    judgements = [
        Judgement(str(seat), KIND.Answer(answers=list(texts), category="wordings"), seat)
        for seat, texts in enumerate(seats)
    ]
    assert KIND.aggregate(_item(QUESTION), judgements, KIND.Settings()).state != "rejected"


@pytest.fixture
def released(tmp_path: Path) -> arc.Knowledge:
    """Two questions with one text under different ids, as ARC has some, and their release."""
    questions = tmp_path / "ARC-Easy-train.jsonl"
    question = {"question": "What is it?", "choices": {"text": ["x", "y"], "label": ["A", "B"]}, "answerKey": "A"}
    questions.write_text("".join(json.dumps(question | {"id": name}) + "\n" for name in ("Q_1", "Q_11")))
    rows = [
        {"question_id": "ARCEZ_Q_1", "question": "What is it?", "answers": ["x", "X", "REMOVE"]},
        {"question_id": "ARCEZ_Q_11", "question": "What is it, then?", "answers": ["b", "a"]},
    ]
    release = tmp_path / "train.jsonl"
    release.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return arc.knowledge([questions, release])


def _after(listed: list[str], verdict) -> list[str]:
    kept = [text for place, text in enumerate(listed) if place not in verdict.removed["answers"]]
    return kept + list(verdict.added["answers"])


@pytest.mark.parametrize("listed", [["x"], ["X", "x"], ["REMOVE", "x", "X"], ["z", "x", "q", "REMOVE"]])
def test_the_released_list_is_restored_from_any_list(listed: list[str], released: arc.Knowledge) -> None:
    verdict = arc.verdict_on(_sheet("What is it?", *listed, page="ARCEZ_Q_1 What is it?"), released)
    assert _after(listed, verdict) == ["x", "X", "REMOVE"]
    assert verdict.texts == {"question": "What is it?"}


def test_of_two_questions_with_one_text_the_id_on_the_page_decides(released: arc.Knowledge) -> None:
    verdict = arc.verdict_on(_sheet("What is it?", "a", "b", page="Question ARCEZ_Q_11 of 20"), released)
    assert _after(["a", "b"], verdict) == ["b", "a"]
    assert verdict.texts == {"question": "What is it, then?"}


def test_a_dataset_without_a_simulation_says_so() -> None:
    with pytest.raises(simulation.NoSimulation, match="nowhere has no simulation"):
        simulation.simulation_of("nowhere")
