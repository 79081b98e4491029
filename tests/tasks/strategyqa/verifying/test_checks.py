"""What the checks say of a verifier's answers, and at which steps they see evidence lacking."""

import pytest

from tasks.base import run_checks
from tasks.registry import task_type
from tasks.strategyqa.verifying.checks import where_evidence_lacks

KIND = task_type("strategyqa.verifying")
FOUND = {"paragraphs": ["Fir-1"], "is_operation": False, "lacks_evidence": False}
NOTHING = {"paragraphs": None, "is_operation": False, "lacks_evidence": True}
OPERATION = {"paragraphs": None, "is_operation": True, "lacks_evidence": False}
STEPS = ["How tall is a fir?", "Where does a fir grow?", "Is a house of #2 lower than #1?", "Is #3 usual?"]


def item_of(*matched, steps=STEPS):
    return KIND.Item(
        term="Fir",
        question="Would a fir look over a house?",
        answer=True,
        steps=[{"text": text} for text in steps],
        matched=list(matched or [FOUND, FOUND, FOUND, OPERATION]),
    )


def answers(*texts):
    """`?` and what is missing for a step that can't be answered."""
    given = [{"answer": text.removeprefix("?"), "cannot": text.startswith("?")} for text in texts]
    return KIND.Answer(answers=given)


def found(*texts, item=None):
    said = {}
    for finding in run_checks(KIND.checks, item or item_of(), answers(*texts)):
        said.setdefault(finding.check, []).append(finding.part)
    return said


def test_answers_to_all_steps_draw_nothing():
    assert found("40 metres", "in the mountains", "yes", "yes") == {}
    assert found("?", "in the mountains", "?", "?") == {}


def test_every_step_is_to_be_answered_or_marked():
    assert found("40 metres", "", " ") == {"leaves_a_step_unanswered": [2, 3, 4]}


@pytest.mark.parametrize("said", ["Yes", "no.", "YES"])
def test_yes_and_no_are_read_as_people_write_them_into_a_plain_form(said):
    assert found("40 metres", "in the mountains", "yes", said) == {}


@pytest.mark.parametrize("said", ["Yes, it is", "yes or no", "maybe"])
def test_the_last_step_is_answered_with_yes_or_no(said):
    assert found("40 metres", "in the mountains", "yes", said) == {"last_is_neither_yes_nor_no": [4]}


def test_who_answers_upon_a_missing_answer_or_upon_nothing_is_asked_about_it():
    assert found("?", "in the mountains", "yes", "yes") == {"builds_on_what_cannot_be_answered": [3]}
    item = item_of(NOTHING, FOUND, NOTHING, OPERATION)
    assert found("40 metres", "in the mountains", "yes", "yes", item=item) == {"answers_without_a_paragraph": [1]}


def test_evidence_lacks_where_the_lack_begins():
    assert where_evidence_lacks(item_of(), answers("?how tall", "in the mountains", "?", "?")) == [1]
    assert where_evidence_lacks(item_of(), answers("?", "?", "?", "?")) == [1, 2]
    assert where_evidence_lacks(item_of(), answers("40 metres", "in the mountains", "?", "?")) == [3]
    assert where_evidence_lacks(item_of(), answers("40 metres")) == []
