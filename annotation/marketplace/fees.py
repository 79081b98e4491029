"""What the marketplace adds to rewards and bonuses, in whole cents.

The rules are Amazon's, so that a budget made for one holds for the other: 20 % of the reward, 20 % more
from ten assignments up, 5 % for Masters, at least one cent, half a cent rounds up.
"""

BASE, MANY_ASSIGNMENTS, MASTERS = 20, 20, 5
MANY = 10


def _percent(cents: int, percent: int) -> int:
    return max(1, (cents * percent + 50) // 100)


def on_reward(cents: int, assignments: int, masters: bool = False) -> int:
    """The fee for one assignment of a HIT."""
    percent = BASE + (MANY_ASSIGNMENTS if assignments >= MANY else 0) + (MASTERS if masters else 0)
    return _percent(cents, percent)


def on_bonus(cents: int) -> int:
    """The fee for one bonus."""
    return _percent(cents, BASE)
