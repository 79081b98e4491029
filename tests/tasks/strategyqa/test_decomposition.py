"""The structure rule of decompositions: what refers to what, what is wrong with it, how it follows a new order."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.strategyqa.decomposition import faults, graph_of, pieces, references, renumbered

SOUND = ["How tall is a fir?", "How tall is a house?", "Is #1 taller than #2?"]


def names(steps):
    return {fault.name for fault in faults(steps)}


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
        (["What is #2?", "What is #1?", "Is #2 old?"], {"runs_in_a_circle"}),
        (["What is #3?", "What is #1?", "Is #2 old?"], {"runs_in_a_circle"}),
        (["Is #2 red?", "What is a fir?", "Is #1 as #2 says?"], {"refers_to_a_later_step"}),
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


@given(st.lists(st.lists(st.integers(1, 6), max_size=3), min_size=1, max_size=6))
def test_sound_steps_all_lead_to_the_last_and_run_in_no_circle(numbers):
    steps = [" ".join(f"#{number}" for number in each) for each in numbers]
    graph = graph_of(steps)
    reached, waiting = set(), [len(steps)]
    while waiting:
        number = waiting.pop()
        if number not in reached and number in graph:
            reached.add(number)
            waiting += graph[number]
    is_sound = all(end < number for number, ends in graph.items() for end in ends) and reached == set(graph)
    assert (faults(steps) == []) == is_sound


VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS["references"], ids=lambda vector: vector["text"] or "nothing")
def test_references_are_found_as_the_shared_vectors_say(vector):
    assert references(vector["text"], vector["steps"]) == vector["numbers"]


@pytest.mark.parametrize("vector", VECTORS["renumbered"], ids=lambda vector: vector["name"])
def test_steps_are_reordered_as_the_shared_vectors_say(vector):
    assert renumbered(vector["texts"], vector["order"]) == vector["becomes"]


@given(st.permutations([1, 2, 3, 4]))
def test_a_sound_order_that_keeps_what_is_needed_first_stays_sound(order):
    steps = ["A?", "B of #1?", "C?", "Is #2 like #3?"]
    moved = renumbered(steps, order)
    places = {old: place for place, old in enumerate(order)}
    keeps = places[1] < places[2] and max(places[2], places[3]) < places[4]
    assert (faults(moved) == []) == keeps


@pytest.mark.parametrize("order", [[1, 1, 2], [0, 1], [4]])
def test_an_order_names_steps_that_there_are_each_once(order):
    with pytest.raises(ValueError, match="expected numbers from 1 to 3, each once"):
        renumbered(SOUND, order)


def test_a_step_is_cut_at_the_references_that_lead_to_earlier_steps():
    assert pieces("Is #1 more than #2's?", 3) == [("Is ", 0), ("#1", 1), (" more than ", 0), ("#2", 2), ("'s?", 0)]
    assert pieces("#1 #10", 3) == [("#1", 1), (" #10", 0)]
    assert pieces("How tall is a fir?", 1) == [("How tall is a fir?", 0)]
    assert pieces("", 1) == []
