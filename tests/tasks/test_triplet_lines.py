"""Steps in a plain form: one a line, whatever their texts hold."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.fields import Triplets

FIELD = Triplets()
parts = st.text("ab 1|\\é’·", max_size=8).map(str.strip)
steps = st.lists(
    st.fixed_dictionaries(
        {"title": parts.filter(bool), "sentence": st.integers(-1, 500), "head": parts, "relation": parts, "tail": parts}
    ),
    max_size=4,
)


@given(steps)
def test_steps_come_back_as_they_were(several):
    assert FIELD.parse([FIELD.present(several)]) == several


def test_a_line_is_read_as_far_as_it_goes():
    (step,) = FIELD.parse(["Red Mill | 1 | the mill\r\n\r\n"])
    assert step == {"title": "Red Mill", "sentence": 0, "head": "the mill", "relation": "", "tail": ""}
    (step,) = FIELD.parse(["Red Mill | one | a | b | c | d"])
    assert (step["sentence"], step["tail"]) == (-1, "c | d")
    assert FIELD.parse([]) == FIELD.parse([" | |\n"]) == []


def test_blanks_inside_a_text_stay():
    text = FIELD.present([{"title": "A", "sentence": 0, "head": "a", "relation": "was  born", "tail": "b"}])
    assert FIELD.parse([text])[0]["relation"] == "was  born"
