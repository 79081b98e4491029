"""What a marketplace takes on top of rewards. Figures as published until the original closed in 2026.

20 % of reward and bonus; 40 % of the reward of HITs with ten or more assignments; 5 % more where
Masters are required; at least one cent an assignment; rounded half up to whole cents.
"""

BASE_PERCENT = 20
MANY_PERCENT = 20
MASTERS_PERCENT = 5
MANY_ASSIGNMENTS = 10
LEAST_CENTS = 1


def fee_cents(reward_cents: int, max_assignments: int, *, masters: bool = False) -> int:
    """The fee of one assignment, in cents."""
    percent = BASE_PERCENT
    if max_assignments >= MANY_ASSIGNMENTS:
        percent += MANY_PERCENT
    if masters:
        percent += MASTERS_PERCENT
    return max(LEAST_CENTS, _half_up(reward_cents * percent))


def bonus_fee_cents(bonus_cents: int) -> int:
    """The fee of one bonus, in cents."""
    return max(LEAST_CENTS, _half_up(bonus_cents * BASE_PERCENT))


def _half_up(hundredths: int) -> int:
    return (hundredths + 50) // 100
