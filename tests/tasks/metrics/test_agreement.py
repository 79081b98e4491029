"""Alpha and kappa against textbook values and NLTK's."""

import random

import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance

from tasks.metrics.agreement import alpha, cohen

# Krippendorff (2011): four coders, twelve units, a dot where a coder gave no value.
CODERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
ROWS = [line.split() for line in CODERS.strip().splitlines()]
UNITS = [[int(value) for value in unit if value != "."] for unit in zip(*ROWS, strict=True)]


@pytest.mark.parametrize(
    ("level", "expected"), [("nominal", 0.7434), ("ordinal", 0.8154), ("interval", 0.8491), ("ratio", 0.7974)]
)
def test_alpha_of_the_textbook_table(level, expected):
    found = alpha(UNITS, level)
    assert found.value == pytest.approx(expected, abs=5e-5)
    assert found.low < found.value < found.high <= 1
    assert found.n == 11


@pytest.mark.parametrize(("level", "distance"), [("nominal", binary_distance), ("interval", interval_distance)])
def test_alpha_equals_nltks(level, distance):
    dice = random.Random(5)
    for _ in range(20):
        units = [[dice.choice([1, 1, 2, 4]) for _ in range(dice.randint(2, 4))] for _ in range(30)]
        triples = [(coder, unit, value) for unit, values in enumerate(units) for coder, value in enumerate(values)]
        assert alpha(units, level).value == pytest.approx(AnnotationTask(triples, distance=distance).alpha())


def test_the_order_of_units_and_of_values_does_not_matter_to_alpha():
    turned = [unit[::-1] for unit in UNITS[::-1]]
    assert alpha(turned, "ordinal").value == pytest.approx(alpha(UNITS, "ordinal").value)


def test_words_are_nominal_only():
    assert alpha([["yes", "yes"], ["no", "no"], ["yes", "no"]]).value == pytest.approx(0.4444, abs=1e-4)
    with pytest.raises(ValueError, match="ordinal needs numbers"):
        alpha([["yes", "no"]], "ordinal")


@pytest.mark.parametrize("units", [[], [["yes"]], [["yes", "yes"], ["yes", "yes"]]])
def test_alpha_is_undefined_without_variation_or_pairs(units):
    assert alpha(units).value is None


def test_cohens_kappa_of_the_textbook_table():
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    found = cohen(pairs)
    assert found.value == pytest.approx(0.4)
    assert found.low < 0.4 < found.high
    assert cohen([("yes", "yes")] * 3).value is None
    assert cohen([]).value is None


def test_numbers_are_in_order_whether_whole_or_not():
    whole = [[1, 2, 2], [3, 2, 1], [3, 4, 4], [1, 1, 2]]
    mixed = [[1, 1.5, 1.5], [2.0, 1.5, 1], [2.0, 9, 9], [1, 1, 1.5]]
    assert alpha(mixed, "ordinal").value == pytest.approx(alpha(whole, "ordinal").value)


def test_thousands_of_different_values_need_no_table_of_each_by_each() -> None:
    units = [(f"answer {number}", f"answer {number}", f"guess {number}") for number in range(5_000)]
    found = alpha(units)
    assert found.n == 5_000
    assert found.value == pytest.approx(1 / 3, abs=0.001)
