"""Agreement beyond chance: Krippendorff's alpha, Cohen's kappa, with bootstrap intervals over units.

A coefficient is None where chance agreement is complete (all values are one and the same) or nothing can
be paired: such data say nothing of reliability (Krippendorff 2011).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from tasks.metrics.intervals import Interval, bounds

Level = Literal["nominal", "ordinal", "interval", "ratio"]
Unit = Sequence[Hashable]


def alpha(units: Iterable[Unit], level: Level = "nominal") -> Interval:
    """Krippendorff's alpha over units, each the values its coders gave (missing ones left out, in any order).

    Ordinal, interval and ratio levels need numbers. Units with fewer than two values pair with nothing.
    """
    pairable = [unit for unit in units if len(unit) >= 2]
    values = sorted({value for unit in pairable for value in unit}, key=_order)
    if level != "nominal" and not all(isinstance(value, int | float) for value in values):
        raise ValueError(f"level {level} needs numbers, found {values[:5]}")
    if level == "nominal":
        return _nominal_alpha(pairable, {value: place for place, value in enumerate(values)})
    coincidences = np.array([_coincidences(unit, values) for unit in pairable])
    places = np.array(values, dtype=float)
    return _with_interval(coincidences, lambda table: _alpha_of(table, places, level))


def _order(value: Hashable) -> tuple[str, Any]:
    """Numbers as numbers, whole or not: ordinal distances count what lies between."""
    return ("", value) if isinstance(value, int | float) else (str(type(value)), value)


def cohen(pairs: Iterable[tuple[Hashable, Hashable]]) -> Interval:
    """Cohen's kappa of two raters over units."""
    pairs = list(pairs)
    values = {value: place for place, value in enumerate(dict.fromkeys(value for pair in pairs for value in pair))}
    tables = np.zeros((len(pairs), len(values), len(values)))
    for unit, (one, other) in enumerate(pairs):
        tables[unit, values[one], values[other]] = 1

    def kappa(table: np.ndarray) -> float:
        total = table.sum()
        expected = (table.sum(axis=0) * table.sum(axis=1)).sum() / total**2 if total else 1.0
        return _beyond_chance(np.trace(table) / total, expected) if total else float("nan")

    return _with_interval(tables, kappa)


def _nominal_alpha(units: Sequence[Unit], places: Mapping[Hashable, int]) -> Interval:
    """Without tables of value by value: texts that workers choose among have thousands of values."""
    n = len(units)
    if not n:
        return Interval(None, None, None, 0)
    sizes = np.array([len(unit) for unit in units])
    owner = np.repeat(np.arange(n), sizes)
    given = np.array([places[value] for unit in units for value in unit], dtype=np.int64)
    squares = np.array([sum(count**2 for count in Counter(unit).values()) for unit in units], dtype=float)
    # How often two different values stand together in a unit, each value counting once in all.
    apart = (sizes**2 - squares) / (sizes - 1)

    def of(weights: np.ndarray) -> float:
        counts = np.bincount(given, weights=weights[owner], minlength=len(places))
        total = counts.sum()
        expected = (total**2 - (counts**2).sum()) / (total - 1) if total >= 2 else 0.0
        return float(1 - weights @ apart / expected) if expected > 0 else float("nan")

    value = of(np.ones(n))
    if np.isnan(value):
        return Interval(None, None, None, n)
    low, high = bounds(lambda weights: np.array([of(one) for one in weights]), n)
    return Interval(value, low, high, n)


def _coincidences(unit: Unit, values: Sequence[Hashable]) -> np.ndarray:
    """How often each two values stand together in a unit, each value counting once in all."""
    counts = np.array([list(unit).count(value) for value in values], dtype=float)
    return (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)


def _alpha_of(table: np.ndarray, places: np.ndarray, level: Level) -> float:
    given = table.sum(axis=1)
    total = given.sum()
    if total < 2:
        return float("nan")
    distances = _distances(places, given, level)
    expected = (np.outer(given, given) * distances).sum() / (total - 1)
    return float(1 - (table * distances).sum() / expected) if expected else float("nan")


def _distances(places: np.ndarray, given: np.ndarray, level: Level) -> np.ndarray:
    """Squared differences of values at a level of measurement; ordinal ones count the values between."""
    if level == "interval":
        return (places[:, None] - places[None, :]) ** 2
    if level == "ratio":
        sums = places[:, None] + places[None, :]
        return np.divide(places[:, None] - places[None, :], sums, out=np.zeros_like(sums), where=sums != 0) ** 2
    middles = np.cumsum(given) - given / 2
    return (middles[:, None] - middles[None, :]) ** 2


def _beyond_chance(observed: float, expected: float) -> float:
    return float((observed - expected) / (1 - expected)) if expected < 1 else float("nan")


def _with_interval(per_unit: np.ndarray, coefficient: Callable[[np.ndarray], float]) -> Interval:
    """A coefficient of the sum of per-unit tables, and its interval over draws of units."""
    n = len(per_unit)
    value = coefficient(per_unit.sum(axis=0)) if n else float("nan")
    if np.isnan(value):
        return Interval(None, None, None, n)

    def of_draws(weights: np.ndarray) -> np.ndarray:
        return np.array([coefficient(table) for table in np.tensordot(weights, per_unit, axes=1)])

    return Interval(value, *bounds(of_draws, n), n)
