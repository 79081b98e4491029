"""Evidence in a plain form: a step a line, whatever the ids hold."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.fields import Evidence, EvidenceSets

FIELD = Evidence()
NOTHING = {"paragraphs": None, "is_operation": False, "lacks_evidence": False}
ids = st.text("ab 1:|\\é’-\ufffe\uffff", min_size=1, max_size=8).map(str.strip).filter(bool)
steps = st.lists(
    st.fixed_dictionaries(
        {
            "paragraphs": st.none() | st.lists(ids, min_size=1, max_size=3),
            "is_operation": st.booleans(),
            "lacks_evidence": st.booleans(),
        }
    ),
    max_size=12,
)


@given(steps)
def test_evidence_comes_back_as_it_was_but_for_empty_steps_at_the_end(several):
    while several and several[-1] == NOTHING:
        several.pop()
    assert FIELD.parse([FIELD.present(several)]) == several


def test_a_line_is_about_the_step_that_it_names_or_the_next_one():
    read = FIELD.parse(["2: Fir-1 | Ash - 3|no_evidence\r\n\r\noperation\n 2: Fir-7"])
    assert read == [
        NOTHING,
        {"paragraphs": ["Fir-1", "Ash - 3", "Fir-7"], "is_operation": False, "lacks_evidence": True},
        NOTHING | {"is_operation": True},
    ]
    assert FIELD.parse([]) == FIELD.parse([" | |\n"]) == []


def test_a_title_that_begins_with_a_large_number_is_no_step():
    assert FIELD.parse(["3000: Fir-1"]) == [NOTHING | {"paragraphs": ["3000: Fir-1"]}]


def test_evidence_is_told_in_words_by_step_and_matcher():
    matched = [
        {"paragraphs": ["Fir-1"], "is_operation": False, "lacks_evidence": True},
        {"paragraphs": None, "is_operation": True, "lacks_evidence": True},
        NOTHING,
    ]
    told = ["#1: Fir-1; only partial evidence", "#2: no evidence; operation", "#3: nothing"]
    assert FIELD.told(matched) == told
    assert EvidenceSets().told([{"from_answers": [3], "matched": matched}]) == ["\n".join(["Matcher 1", *told])]
