"""How texts are compared: normal forms, content words, the question sentence."""

import pytest

from tasks.text import comparable, content_words, normalised, question_sentence, unwelcome_character, words


def test_squads_normal_form_drops_case_punctuation_and_articles():
    assert normalised("  The Force, of  a (moving) body's mass. ") == "force of moving bodys mass"


def test_words_are_lower_case_without_possessives_and_typographic_signs():
    assert words("Earth’s gravity, don’t—H2O “ice”") == ["earth", "gravity", "don't", "h2o", "ice"]


def test_words_are_the_same_with_and_without_their_accents():
    assert words("El Niño, jalapeño") == words("el nino jalapeno")


def test_numbers_are_one_word_with_the_signs_inside_them():
    assert words("2.5 m, 1,000km; .5 or 3. In 1990, 5’s") == [
        "2.5",
        "m",
        "1,000",
        "km",
        ".5",
        "or",
        "3",
        "in",
        "1990",
        "5",
    ]
    assert words("H2O.5 and x.y, U.S.") == ["h2o", "5", "and", "x", "y", "u", "s"]
    assert not content_words("2.5") & content_words("3.5 or .5 or 5")


def test_content_words_meet_through_their_stems():
    assert content_words("gravity") & content_words("gravitational force")
    assert content_words("it melts") & content_words("Melting")
    assert not content_words("gravity", stemming=False) & content_words("gravitational force", stemming=False)


def test_stop_words_are_a_choice_of_the_caller():
    assert content_words("it is the sun") == {"sun"}
    assert content_words("it is the sun", stop_words=["sun"], stemming=False) == {"it", "is", "the"}


def test_words_that_tell_science_answers_apart_are_no_stop_words():
    assert content_words("no change") != content_words("change")
    assert content_words("more") and content_words("5") and content_words("up")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gravity.", "gravity"),
        ("The sun", "sun"),
        ("a  base", "Base"),
        ("“ice”", "ice"),
        ("12.", "12"),
        ("“12”", "12"),
        ("“about 12”.", "about 12"),
        ("(5)", "5"),
        ("...5", "5"),
    ],
)
def test_near_identical_answers_have_one_comparable_form(one, other):
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2.5", "25"),
        ("-5", "5"),
        (".5 g", "5 g"),
        ("about .5.", "about 5"),
        ("5'", '5"'),
        ("5'", "5"),
        ("5’ tall", "5 tall"),
        ("5'6\"", "5'6"),
        ("vitamin A", "vitamin"),
        ("bases", "base"),
        ("H2O", "HO2"),
        ("?", "!"),
    ],
)
def test_different_answers_keep_different_comparable_forms(one, other):
    assert comparable(one) != comparable(other)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Rain falls. The soil gets wet! What happens next?", "What happens next?"),
        ("He said “Stop.” Why did it stop?", "Why did it stop?"),
        ("A ball rolls because of", "A ball rolls because of"),
        ("What is it? ", "What is it?"),
        ("It weighs 2.5 grams", "It weighs 2.5 grams"),
        ("", ""),
    ],
)
def test_the_question_sentence_is_the_last_one(text, sentence):
    assert question_sentence(text) == sentence


def test_characters_that_no_database_stores_are_named():
    assert unwelcome_character("ice\ud800") == "U+D800"
    assert unwelcome_character("ice\0") == "U+0000"
    assert unwelcome_character("El Niño 🌊\n") == ""


def test_long_runs_of_signs_are_read_in_one_pass():
    for text in ("." * 200_000, ".\"'" * 70_000, "a'" * 100_000, " " * 200_000 + "x", ". " * 100_000):
        question_sentence(text), words(text), comparable(text), normalised(text)
