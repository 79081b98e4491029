"""Bootstrap intervals: they hold what they promise, and are the same every time."""

import numpy as np
import pytest

from tasks.metrics import intervals
from tasks.metrics.intervals import mean, ratio


def test_an_interval_encloses_the_mean_and_shrinks_with_more_units():
    few, many = mean([0, 1] * 20), mean([0, 1] * 2_000)
    assert few.value == many.value == 0.5
    assert few.low < few.value < few.high
    assert many.high - many.low < (few.high - few.low) / 5


def test_the_interval_is_near_the_theoretical_one():
    dice = np.random.default_rng(1)
    values = dice.normal(10, 2, size=1_000)
    found = mean(values)
    half = 1.96 * values.std() / np.sqrt(1_000)
    assert found.low == pytest.approx(values.mean() - half, abs=0.02)
    assert found.high == pytest.approx(values.mean() + half, abs=0.02)


def test_the_same_values_give_the_same_interval_however_memory_is_cut(monkeypatch):
    values = list(range(50))
    whole = mean(values)
    assert mean(values) == whole
    monkeypatch.setattr(intervals, "_CELLS_AT_ONCE", 700)
    monkeypatch.setattr(intervals, "_CELLS_KEPT", 0)
    assert mean(values) == whole


def test_a_ratio_weighs_units_by_their_denominators():
    assert ratio([6, 0], [3, 1]).value == 1.5


def test_draws_without_a_denominator_are_left_out():
    found = ratio([1, 0, 0], [2, 0, 0])
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


def test_nothing_to_count_has_no_value():
    assert mean([]) == (None, None, None, 0)
    assert ratio([0.0], [0.0]) == (None, None, None, 1)
