"""A policy rejects what enough of a group's solvers are right about, as the paper says it."""

import itertools

import pytest

from tasks.solvers.policy import HOLDS, SOLVED, Policy
from tasks.solvers.settings import FNTD, PTD, SolverSettings

POLICY = Policy.read([PTD, FNTD])
PTD_SEATS, FNTD_SEATS = (group.seats for group in POLICY.groups)


@pytest.mark.parametrize("right", [*itertools.product([False, True], repeat=8)])
def test_a_question_is_rejected_by_four_of_five_fixed_or_by_all_three_learning_solvers(right):
    said = dict(zip(POLICY.seats, right, strict=True))
    is_easy = sum(right[:5]) >= 4 or sum(right[5:]) == 3
    assert POLICY.verdict(said) == (SOLVED if is_easy else HOLDS)


def test_the_same_kind_of_solver_sits_in_two_groups_under_two_names():
    assert POLICY.seats["PTD/words"] == ("words", False)
    assert POLICY.seats["FNTD/words"] == ("words", True)
    assert len(POLICY.seats) == 8


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("PTD 4 of 5", "expected a group of solvers like"),
        ("PTD, fixed, 0 of: words", "expected 1 to 1"),
        ("PTD, fixed, 3 of: words, letters", "expected 1 to 2 of its solvers, found 3"),
        ("PTD, fixed, 1 of: words, words", "twice"),
        ("PTD, sleeping, 1 of: words", "expected a group"),
    ],
)
def test_a_line_that_is_no_group_is_refused_with_the_reason(line, reason):
    with pytest.raises(ValueError, match=reason):
        SolverSettings(groups=[line])


def test_two_groups_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        SolverSettings(groups=[PTD, PTD])


def test_without_groups_there_is_no_policy():
    assert SolverSettings(groups=[]).policy() is None
    assert SolverSettings(tries=5).policy().tries == 5
