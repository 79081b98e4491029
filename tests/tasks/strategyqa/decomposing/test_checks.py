"""What the checks say of steps, their pages and flags: each fault at the step that has it."""

import pytest

from tasks.base import run_checks
from tasks.registry import task_type

KIND = task_type("strategyqa.decomposing")
ITEM = KIND.Item(term="Fir", question="Would a fir look over a house?", answer=True)
SOUND = ["How tall is a fir?", "How tall is a house?", "Is #1 more than #2?"]


def found(*texts, pages=None, **answer):
    """By check, the parts of the field that it speaks of."""
    steps = [{"text": text, "page": page} for text, page in zip(texts, pages or ["Fir"] * len(texts), strict=True)]
    said = {}
    for finding in run_checks(KIND.checks, ITEM, KIND.Answer(steps=steps, **answer)):
        said.setdefault(finding.check, []).append(finding.part)
    return said


def test_good_steps_draw_nothing():
    assert found(*SOUND) == {}


def test_one_step_alone_passes_the_structure_check_and_is_asked_about():
    assert found("Is a fir tall?") == {"has_one_step_only": [0]}


@pytest.mark.parametrize(
    ("texts", "fault", "parts"),
    [
        (["How tall is a fir?", "", "", "Is #1 much?"], "leaves_a_step_empty", [2, 3]),
        (["How tall is #1?", "Is #2 and #1 much?"], "refers_to_itself", [1, 2]),
        (["How tall is a fir?", "Is #1 more than #4 and #5?"], "refers_to_no_step", [2, 2]),
        (["How tall is #2?", "Is #1 much?"], "runs_in_a_circle", [1]),
        (["Is #2 so?", "Is it?", "Is #1 like #2?"], "refers_to_a_later_step", [1]),
        (["How tall is a fir?", "How tall is a house?", "Is it much?"], "is_never_used", [1, 2]),
        (["Is #? tall?", "Is #1 or #? much?"], "leaves_a_reference_open", [1, 2]),
        (["How tall is a fir?", "how tall is a fir", "Is #1 #2?"], "repeats_a_step", [2]),
        (["How tall is a fir", "Is #1 much?"], "step_is_no_question", [1]),
    ],
)
def test_every_step_with_a_fault_is_named(texts, fault, parts):
    assert found(*texts)[fault] == parts


def test_the_last_step_needs_no_page_and_the_others_are_asked_for_one():
    assert found(*SOUND, pages=["", "House", ""]) == {"names_no_page": [1]}


def test_a_number_in_a_name_is_no_reference():
    assert found("Who drew the cover of Superman #75?", "Was #1 born in Ohio?") == {}
    assert found("What is Superman #2 about?", "Is #1 sad?") == {"runs_in_a_circle": [1]}


def test_whoever_says_that_the_answer_is_incorrect_is_done_with_a_reason():
    flagged = {"flags": ["answer_incorrect"]}
    assert found(**flagged) == {"flag_lacks_a_reason": [0]}
    assert found(**flagged, reason="Firs are taller.") == {}
    assert found("How tall is a fir", "", "#9", **flagged, reason="Firs are taller.") == {}
    assert found("x" * 301, **flagged, reason="So it is.") == {"step_is_too_long": [1]}


def test_a_question_without_a_definite_answer_is_still_decomposed():
    assert set(found(flags=["not_definitive"], reason="It depends.")) == {"no_steps"}
    assert found(*SOUND, flags=["not_definitive"], reason="It depends.") == {}


def test_an_expert_s_edit_is_checked_by_the_same_rules():
    outcome = KIND.Outcome(steps=[{"text": "Is it?"}, {"text": "Is it so?"}])
    assert [finding.check for finding in run_checks(KIND.review_checks, ITEM, outcome)] == ["is_never_used"]
