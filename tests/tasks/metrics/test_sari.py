"""SARI by hand."""

import pytest

from tasks.metrics.sari import sari

SOURCE = "is snow white ?".split()
TARGET = "what colour is snow ?".split()


def test_the_target_itself_scores_one():
    assert sari(SOURCE, TARGET, TARGET) == 1.0


def test_a_copy_of_the_source_keeps_but_neither_adds_nor_deletes():
    assert 0 < sari(SOURCE, SOURCE, TARGET) < sari(SOURCE, TARGET, TARGET)


def test_single_words_are_counted_as_the_formula_says():
    # Unigrams: kept a of {a, b}: precision and recall 1; deleted b, rightly; added c wrongly, d missed.
    # Pairs: "a b" rightly deleted, none to keep; "a c" added wrongly, "a d" missed. Longer ones: nothing to do.
    found = sari(["a", "b"], ["a", "c"], ["a", "d"])
    keeping, deleting, adding = [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 1, 1]
    assert found == pytest.approx((sum(keeping) + sum(deleting) + sum(adding)) / 4 / 3)


def test_an_empty_prediction_has_a_score():
    assert 0 <= sari(SOURCE, [], TARGET) < 1
