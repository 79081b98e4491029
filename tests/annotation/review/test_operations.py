"""What an expert's operations make of an outcome, by the kinds of its fields."""

from typing import Annotated

import pytest

from annotation.review.operations import BadOperation, apply, parts_of, read_form
from tasks.base import Shape
from tasks.fields import AnswerList, Choice, Steps, Text


class Outcome(Shape):
    question: Annotated[str, Text(most_characters=80)]
    verdict: Annotated[str, Choice(options=(("yes", "Yes"), ("no", "No")))] = "yes"
    answers: Annotated[list[dict], AnswerList()] = []


VALUE = {
    "question": "The force is the",
    "verdict": "yes",
    "answers": [
        {"text": "gravity", "from_answers": [1, 2], "origin": "worker"},
        {"text": "the wind", "from_answers": [3], "origin": "worker"},
    ],
}


def test_the_value_given_is_never_changed():
    before = repr(VALUE)
    apply(Outcome, VALUE, [{"op": "remove", "index": 0}, {"op": "reword", "text": "What force is it?"}])
    assert repr(VALUE) == before


def test_a_removed_answer_is_left_out_and_a_restored_one_is_back():
    assert apply(Outcome, VALUE, [{"op": "remove", "index": 1}])["answers"] == VALUE["answers"][:1]
    both = [{"op": "remove", "index": 1}, {"op": "remove", "index": 0}, {"op": "restore", "index": 1}]
    assert apply(Outcome, VALUE, both)["answers"] == VALUE["answers"][1:]


def test_removing_shifts_no_index():
    done = [{"op": "remove", "index": 0}, {"op": "add", "text": "pull"}, {"op": "remove", "index": 1}]
    assert [answer["text"] for answer in apply(Outcome, VALUE, done)["answers"]] == ["pull"]


def test_an_added_answer_is_the_reviewers():
    added = apply(Outcome, VALUE, [{"op": "add_short", "text": "  a pull ", "for": 1}])["answers"][-1]
    assert added == {"text": "a pull", "origin": "reviewer"}


def test_blanks_inside_stay_as_a_program_gives_them_and_are_tidied_in_a_form():
    added = apply(Outcome, VALUE, [{"op": "add", "text": "29  1/2 days"}])["answers"][-1]
    assert added["text"] == "29  1/2 days"
    assert read_form(Outcome, VALUE, {"answers.add": ["  a   pull "]})[-1]["text"] == "a pull"


class Long(Shape):
    question: Annotated[str, Text(lines=4)]


def test_an_untouched_text_of_several_lines_is_not_reworded():
    for original in ("One.\nTwo?", "One.\r\nTwo?", "One.\rTwo? "):
        assert read_form(Long, {"question": original}, {"question": ["One.\r\nTwo?"]}) == []
    (reworded,) = read_form(Long, {"question": "One.\nTwo?"}, {"question": ["One.\r\nThree?"]})
    assert reworded["text"] == "One.\nThree?"
    assert apply(Long, {"question": ""}, [{"op": "reword", "text": "One.\r\nThree?"}]) == {"question": "One.\nThree?"}


def test_a_choice_takes_its_options_only():
    assert apply(Outcome, VALUE, [{"op": "choose", "value": "no"}])["verdict"] == "no"
    with pytest.raises(BadOperation, match="expected one of yes, no, found 'perhaps'"):
        apply(Outcome, VALUE, [{"op": "choose", "value": "perhaps"}])


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({"op": "remove", "index": 2}, "index must be from 0 to 1, found 2"),
        ({"op": "remove", "index": -1}, "index must be from 0 to 1, found -1"),
        ({"op": "remove", "index": True}, "index must be from 0 to 1, found True"),
        ({"op": "add", "text": "  "}, "add wants a text"),
        ({"op": "reword", "text": "x" * 81}, "at most 80 characters, found 81"),
        ({"op": "reword", "text": "nul\0"}, "U\\+0000"),
        ({"op": "shout", "text": "x"}, "there are add, add_short, choose, remove, restore, reword"),
        ({"op": "remove", "field": "question", "index": 0}, "for field 'question' fits 0 fields"),
        ({"text": "x"}, 'expected {"op"'),
        ("remove", 'expected {"op"'),
    ],
)
def test_an_operation_that_does_not_fit_says_what_was_expected(operation, said):
    with pytest.raises(BadOperation, match=f"operation 1: .*{said}"):
        apply(Outcome, VALUE, [operation])


def test_an_operation_that_two_fields_could_take_must_name_one():
    class Two(Shape):
        question: Annotated[str, Text()]
        note: Annotated[str, Text()]

    value = {"question": "a", "note": "b"}
    with pytest.raises(BadOperation, match="fits 2 fields"):
        apply(Two, value, [{"op": "reword", "text": "c"}])
    assert apply(Two, value, [{"op": "reword", "field": "note", "text": "c"}]) == {"question": "a", "note": "c"}


def test_a_form_says_the_same_as_its_operations():
    form = {
        "question": ["What   is the force called?"],
        "answers.remove": ["1"],
        "answers.add": ["a pull", " "],
        "answers.short.0": [""],
        "answers.short.1": ["wind"],
        "verdict": ["no"],
    }
    assert read_form(Outcome, VALUE, form) == [
        {"op": "reword", "field": "question", "text": "What is the force called?"},
        {"op": "choose", "field": "verdict", "value": "no"},
        {"op": "remove", "field": "answers", "index": 1},
        {"op": "add_short", "field": "answers", "text": "wind", "for": 1},
        {"op": "add", "field": "answers", "text": "a pull"},
    ]


def test_an_empty_form_changes_nothing():
    assert read_form(Outcome, VALUE, {}) == []
    assert apply(Outcome, VALUE, []) == VALUE


def test_parts_show_what_was_removed():
    part = parts_of(Outcome, VALUE, [{"op": "remove", "index": 0}])["answers"]
    assert [entry["removed"] for entry in part.working] == [True, False]
    assert part.final == VALUE["answers"][1:]


class Decomposition(Shape):
    steps: Annotated[list[dict], Steps()] = []


STEPS = {"steps": [{"text": "How tall is a fir?", "page": "Fir"}, {"text": "Is #1 much? ", "page": ""}]}


def test_steps_are_rewritten_whole_and_tidied():
    done = [{"op": "rewrite", "steps": [{"text": " How old is a fir? ", "page": "Fir"}]}]
    assert apply(Decomposition, STEPS, done) == {"steps": [{"text": "How old is a fir?", "page": "Fir"}]}


def test_steps_left_as_they_were_are_no_operation():
    assert read_form(Decomposition, STEPS, {"steps": ["How tall is a fir? | Fir\r\nIs #1 much?  | "]}) == []
    [done] = read_form(Decomposition, STEPS, {"steps": ["How old is a fir? | Fir"]})
    assert done == {"op": "rewrite", "field": "steps", "steps": [{"text": "How old is a fir?", "page": "Fir"}]}


@pytest.mark.parametrize(
    "steps",
    [None, "How old?", [{"text": "How old?"}], [{"text": "How old?", "page": 1}], [{"text": "x" * 9_999, "page": ""}]],
)
def test_what_is_no_list_of_steps_is_refused(steps):
    with pytest.raises(BadOperation, match="rewrite wants steps, each"):
        apply(Decomposition, STEPS, [{"op": "rewrite", "steps": steps}])
