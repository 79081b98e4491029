"""What the checks of the direct-answer HIT say, beyond the examples that name one fault each."""

import pytest

from tasks.base import run_checks
from tasks.registry import task_type

KIND = task_type("arc_da.direct_answer")
ITEM = KIND.Item(
    question="Ice lies in the sun. The ice turns into water because of the",
    choices=[{"label": "A", "text": "heat."}, {"label": "B", "text": "cold."}],
    answer_key="A",
)


def findings(answers, category, item=ITEM):
    found = run_checks(KIND.checks, item, KIND.Answer(answers=answers, category=category))
    return {finding.check: finding for finding in found}


def review(question, *answers):
    outcome = KIND.Outcome(question=question, answers=[{"text": text} for text in answers])
    return {finding.check: finding for finding in run_checks(KIND.review_checks, ITEM, outcome)}


@pytest.mark.parametrize(
    ("category", "answers"),
    [
        ("single", ["heat"]),
        ("wordings", ["heat"]),
        ("wordings", ["heat", "warmth", "the sun's warmth"]),
        ("several", ["heat", "sunlight"]),
        ("many", ["heat", "sunlight", "warm air"]),
        ("unknown", ["don’t know"]),
        ("unknown", ["I don't know the answer."]),
        ("nonsense", ["?"]),
        ("nonsense", ["???"]),
        ("unknown", ["don't know", "no idea"]),
        ("nonsense", ["?", "??"]),
        ("single", ["Does the heat melt it?"]),
    ],
)
def test_an_answer_that_fits_its_category_is_let_through(category, answers):
    assert findings(answers, category) == {}


def test_the_same_answer_in_other_clothes_counts_once_for_the_category():
    assert set(findings(["heat", "The heat."], "single")) == {"repeats_an_answer"}


def test_several_ways_of_giving_no_answer_are_not_counted_as_answers():
    assert set(findings(["?", "don't know"], "single")) == {"disagrees_with_category"}


def test_a_contradiction_is_shown_where_it_can_be_put_right():
    assert findings(["?"], "single")["disagrees_with_category"].field == "category"
    assert findings(["heat"], "unknown")["disagrees_with_category"].field == "answers"


def test_an_empty_answer_of_a_worker_who_does_not_know_is_told_what_to_enter():
    assert '"don\'t know"' in findings([], "unknown")["nothing_answered"].message
    assert '"?"' in findings([], "nonsense")["nothing_answered"].message


def test_words_of_the_question_may_be_used_but_not_a_run_of_it():
    assert findings(["the ice turns into water"], "single")["copies_the_question"].level == "warn"
    assert findings(["the heat of the sun"], "single") == {}
    assert "copies_the_question" in findings(
        ["Ice turns."], "single", ITEM.model_copy(update={"question": "Ice turns"})
    )


def test_a_long_answer_is_questioned_and_an_endless_one_refused():
    assert findings(["very " * 50], "single")["answer_is_long"].level == "warn"
    assert findings(["very " * 101], "single")["answer_is_too_long"].level == "block"
    assert findings(["x" * 1_001], "single")["answer_is_too_long"].level == "block"


def test_a_flood_of_text_is_refused_without_being_read_whole():
    flood = findings(["a b " * 500_000] * 2_000, "many")
    assert {"answer_is_too_long", "too_many_answers"} <= set(flood)
    assert all(len(finding.message) < 300 for finding in flood.values())


def test_options_and_key_never_leave_the_server():
    assert KIND.shown_to_workers(ITEM) == {"question": ITEM.question}


def test_a_reworded_question_wants_its_question_mark():
    assert review("Ice lies in the sun. It melts because of", "heat")["lacks_question_mark"].level == "warn"
    assert set(review(ITEM.question, "heat")) == {"stands_unfinished"}
    assert review("Why does ice in the sun turn into water?", "heat") == {}


def test_an_outcome_needs_a_question_and_an_answer():
    assert review("", "heat")["question_is_empty"].level == "block"
    assert review("Why does it melt?")["no_answers_left"].level == "block"
    assert review("Why does it melt?", " ")["no_answers_left"].level == "block"


@pytest.mark.parametrize("mark", ["REMOVE", "REMOVE.", "[delete]".upper(), "TODO"])
def test_a_review_mark_in_an_answer_is_noticed(mark):
    assert "holds_a_review_mark" in review("Why does it melt?", "heat", mark)


@pytest.mark.parametrize("answer", ["remove it", "bad", "wrong side up", "x"])
def test_ordinary_answers_are_no_review_marks(answer):
    assert "holds_a_review_mark" not in review("What can one do?", answer)


def test_a_wordy_answer_wants_a_short_one_beside_it():
    wordy = "An invisible gas that floats in the air above us"
    assert "invisible gas" in review("What is it?", wordy)["lacks_a_short_version"].message
    assert "lacks_a_short_version" not in review("What is it?", wordy, "gas")
    assert "lacks_a_short_version" in review("What is it?", wordy, "liquid")
    assert review("What is it?", "an invisible gas") == {}


def test_the_expert_is_told_of_no_answers_and_doubles():
    assert "holds_no_answer" in review("What is it?", "gas", "don't know")
    assert "lists_an_answer_twice" in review("What is it?", "gas", "A gas.")
