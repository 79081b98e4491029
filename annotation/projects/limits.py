"""What the numbers of projects and stages may be: actions refuse what is beyond, forms and the API say so before."""

PROJECT = {
    "budget_cap_cents": (0, 10**12),
    "wage_floor_cents": (0, 1_000_000),
}
STAGE = {
    "reward_cents": (0, 100_000),
    "answers_per_item": (1, 100),
    "items_per_hit": (1, 50),
    "minutes_allowed": (1, 60 * 24 * 30),
    "expected_seconds_per_item": (1, 60 * 60 * 8),
    "lifetime_days": (1, 365),
    "approve_after_hours": (0, 720),
    "auto_approval_hours": (0, 720),
}
