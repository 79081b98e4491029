"""The structure rule of decompositions, on steps of our own, on real ones and on broken ones."""

import random
import re

import pytest

from tasks.strategyqa.decomposition import faults, references, renumbered

SOUND = ["How tall is a fir?", "How tall is a house?", "Is #1 taller than #2?"]


def names(steps):
    return {fault.name for fault in faults(steps)}


@pytest.mark.parametrize(
    ("step", "numbers"),
    [
        ("Is #1 taller than #2?", [1, 2]),
        ("Is #10 taller than #2?", [10, 2]),
        ("What is #2's colour?", [2]),
        ("Did#1 happen?", [1]),
        ("Is #1 more than #1?", [1]),
        ("Was Superman #75 printed before #1?", [1]),
        ("What came after #75?", [75]),
        ("Is Norris #1?", [1]),
        ("What is listed in #!?", []),
        ("Is the #tag old?", []),
        ("", []),
    ],
)
def test_references_are_numbers_after_a_hash(step, numbers):
    assert references(step, steps=3) == numbers


@pytest.mark.parametrize(
    "steps",
    [
        SOUND,
        ["Is snow white?"],
        ["What is a fir?", "Where does #1 grow?", "Is it cold in #2?", "Is #1 found in #3?"],
        [f"What is thing {n}?" for n in range(1, 11)] + ["Are " + ", ".join(f"#{n}" for n in range(1, 11)) + " old?"],
    ],
)
def test_sound_decompositions_have_no_fault(steps):
    assert faults(steps) == []


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        (["What is #1?", "Is #1 old?"], {"refers_to_itself"}),
        (["What is a fir?", "Is #1 older than #3?"], {"refers_to_no_step"}),
        (["What is a fir?", "Is #1 older than #0?"], {"refers_to_no_step"}),
        (["What is #2?", "What is #1?", "Is #2 old?"], {"refers_to_a_later_step", "runs_in_a_circle"}),
        (["What is in #2?", "What is a fir?", "Is #1 old?"], {"refers_to_a_later_step", "is_never_used"}),
        (["What is a fir?", "What is a house?", "Is #2 old?"], {"is_never_used"}),
        (["What is a fir?", "Is it old?"], {"is_never_used"}),
    ],
)
def test_each_fault_bears_its_name(steps, found):
    assert names(steps) == found


def test_a_fault_names_its_step_and_reference():
    [fault] = faults(["What is a fir?", "Is #1 older than #7?"])
    assert (fault.step, fault.reference) == (2, 7)


def test_steps_can_be_reordered_and_their_references_follow():
    steps = ["A?", "B of #1?", "C?", "Is #2 like #3?"]
    assert renumbered(steps, [3, 1, 2, 4]) == ["C?", "A?", "B of #2?", "Is #3 like #1?"]
    assert faults(renumbered(steps, [3, 1, 2, 4])) == []
    with pytest.raises(ValueError, match="expected each of 1 to 4 once"):
        renumbered(steps, [1, 2, 3])


def broken(steps, kind, dice):
    """Steps with one fault, and the names of which one must be found."""
    steps = list(steps)
    last = len(steps)
    if kind == "dropped":
        number = dice.randint(1, last - 1)
        return [re.sub(rf"#{number}(?!\d)", "it", step) for step in steps], "is_never_used"
    place = dice.randrange(last)
    if kind == "self":
        steps[place] += f" And #{place + 1}?"
        return steps, "refers_to_itself"
    if kind == "out of range":
        steps[place] += f" And #{dice.choice([0, last + 1, last + 9, 999])}?"
        return steps, "refers_to_no_step"
    if kind == "forward":
        place = dice.randrange(last - 1)
        steps[place] += f" And #{dice.randint(place + 2, last)}?"
        return steps, "refers_to_a_later_step"
    referring = dice.choice([number for number in range(2, last + 1) if references(steps[number - 1], last)])
    referred = dice.choice(references(steps[referring - 1], last))
    steps[referred - 1] += f" And #{referring}?"
    return steps, "runs_in_a_circle"


@pytest.mark.shared_data
def test_real_decompositions_pass_and_ten_thousand_broken_ones_are_each_refused(public_rows):
    decompositions = [row["decomposition"] for row in public_rows]
    assert len(decompositions) == 2_290
    assert [steps for steps in decompositions if faults(steps)] == []
    dice = random.Random(8)
    several = [steps for steps in decompositions if len(steps) > 1]
    for _ in range(10_000):
        kind = dice.choice(["dropped", "self", "out of range", "forward", "circle"])
        steps, name = broken(dice.choice(several), kind, dice)
        assert name in names(steps), (kind, steps)
