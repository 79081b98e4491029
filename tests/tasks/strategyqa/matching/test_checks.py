"""What the checks say of evidence: each fault beside the step that has it."""

import pytest

from tasks.base import Context, run_checks
from tasks.registry import task_type

KIND = task_type("strategyqa.matching")
ITEM = KIND.Item(
    term="Fir",
    question="Would a fir look over a house?",
    answer=True,
    steps=[{"text": "How tall is a fir?"}, {"text": "How tall is a house?"}, {"text": "Is #1 more than #2?"}],
)


def found(*matched, known=None, **answer):
    """By check, the steps that it speaks of. `matched`: ids, `operation` and `no_evidence`, parted by bars."""
    lines = "\n".join(f"{number}: {line}" for number, line in enumerate(matched, 1) if line)
    given = KIND.answer_from_form({"matched": [lines], **answer})
    context = Context() if known is None else Context(paragraphs=lambda ids: known & set(ids))
    said = {}
    for finding in run_checks(KIND.checks, ITEM, given, context):
        said.setdefault(finding.check, []).append(finding.part)
    return said


def test_paragraphs_marks_or_both_are_enough():
    assert found("Fir-1", "House-2 | no_evidence", "operation") == {}
    assert found("Fir-1 | Fir-1", "no_evidence", "Fir-1 | no_evidence | operation") == {}


def test_every_step_wants_a_word():
    assert found("Fir-1") == {"leaves_a_step_without_a_mark": [2, 3]}
    assert found("", "House-1", "operation") == {"leaves_a_step_without_a_mark": [1]}


def test_an_operation_before_the_end_is_asked_about():
    assert found("operation", "Fir-1 | operation", "operation") == {"marks_an_inner_step_as_operation": [1, 2]}


def test_very_many_paragraphs_are_refused_and_many_asked_about():
    six, many = (" | ".join(f"Fir-{n}" for n in range(number)) for number in (6, 21))
    assert found(six, many, "operation") == {"holds_too_many_paragraphs": [2], "holds_many_paragraphs": [1]}


def test_evidence_for_a_step_that_is_not_there_is_refused():
    assert found("Fir-1", "House-1", "operation", "Fir-2") == {"is_about_more_steps_than_there_are": [0]}


def test_paragraphs_that_the_corpus_does_not_have_are_refused():
    assert found("Fir-1", "House-9 | House-1", "Ash-1", known={"Fir-1", "House-1"}) == {
        "names_no_paragraph_of_the_corpus": [2, 3]
    }


def test_where_the_corpus_can_t_be_asked_nobody_is_kept_from_handing_in():
    answer = KIND.answer_from_form({"matched": ["1: Fir-1\n2: Fir-2\n3: operation"]})
    assert run_checks(KIND.checks, ITEM, answer, Context(paragraphs=lambda ids: None)) == []


@pytest.mark.parametrize("name", ["F" * 401, "Fir\0-1"])
def test_what_can_t_be_stored_is_no_paragraph(name):
    assert found(name, "House-1", "operation") == {"names_a_paragraph_that_can_be_none": [1]}


def test_a_flag_wants_a_reason():
    given = {"flags": ["answer_incorrect"]}
    assert found("Fir-1", "House-1", "operation", **given) == {"flag_lacks_a_reason": [0]}
    assert found("Fir-1", "House-1", "operation", reason=["It is small."], **given) == {}
