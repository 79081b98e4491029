"""Splits by writers: disjoint, as near as can be, the same each time."""

import itertools
import random

import pytest

from tasks.strategyqa.splitting import leaking_writers, writers_for_test


def test_as_many_writers_and_questions_as_asked_for():
    questions = {"ann": 50, "bob": 20, "cy": 15, "dee": 10, "eve": 5}
    assert writers_for_test(questions, wanted=30, writers=2) == {"bob", "dee"}
    assert sum(questions[name] for name in writers_for_test(questions, wanted=33)) in (30, 35)


def test_no_other_choice_of_writers_is_nearer():
    dice = random.Random(6)
    for _ in range(40):
        questions = {f"w{number}": dice.randint(1, 30) for number in range(7)}
        wanted, writers = dice.randint(1, 60), dice.randint(1, 4)
        found = writers_for_test(questions, wanted=wanted, writers=writers)
        best = min(
            abs(sum(questions[name] for name in choice) - wanted)
            for choice in itertools.combinations(questions, writers)
        )
        assert len(found) == writers
        assert abs(sum(questions[name] for name in found) - wanted) == best


def test_the_split_does_not_depend_on_the_order_of_writers():
    questions = {f"w{number}": 5 for number in range(9)}
    assert writers_for_test(questions, wanted=10) == writers_for_test(dict(reversed(questions.items())), wanted=10)


def test_one_writer_cannot_be_split():
    with pytest.raises(ValueError, match="two writers or more"):
        writers_for_test({"ann": 5}, wanted=2)
    with pytest.raises(ValueError, match="expected 1 to 1 of 2 writers"):
        writers_for_test({"ann": 5, "bob": 5}, wanted=2, writers=2)


def test_many_writers_are_split_quickly():
    questions = {f"w{number:03}": 1 + number % 37 for number in range(150)}
    found = writers_for_test(questions, wanted=490, writers=30)
    assert sum(questions[name] for name in found) == 490


def test_a_writer_in_two_splits_leaks():
    splits = {"train": {"q1": "ann", "q2": "bob"}, "test": {"q3": "bob", "q4": "cy"}}
    assert leaking_writers(splits) == {"bob": ["test", "train"]}
    assert leaking_writers({"train": {"q1": "ann"}, "test": {"q2": "bob"}}) == {}
