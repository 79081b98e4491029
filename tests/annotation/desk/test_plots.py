from datetime import UTC, datetime, timedelta

import pytest

from annotation.desk import charts, plots
from annotation.desk.plots import Amount
from annotation.hits.queries import Spending
from annotation.review.figures import Agreement, Pay, Step


@pytest.mark.parametrize(
    ("largest", "steps"),
    [
        (0, [0, 1]),
        (1, [0, 1]),
        (3, [0, 1, 2, 3]),
        (4, [0, 1, 2, 3, 4]),
        (7, [0, 2, 4, 6, 8]),
        (20, [0, 5, 10, 15, 20]),
        (21, [0, 10, 20, 30]),
        (99, [0, 50, 100]),
        (12_345, [0, 5_000, 10_000, 15_000]),
    ],
)
def test_scales_end_on_round_whole_numbers(largest, steps):
    top, found = plots.round_scale(largest)
    assert found == steps and top == steps[-1] >= largest


def test_bars_share_one_scale_and_never_leave_it():
    plot = plots.bars(
        key="k",
        title="t",
        summary="s",
        head=["a", "b"],
        amounts=[Amount("x", 50, "50", still=25), Amount("y", 400, "400")],
        most=100,
    )
    assert [(bar.width, bar.end) for bar in plot.bars] == [(50, 75), (100, 100)]
    assert plot.rows == (("x", "50"), ("y", "400"))


def test_bars_of_nothing_are_drawn_empty():
    plot = plots.bars(key="k", title="t", summary="s", head=["a", "b"], amounts=[Amount("x", 0, "0")])
    assert plot.bars[0].width == 0


def test_columns_stand_side_by_side_on_the_floor():
    plot = plots.columns(
        key="k",
        title="t",
        summary="s",
        head=["a", "b"],
        counts=[("first", 10), ("second", 0), ("third", 5)],
        x_ticks=[],
        x_label="x",
        y_label="y",
    )
    first, third = plot.columns
    assert first.x < third.x and first.x + first.width < third.x
    assert first.y + first.height == pytest.approx(plot.floor) == pytest.approx(third.y + third.height)
    assert plot.rows == (("first", "10"), ("third", "5"))


def test_the_funnels_sentence_and_table_say_what_the_bars_show():
    steps = [
        Step("s", "entered", "Source questions", 100),
        Step("s", "kept", "Kept by the filter", 60, lost=40, lost_label="excluded by the filter"),
        Step("s", "accepted", "Accepted", 25, waiting=35),
    ]
    plot = charts.funnel(steps)
    assert plot.summary == "25 of 100 source questions (25%) came to the end so far."
    assert plot.rows[1:] == (("Kept by the filter", "60", "40", "0"), ("Accepted", "25", "0", "35"))
    assert [bar.note for bar in plot.bars] == ["", "40 excluded by the filter", "35 not yet"]


def test_money_beyond_the_cap_is_said():
    shown = charts.spending(Spending(cap_cents=1_000, spent_cents=500, reserved_cents=300), 400)
    assert "$8.00 of $10.00 is spent or promised" in shown.summary
    assert "more than the cap allows" in shown.summary
    assert shown.rows[-1] == ("Left under the cap", "−$2.00")


def test_pay_names_the_floor_and_who_fell_below_it():
    shown = charts.pay("s", Pay(40, 900, 1_200, 1_500, 12, 60.0), 1_000)
    assert "$12.00 an hour or more, above the floor of $10.00" in shown.summary
    assert "12 of 40 paid less" in shown.summary
    assert shown.mark == pytest.approx(66.67)
    assert charts.pay("s", Pay(0, None, None, None, 0, None), 1_000) is None


def test_pay_says_when_it_knows_little_and_what_it_left_out():
    assert "little to go by" not in charts.pay("s", Pay(10, 900, 1_200, 1_500, 0, 60.0), 1_000).summary
    shown = charts.pay("s", Pay(9, 900, 1_200, 1_500, 0, 60.0, left_out=3), 1_000)
    assert "little to go by: fewer than 10" in shown.summary
    assert "3 times too quick or too slow for honest work left out" in shown.summary


def test_agreement_without_outcomes_has_no_plot():
    assert charts.agreement("s", Agreement((0,) * 10, 0, None, 0)) is None
    shown = charts.agreement("s", Agreement((1, *[0] * 8, 3), 4, 0.75, 1))
    assert shown.rows == (("0.0 to 0.1", "1"), ("0.9 to 1.0", "3"))


def test_many_hours_are_shown_by_the_day():
    start = datetime(2026, 11, 1, tzinfo=UTC)
    hours = [(start + timedelta(hours=number), 1) for number in range(240)]
    plot = charts.answers_over_time(hours)
    assert plot.title == "Answers a day" and len(plot.columns) == 10
    assert plot.rows[0] == ("1 November", "24")
    assert charts.answers_over_time(hours[:30]).title == "Answers an hour"
    assert charts.answers_over_time([]) is None
