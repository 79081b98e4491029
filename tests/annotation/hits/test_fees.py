import pytest

from annotation.hits.fees import bonus_fee_cents, fee_cents


@pytest.mark.parametrize(
    ("reward", "assignments", "fee"),
    [(1, 3, 1), (7, 3, 1), (8, 3, 2), (10, 9, 2), (10, 10, 4), (50, 9, 10), (50, 12, 20), (100, 3, 20), (0, 3, 1)],
)
def test_a_fee_is_a_fifth_or_two_fifths_from_ten_assignments_up(reward: int, assignments: int, fee: int) -> None:
    assert fee_cents(reward, assignments) == fee


def test_masters_cost_a_twentieth_more() -> None:
    assert fee_cents(100, 3, masters=True) == 25


def test_half_a_cent_is_rounded_up() -> None:
    assert fee_cents(52, 3) == 10  # 10.4
    assert fee_cents(53, 3) == 11  # 10.6
    assert bonus_fee_cents(125) == 25


def test_a_bonus_costs_at_least_a_cent() -> None:
    assert bonus_fee_cents(1) == 1
