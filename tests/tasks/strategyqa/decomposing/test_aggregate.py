"""What becomes of a decomposition: it settles, also with flags, and the flags go back to the question."""

import pytest

from tasks.base import Judgement
from tasks.registry import task_type

KIND = task_type("strategyqa.decomposing")
ITEM = KIND.Item(term="Fir", question="Would a fir look over a house?", answer=True)


def judged(*several):
    return [Judgement(f"worker-{key}", KIND.Answer(**one), key) for key, one in enumerate(several, 1)]


def steps(*texts, **answer):
    return {"steps": [{"text": text} for text in texts], **answer}


TALL = steps("How tall is a fir?", "Is #1 much?")
OLD = steps("How old is a fir?", "Is #1 more?")
LONG = steps("A?", "B of #1?", "Is #2 so?")
WRONG = steps(flags=["answer_incorrect"], reason="Firs are higher.")


def settled(*several):
    return KIND.aggregate(ITEM, judged(*several), KIND.Settings())


def test_one_decomposition_settles_as_it_is():
    found = settled(TALL)
    assert (found.state, found.agreement, found.details) == ("settled", None, {})
    assert [step["text"] for step in found.value["steps"]] == ["How tall is a fir?", "Is #1 much?"]


UNCHECKED = steps("What is #3?", flags=["answer_incorrect"], reason="Firs are\nhigher.")


@pytest.mark.parametrize("said", [WRONG, UNCHECKED])
def test_steps_of_whoever_calls_the_answer_incorrect_go_no_further_for_nothing_was_asked_of_them(said):
    found = settled(said)
    assert (found.state, found.reason) == ("rejected", "answer_incorrect: Firs are higher.")
    assert (found.value, found.details) == ({"steps": []}, {"answer_incorrect": 1})


def test_a_question_without_a_definite_answer_is_for_an_expert_and_never_dropped_here():
    found = settled(TALL | {"flags": ["not_definitive"], "reason": "It depends."})
    assert (found.state, len(found.value["steps"])) == ("disputed", 2)


def test_of_several_the_first_without_an_objection_goes_on():
    found = settled(WRONG, LONG, TALL)
    assert (found.state, len(found.value["steps"])) == ("settled", 3)
    doubted = TALL | {"flags": ["not_definitive"], "reason": "It depends."}
    assert (settled(UNCHECKED, doubted).state, settled(UNCHECKED, doubted).value) == ("disputed", settled(TALL).value)


def test_decompositions_agree_where_their_steps_hang_together_alike():
    assert settled(TALL, OLD).agreement == 1
    assert settled(TALL, OLD, LONG).agreement == 1 / 3


def test_each_flag_goes_back_to_the_question_with_its_reason():
    both = WRONG | {"flags": ["answer_incorrect", "not_definitive"]}
    said = KIND.feedback(ITEM, judged(TALL, both))
    assert [(one.kind, one.about, one.reason, one.step, one.answer) for one in said] == [
        ("answer_incorrect", "strategyqa.question", "Firs are higher.", 0, 2),
        ("not_definitive", "strategyqa.question", "Firs are higher.", 0, 2),
    ]
