"""The ways of giving no answer, and short versions of wordy ones."""

import pytest

from tasks.arc_da.direct_answer.answers import is_no_answer, is_wordy, short_version


@pytest.mark.parametrize(
    "text", ["?", " ?? ", "don't know", "Don’t know.", "I DON'T KNOW", "idk", "dont know", "no idea"]
)
def test_no_answers_are_known_in_their_variants(text):
    assert is_no_answer(text)


@pytest.mark.parametrize("text", ["know", "unknown", "none", "what?", "I don't know-how", "not surely", ""])
def test_answers_that_resemble_them_are_answers(text):
    assert not is_no_answer(text)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("An invisible gas in the air above the sea", "invisible gas"),
        ("because of the heat of the fire in the stove", "heat"),
        ("it will become warmer, then it will boil over", "become warmer"),
        ("evaporation, which is when water turns into vapour", "evaporation"),
        ("gravity", ""),
        ("the gravity", ""),
        ("because it is", ""),
        ("", ""),
    ],
)
def test_a_short_version_holds_the_salient_terms(text, short):
    assert short_version(text) == short


def test_six_words_are_not_yet_wordy():
    assert not is_wordy("the change of water into ice")
    assert is_wordy("the slow change of water into ice")
