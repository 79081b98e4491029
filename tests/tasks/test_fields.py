"""Field kinds that need no task type to be tried: what a form posts is read back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.fields import Flags, StepAnswers, Steps, Text

STEPS = Steps()
ANSWERS = StepAnswers()
FLAGS = Flags(options=(("wrong", "It is wrong"), ("vague", "It is vague")))
texts = st.text("ab 1|\\#é’", max_size=8)
steps = st.lists(st.fixed_dictionaries({"text": texts, "page": texts.map(str.strip)}), max_size=4)


@given(steps)
def test_steps_come_back_as_they_were_blanks_and_empty_ones_included(several):
    assert STEPS.parse(STEPS.values(several)) == several


def test_a_line_without_a_bar_is_a_step_without_a_page_and_a_blank_line_is_none():
    assert STEPS.parse(["How tall is a fir?\r\n\n  \n"]) == [{"text": "How tall is a fir?", "page": ""}]
    assert STEPS.parse(["Is #1 old? | Fir | tree"]) == [{"text": "Is #1 old?", "page": "Fir | tree"}]
    assert STEPS.parse([]) == STEPS.parse([""]) == []


def test_steps_are_told_as_references_count_them():
    assert STEPS.told([{"text": "A?", "page": "Fir"}, {"text": "#1?", "page": ""}]) == ["#1: A? (Fir)", "#2: #1?"]


def test_flags_come_back_once_each_in_the_order_of_the_options():
    assert FLAGS.parse(["vague", "wrong", "vague"]) == ["wrong", "vague"]
    assert FLAGS.parse(FLAGS.values(["vague"])) == ["vague"]
    assert FLAGS.parse([FLAGS.present(["wrong", "vague"])]) == ["wrong", "vague"]
    assert FLAGS.parse([]) == []


def test_a_flag_that_is_none_is_left_for_the_shape_to_refuse():
    assert FLAGS.parse(["odd", "wrong"]) == ["wrong", "odd"]


def test_flags_are_told_in_their_own_words():
    assert FLAGS.told(["vague"]) == ["It is vague"]


answers = st.lists(
    st.fixed_dictionaries({"answer": st.text("a 1?\\:é’", max_size=6).map(str.strip), "cannot": st.booleans()}),
    max_size=4,
)


@given(answers)
def test_answers_to_steps_come_back_up_to_the_last_that_says_anything(several):
    while several and several[-1] == {"answer": "", "cannot": False}:
        several = several[:-1]
    assert ANSWERS.parse(ANSWERS.values(several)) == several


def test_answers_are_read_by_their_numbers_and_without():
    said = {"answer": "4.4 metres", "cannot": False}
    missing = {"answer": "the height", "cannot": True}
    assert ANSWERS.parse(["4.4 metres\r\n?the height"]) == [said, missing]
    assert ANSWERS.parse(["2: ? the height\n1: 4.4 metres"]) == [said, missing]
    assert ANSWERS.parse(["2:4.4 metres"]) == [{"answer": "", "cannot": False}, said]
    assert ANSWERS.parse([]) == []


def test_answers_are_told_with_what_is_missing():
    given = [{"answer": "no", "cannot": False}, {"answer": "", "cannot": True}, {"answer": "", "cannot": False}]
    assert ANSWERS.told(given) == ["#1: no", "#2: cannot be answered", "#3: nothing"]


TEXT = st.text("ab \n", max_size=12)


@given(TEXT)
def test_line_breaks_come_back_from_a_form_as_single_signs(text):
    assert Text(lines=3).parse([text.replace("\n", "\r\n")]) == Text(lines=3).parse([text])
    assert Text(lines=3).parse([text.replace("\n", "\r")]) == Text(lines=3).parse([text])


def test_a_text_of_several_lines_keeps_them_unless_it_is_one_line():
    assert Text(lines=2).parse(["Did X\r\nuse Y? "]) == "Did X\nuse Y?"
    assert Text(lines=2, is_one_line=True).parse([" Did X \r\n\r\n use  Y?\n"]) == "Did X use  Y?"
    assert Text().parse(["Did X\nuse  Y?"]) == "Did X use Y?"
    assert Text(lines=2, is_one_line=True).parse([]) == Text(lines=2).parse([]) == ""
