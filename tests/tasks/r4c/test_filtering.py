"""Right answers, exactly three derivations, answerable from each."""

import pytest

from tasks.r4c.filtering import is_answerable, is_right, kept_derivations, verdict_of


@pytest.mark.parametrize(
    ("choice", "right"), [("Ant & Bee", True), (" ant & bee", True), ("neither", False), ("", False)]
)
def test_an_answer_is_right_whatever_its_case_and_entities(choice, right):
    assert is_right(choice, "Ant &amp; Bee") is right


def test_neither_is_never_right():
    assert not is_right("neither", "neither")


def test_exactly_three_right_submissions_keep_an_instance():
    choices = {3: "Hive", 1: "hive", 2: "Hive"}
    assert kept_derivations(choices, "Hive").right == (1, 2, 3)
    assert kept_derivations(choices, "Hive").reason == ""
    fewer = kept_derivations(choices | {3: "neither"}, "Hive")
    assert (fewer.right, fewer.reason) == ((1, 2), "2 submissions with the right answer, exactly 3 are wanted")
    assert kept_derivations(choices | {4: "Hive"}, "Hive").reason.startswith("4 submissions")


@pytest.mark.parametrize(
    ("judgements", "verdict"),
    [
        (["yes", "yes", "no"], "yes"),
        (["likely", "likely", "yes"], "likely"),
        (["yes", "likely", "no"], "split"),
        ([], "split"),
    ],
)
def test_a_majority_decides_and_a_tie_stays_a_tie(judgements, verdict):
    assert verdict_of(judgements) == verdict


def test_an_instance_is_answerable_where_each_derivation_is():
    assert is_answerable(["yes", "yes", "yes"])
    assert not is_answerable(["yes", "yes", "split"])
    assert not is_answerable([])
