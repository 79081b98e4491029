"""Near-duplicates share a mark, so that they are found without reading all there is."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.checks.repetition import marks_of, nearly_same

WORDS = st.lists(st.sampled_from([f"{a}{b}x" for a in "bdfgklmnprstvz" for b in "aeiou"]), max_size=12)


@given(WORDS, WORDS)
def test_texts_that_are_nearly_the_same_share_a_mark(one, other):
    if nearly_same(" ".join(one), " ".join(other)):
        assert set(marks_of(" ".join(one))) & set(marks_of(" ".join(other)))


@given(WORDS, st.randoms())
def test_one_word_more_among_many_is_found(words, dice):
    changed = [*words, "quokka"]
    dice.shuffle(changed)
    if len(set(words)) >= 4:
        assert nearly_same(" ".join(words), " ".join(changed))
        assert set(marks_of(" ".join(words))) & set(marks_of(" ".join(changed)))


def test_few_marks_are_enough_and_a_text_without_content_has_none():
    assert len(marks_of("Could the first millers of Maresby have used a steam engine?")) <= 3
    assert marks_of("Is it?") == []
    assert not nearly_same("Is it?", "Is it?")
