"""A figure of a release's statistics out of an interval, with how the interval came about."""

from tasks.base import Figure
from tasks.metrics.intervals import Interval, method_of


def figure(table: str, row: str, column: str, interval: Interval, unit: str = "questions") -> Figure:
    """`unit`: what was drawn for the interval's bounds."""
    return Figure(table, row, column, interval.value, interval.low, interval.high, interval.n, method_of(unit))
