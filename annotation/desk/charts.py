"""A project's figures as plots, each with the sentence that says what is to be seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.desk.plots import Amount, Plot, Tick, bars, columns, time_ticks
from annotation.desk.words import dollars, plural, spaced
from annotation.hits.queries import ENOUGH_TIMES, Spending
from annotation.projects.models import Item
from annotation.review.figures import BINS, Agreement, Pay, Step


def funnel(steps: Sequence[Step]) -> Plot:
    """From source question to release: what came through, what was lost on the way, what is still coming."""
    amounts = [
        Amount(
            label=step.label,
            value=step.reached,
            text=f"{step.reached:,}",
            still=step.waiting,
            note=_losses(step),
            cells=(f"{step.reached:,}", f"{step.lost:,}", f"{step.waiting:,}"),
        )
        for step in steps
    ]
    first, last = steps[0], steps[-1]
    share = f" ({last.reached / first.reached:.0%})" if first.reached else ""
    summary = f"{last.reached:,} of {plural(first.reached, 'source question')}{share} came to the end so far."
    if not first.reached:
        summary = "Nothing is imported yet."
    return bars(
        key="funnel",
        title="From source question to release",
        summary=summary,
        head=("Step", "Came so far", "Lost before it", "Not yet there"),
        amounts=amounts,
        most=first.reached or 1,
    )


@dataclass(frozen=True)
class Part:
    """A stretch of a strip, in percent."""

    kind: str
    x: float
    width: float
    title: str


@dataclass(frozen=True)
class Strip:
    """How a project's items stand, in one line; the sentence says the same."""

    parts: tuple[Part, ...]
    sentence: str
    total: int


def strip(counts: Mapping[str, Mapping[str, int]]) -> Strip:
    """All items of a project by where they stand, finished ones first."""
    sums = {state: sum(states[state] for states in counts.values()) for state in Item.State.values}
    total = sum(sums.values())
    groups = (
        ("accepted", ("accepted",), "accepted"),
        ("review", ("settled",), "waiting for an expert"),
        ("work", ("offered", "answered"), "with workers"),
        ("waiting", ("open",), "waiting to be offered"),
        ("gone", ("rejected",), "rejected"),
        ("gone", ("excluded",), "excluded by the filter"),
        ("gone", ("trial",), "set aside for a test"),
    )
    parts, said, x = [], [], 0.0
    for kind, states, words in groups:
        count = sum(sums[state] for state in states)
        if count:
            width = 100 * count / total
            parts.append(Part(kind, round(x, 2), round(width, 2), f"{count:,} {words}"))
            said.append(f"{count:,} {words}")
            x += width
    return Strip(tuple(parts), f"{plural(total, 'item')}: {', '.join(said)}." if said else "No items yet.", total)


def _losses(step: Step) -> str:
    lost = f"{step.lost:,} {step.lost_label}" if step.lost else ""
    coming = f"{step.waiting:,} not yet" if step.waiting else ""
    return ", ".join(part for part in (lost, coming) if part)


def spending(money: Spending, quoted_cents: int) -> Plot:
    """Spent, promised and quoted, against the cap."""
    cap = money.cap_cents
    over = "" if money.free_cents >= quoted_cents else " That is more than the cap allows."
    quoted = f" Publishing all that is open would add {dollars(quoted_cents)}." if quoted_cents else ""
    amounts = [
        Amount("Spent", money.spent_cents, dollars(money.spent_cents)),
        Amount("Promised to workers", money.reserved_cents, dollars(money.reserved_cents), series=3),
        Amount("Quote for what is open", quoted_cents, dollars(quoted_cents), series=2),
        Amount(
            "Left under the cap",
            max(0, money.free_cents - quoted_cents),
            dollars(money.free_cents - quoted_cents),
            series=5,
        ),
    ]
    return bars(
        key="spending",
        title="Money",
        summary=(
            f"{dollars(money.committed_cents)} of {dollars(cap)} is spent or promised, fees included.{quoted}{over}"
        ),
        head=("What", "Amount"),
        amounts=amounts,
        most=max(cap, money.committed_cents + quoted_cents, 1),
    )


def pay(stage: str, shown: Pay, floor_cents: int) -> Plot | None:
    """Hourly pay from plausible times, against the floor. None before anything is measured that says something."""
    if not shown.count:
        return None
    few = f" That is little to go by: fewer than {ENOUGH_TIMES}." if shown.count < ENOUGH_TIMES else ""
    out = f" {plural(shown.left_out, 'time')} too quick or too slow for honest work left out." if shown.left_out else ""
    verdict = "above" if shown.median >= floor_cents else "below"
    below = f"{shown.below_floor:,} of {shown.count:,}" if shown.below_floor else "none"
    return bars(
        key=f"pay-{stage}",
        title="Pay an hour, measured",
        summary=(
            f"Half of {plural(shown.count, 'assignment')} paid {dollars(shown.median)} an hour or more, {verdict} the "
            f"floor of {dollars(floor_cents)} (the line); {below} paid less than that.{few}{out}"
        ),
        head=("Quartile", "Pay an hour"),
        amounts=[
            Amount("A quarter earned no more than", shown.low, dollars(shown.low), series=3),
            Amount("In the middle", shown.median, dollars(shown.median)),
            Amount("A quarter earned no less than", shown.high, dollars(shown.high), series=3),
        ],
        mark=floor_cents,
        mark_label=f"floor {dollars(floor_cents)}",
    )


def agreement(stage: str, shown: Agreement) -> Plot | None:
    """How far workers agree: outcomes by tenths. None where nothing is settled yet."""
    if not shown.count:
        return None
    edges = [f"{number / BINS:.1f} to {(number + 1) / BINS:.1f}" for number in range(BINS)]
    return columns(
        key=f"agreement-{stage}",
        title=f"Agreement, {spaced(stage)}",
        summary=(
            f"Workers agree to {shown.mean:.2f} on average over {plural(shown.count, 'outcome')}; "
            f"{shown.disputed:,} are disputed."
        ),
        head=("Agreement", "Outcomes"),
        counts=list(zip(edges, shown.bins, strict=True)),
        x_ticks=[Tick(0, "0"), Tick(50, "0.5"), Tick(100, "1")],
        x_label="none to full agreement",
        y_label="outcomes",
    )


def answers_over_time(hours: Sequence[tuple[datetime, int]]) -> Plot | None:
    """Answers an hour. None where nothing came yet."""
    if not hours:
        return None
    total = sum(count for _, count in hours)
    best, most = max(hours, key=lambda pair: pair[1])
    shown = _in_days(hours) if len(hours) > 96 else hours
    by_day = shown is not hours
    form = "%-d %B" if by_day else "%-d %B, %H:00"
    unit = "day" if by_day else "hour"
    return columns(
        key="answers",
        title="Answers a day" if by_day else "Answers an hour",
        summary=(f"{plural(total, 'answer')} came in; the busiest hour was {best:%-d %B, %H:00} UTC with {most:,}."),
        head=(unit.capitalize() + " (UTC)", "Answers"),
        counts=[(moment.strftime(form), count) for moment, count in shown],
        x_ticks=time_ticks([moment for moment, _ in shown], "%-d %b" if by_day else "%-d %b %H:00"),
        x_label="UTC",
        y_label="answers",
    )


def _in_days(hours: Sequence[tuple[datetime, int]]) -> list[tuple[datetime, int]]:
    days: dict[datetime, int] = {}
    for hour, count in hours:
        day = hour.replace(hour=0)
        days[day] = days.get(day, 0) + count
    return list(days.items())
