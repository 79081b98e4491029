"""The filter phrases, in all readings, on sentences of our own and question by question on ARC."""

import csv
import gzip
import json

import pytest

from tasks.arc_da.filtering import PHRASES, READING_HINTS, READINGS, excluding_phrases


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        ("Which of these is a liquid?", ["which of"]),
        ("Light falls on a leaf and is used by which of these parts?", ["which of"]),
        ("Tom has two stones. Which stone is the greatest help to him?", ["est"]),
        ("Which object would float best in oil?", ["which object", "best", "est"]),
        ("Which demonstrates a change of state?", ["which <verb>"]),
        ("Which is hot?", ["which is"]),
        # The last word before the question mark has no blank behind it; these were released.
        ("Which of_ice affects the tide most?", []),
        ("Which consequence would follow?", []),
        ("Which stages does a moth pass through?", []),
        ("What is the best way to dry a towel?", []),
        ("", []),
    ],
)
def test_the_default_reading_names_the_phrases(question, phrases):
    assert excluding_phrases(question) == phrases


def test_readings_differ_where_the_paper_is_silent():
    question = "A forest burns. What happens first to the best trees, and in which order?"
    found = {reading: excluding_phrases(question, reading) for reading in READINGS}
    assert found["release_consistent"] == found["anchored_substring"] == []
    assert found["last_sentence_word"] == ["best", "order"]
    assert found["last_sentence_suffix"] == ["best", "order", "est"]
    assert found["whole_question_word"] == ["best", "order"]
    assert excluding_phrases("The consequence?", "last_sentence_substring") == ["sequence"]


def test_an_unknown_reading_lists_those_that_exist():
    with pytest.raises(LookupError, match="release_consistent"):
        excluding_phrases("Why?", "literal")


def test_every_reading_is_explained_and_every_phrase_stands_once():
    assert set(READING_HINTS) == set(READINGS)
    assert len(set(PHRASES)) == len(PHRASES) == 25


@pytest.fixture(scope="module")
def questions(shared_data):
    texts = {}
    for path in sorted((shared_data / "arc").glob("ARC-*.jsonl")):
        prefix = "ARCEZ_" if "Easy" in path.name else "ARCCH_"
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            texts[prefix + record["id"]] = record["question"]
    return texts


@pytest.fixture(scope="module")
def published_readings(shared_data):
    with gzip.open(shared_data / "arc" / "filter_readings.tsv.gz", "rt", encoding="utf-8") as lines:
        return {row["question_id"]: row for row in csv.DictReader(lines, delimiter="\t")}


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("reading", "removed", "released"),
    [
        ("release_consistent", 3_081, 0),
        ("anchored_blank", 2_896, 0),
        ("anchored_word", 2_912, 6),
        ("anchored_substring", 2_990, 38),
        ("last_sentence_word", 4_073, 599),
        ("last_sentence_suffix", 4_251, 665),
        ("last_sentence_substring", 4_448, 758),
        ("whole_question_word", 4_161, 623),
        ("whole_question_suffix", 4_379, 704),
        ("whole_question_substring", 4_642, 827),
    ],
)
def test_each_reading_removes_as_many_of_arc_as_published(questions, published_readings, reading, removed, released):
    flagged = {key for key, text in questions.items() if excluding_phrases(text, reading)}
    assert len(questions) == 7_787
    assert len(flagged) == removed
    assert sum(published_readings[key]["in_release"] == "1" for key in flagged) == released


@pytest.mark.shared_data
@pytest.mark.parametrize("reading", ["release_consistent", "anchored_word", "anchored_substring"])
def test_the_phrases_are_the_published_ones_question_by_question(questions, published_readings, reading):
    for key, text in questions.items():
        # The table marks "which of" outside a leading "Which" with a star.
        published = published_readings[key][reading].replace("*", "")
        assert set(excluding_phrases(text, reading)) == set(filter(None, published.split("|"))), key


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("reading", "column"),
    [
        ("last_sentence_word", "last_sentence_word"),
        ("last_sentence_suffix", "last_sentence_word_or_est_suffix"),
        ("whole_question_suffix", "whole_question_word_or_est_suffix"),
        ("whole_question_substring", "whole_question_substring"),
    ],
)
def test_the_unanchored_readings_flag_the_published_questions(questions, published_readings, reading, column):
    for key, text in questions.items():
        assert bool(excluding_phrases(text, reading)) == (published_readings[key][column] == "1"), key
