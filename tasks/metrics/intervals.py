"""Means and ratios with bootstrap intervals: how far a number would move with other questions.

Percentile bootstrap (Efron 1979): units are drawn with replacement, the figure is computed for each
draw, and the 2.5th and 97.5th percentile bound the interval. Seeded, so that a release built twice has
the same bytes.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

DRAWS = 2_000
SEED = 20_260_101
CONFIDENCE = 0.95
# Sums in another order, on another machine, differ in the last digits: bounds are told to nine.
DIGITS = 9
# Pieces that fit a cache, and a store of 30 MB: a release of 100,000 answers stays under 300 MB in all.
_CELLS_AT_ONCE = 400_000
_CELLS_KEPT = 15_000_000


class Interval(NamedTuple):
    """A figure with the bounds of its interval and the number of units it rests on. None: nothing to count."""

    value: float | None
    low: float | None
    high: float | None
    n: int


def method_of(unit: str) -> str:
    """How bounds come about, in words. `unit`: what is drawn, in the plural ("questions")."""
    return f"percentile bootstrap over {unit}, {DRAWS:,} draws, seed {SEED}, {CONFIDENCE:.0%}"


def mean(values: Sequence[float]) -> Interval:
    """The mean of one value per unit."""
    found = np.asarray(values, dtype=float)
    n = len(found)
    if not n:
        return Interval(None, None, None, 0)
    return Interval(float(found.sum() / n), *bounds(lambda weights: weights @ found / n, n), n)


def ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Interval:
    """The ratio of two sums over units, e.g. words over answers where the unit is the question."""
    above, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    total = below.sum()
    if not total:
        return Interval(None, None, None, len(below))

    def ratio_of(weights: np.ndarray) -> np.ndarray:
        sums = weights @ below
        return np.divide(weights @ above, sums, out=np.full(len(weights), np.nan), where=sums != 0)

    return Interval(float(above.sum() / total), *bounds(ratio_of, len(below)), len(below))


def bounds(statistic: Callable[[np.ndarray], np.ndarray], n: int) -> tuple[float, float]:
    """The interval of a statistic of n units: it is given a row a draw, how often each unit was drawn.

    Draws for which it is undefined (nan) are left out; nan where it is for all of them.
    """
    found = np.concatenate([statistic(weights.astype(float)) for weights in _drawn(n)])
    found = found[~np.isnan(found)]
    if not len(found):
        return float("nan"), float("nan")
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    return round(float(low), DIGITS), round(float(high), DIGITS)


def _drawn(n: int) -> Iterator[np.ndarray]:
    """How often each unit is drawn, a few draws at a time. The figures of one split share their draws."""
    return iter(_kept(n)) if DRAWS * n <= _CELLS_KEPT else _draws(n)


@functools.lru_cache(maxsize=1)
def _kept(n: int) -> tuple[np.ndarray, ...]:
    return tuple(_draws(n))


def _draws(n: int) -> Iterator[np.ndarray]:
    dice = np.random.default_rng(SEED)
    at_once = max(1, min(DRAWS, _CELLS_AT_ONCE // max(n, 1)))
    for start in range(0, DRAWS, at_once):
        rows = min(at_once, DRAWS - start)
        places = dice.integers(0, n, size=(rows, n)) + np.arange(rows)[:, None] * n
        # 255 draws of one unit out of hundreds do not happen; out of a few they may, so count in 16 bits.
        yield np.bincount(places.ravel(), minlength=rows * n).reshape(rows, n).astype(np.uint16)
