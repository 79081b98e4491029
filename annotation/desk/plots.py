"""Plots as plain geometry: what a template needs to draw one as inline SVG, and the same as a table.

Lengths along the page are percentages and heights are pixels, so that a plot fills any width while its
text keeps the size of the page's. Every plot has a title, a sentence that says what is to be seen, and
rows for its table twin. Nothing here knows of tables, requests or colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

ROW = 58
TICKS = 4


@dataclass(frozen=True)
class Plot:
    """What all plots share: `template` draws it; `head` and `rows` are the table twin."""

    key: str
    title: str
    summary: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    template: str = ""
    height: int = 0


@dataclass(frozen=True)
class Bar:
    """One horizontal bar: `width` of what counts, then `faded` of what may still come."""

    label: str
    value: str
    width: float
    y: int
    faded: float = 0
    note: str = ""
    series: int = 1

    @property
    def end(self) -> float:
        return round(self.width + self.faded, 2)

    @property
    def text_y(self) -> int:
        return self.y + 16

    @property
    def bar_y(self) -> int:
        return self.y + 24

    @property
    def note_y(self) -> int:
        return self.y + 64


@dataclass(frozen=True)
class Bars(Plot):
    template: str = "desk/plots/bars.html"
    bars: tuple[Bar, ...] = ()
    mark: float | None = None
    mark_label: str = ""


@dataclass(frozen=True)
class Column:
    x: float
    width: float
    y: float
    height: float
    label: str = ""


@dataclass(frozen=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True)
class Columns(Plot):
    """A histogram, or counts over time: columns over a line, ticks below and at the side."""

    template: str = "desk/plots/columns.html"
    columns: tuple[Column, ...] = ()
    x_ticks: tuple[Tick, ...] = ()
    y_ticks: tuple[Tick, ...] = ()
    x_label: str = ""
    y_label: str = ""
    floor: int = 0


@dataclass(frozen=True)
class Amount:
    """One value of a bar plot, before it is drawn. `still` may be added to `value` in time."""

    label: str
    value: float
    text: str
    still: float = 0
    note: str = ""
    series: int = 1
    cells: tuple[str, ...] = field(default=())


def bars(
    *,
    key: str,
    title: str,
    summary: str,
    head: Sequence[str],
    amounts: Sequence[Amount],
    most: float | None = None,
    mark: float | None = None,
    mark_label: str = "",
) -> Bars:
    """Horizontal bars on one scale from 0 to `most` (by default the largest amount, or the mark)."""
    scale = most or max([amount.value + amount.still for amount in amounts] + [mark or 0], default=0) or 1
    drawn, y = [], 0
    for amount in amounts:
        drawn.append(
            Bar(
                label=amount.label,
                value=amount.text,
                width=_share(amount.value, scale),
                faded=_share(amount.still, scale),
                y=y,
                note=amount.note,
                series=amount.series,
            )
        )
        y += ROW + (20 if amount.note else 0)
    return Bars(
        key=key,
        title=title,
        summary=summary,
        head=tuple(head),
        rows=tuple((amount.label, *(amount.cells or (amount.text,))) for amount in amounts),
        height=max(y, ROW),
        bars=tuple(drawn),
        mark=None if mark is None else _share(mark, scale),
        mark_label=mark_label,
    )


def columns(
    *,
    key: str,
    title: str,
    summary: str,
    head: Sequence[str],
    counts: Sequence[tuple[str, int]],
    x_ticks: Sequence[Tick],
    x_label: str,
    y_label: str,
    height: int = 180,
) -> Columns:
    """Columns of equal width, one a count, on a scale that ends on a round number."""
    top, steps = round_scale(max((count for _, count in counts), default=0))
    width = 100 / max(len(counts), 1)
    gap = min(width * 0.12, 0.4)
    drawn = tuple(
        Column(
            x=round(number * width + gap, 3),
            width=round(width - 2 * gap, 3),
            y=round(height - height * count / top, 2),
            height=round(height * count / top, 2),
            label=f"{label}: {count:,}",
        )
        for number, (label, count) in enumerate(counts)
        if count
    )
    return Columns(
        key=key,
        title=title,
        summary=summary,
        head=tuple(head),
        rows=tuple((label, f"{count:,}") for label, count in counts if count),
        columns=drawn,
        x_ticks=tuple(x_ticks),
        y_ticks=tuple(Tick(round(height - height * step / top, 2), f"{step:,}") for step in steps),
        x_label=x_label,
        y_label=y_label,
        floor=height,
        height=height + 26,
    )


def round_scale(largest: float) -> tuple[int, list[int]]:
    """The end of a scale that holds `largest`, a round number, and the steps up to it (whole numbers only)."""
    if largest <= 0:
        return 1, [0, 1]
    rough = largest / TICKS
    power = 10 ** math.floor(math.log10(rough)) if rough >= 1 else 1
    step = next((factor * power for factor in (1, 2, 5, 10) if factor * power >= rough), 10 * power)
    count = math.ceil(largest / step)
    return int(count * step), [int(number * step) for number in range(count + 1)]


def time_ticks(moments: Sequence[datetime], form: str) -> list[Tick]:
    """Names the first, the middle and the last of the columns: more would not fit on a phone."""
    last = len(moments) - 1
    places = sorted({0, last // 2, last}) if last >= 8 else sorted({0, last})
    return [Tick(round(100 * (place + 0.5) / len(moments), 2), moments[place].strftime(form)) for place in places]


def _share(amount: float, scale: float) -> float:
    return round(100 * max(0.0, min(amount / scale, 1.0)), 2)
