"""What becomes of a decomposition: it settles, also with flags, and the flags go back to the question."""

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


def test_a_flagged_question_is_for_an_expert_and_never_dropped_here():
    found = settled(WRONG)
    assert (found.state, found.value, found.details) == ("disputed", {"steps": []}, {"answer_incorrect": 1})
    assert settled(TALL | {"flags": ["not_definitive"], "reason": "It depends."}).state == "disputed"


def test_of_several_the_first_without_an_objection_goes_on():
    found = settled(WRONG, LONG, TALL)
    assert (found.state, len(found.value["steps"])) == ("settled", 3)


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
