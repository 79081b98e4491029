"""A decomposition: steps that refer to earlier answers as `#n`, and what can be wrong with their graph.

The paper's rule: every step is referenced by at least one later step, so that all are reachable from the
last, and steps form no cycle. Where references only lead back, both follow from each step but the last
being referenced.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tasks.checks.graphs import node_on_a_cycle, reachable
from tasks.text import STOP_WORDS

MOST_STEPS = 20
# "#10" is not "#1"; "#2's" is a reference, and so is "Did#1", as one released step has it.
_REFERENCE = re.compile(r"#(\d{1,6})(?!\d)")


class Fault(NamedTuple):
    """What is wrong with a step: the name of the fault, the step's number, and the number it refers to."""

    name: str
    step: int
    reference: int = 0


def references(step: str, steps: int = MOST_STEPS) -> list[int]:
    """The numbers that a step refers to, each once, in their order; `steps` is how many steps there are.

    A number that no decomposition reaches, right after a capitalised word inside the sentence, is part of a name
    ("Superman #75").
    """
    found = [
        number
        for match in _REFERENCE.finditer(step)
        if (number := int(match[1])) <= max(steps, MOST_STEPS) or not _ends_in_a_name(step[: match.start()])
    ]
    return list(dict.fromkeys(found))


def _ends_in_a_name(text: str) -> bool:
    """Whether a text ends in a capitalised word that neither begins a sentence nor is a function word."""
    *before, last = ["", *text.split()][-3:]
    begins = not before[-1:] or not before[-1] or before[-1][-1] in ".!?"
    return last[:1].isupper() and not begins and last.lower() not in STOP_WORDS


def graph_of(steps: Sequence[str]) -> dict[int, list[int]]:
    """For each step, counted from 1, the numbers that it refers to, sound or not."""
    return {number: references(step, len(steps)) for number, step in enumerate(steps, 1)}


def faults(steps: Sequence[str]) -> list[Fault]:
    """All that keeps the steps from forming a graph in which each leads to the last. Sound ones give none."""
    graph = graph_of(steps)
    last = len(steps)
    found = []
    for number, ends in graph.items():
        for end in ends:
            if end == number:
                found.append(Fault("refers_to_itself", number, end))
            elif not 1 <= end <= last:
                found.append(Fault("refers_to_no_step", number, end))
            elif end > number:
                found.append(Fault("refers_to_a_later_step", number, end))
    sound = {number: [end for end in ends if 1 <= end <= last and end != number] for number, ends in graph.items()}
    if (on_cycle := node_on_a_cycle(sound)) is not None:
        found.append(Fault("runs_in_a_circle", on_cycle))
    referenced = {end for number, ends in sound.items() for end in ends if end < number}
    unused = [number for number in range(1, last) if number not in referenced]
    found += [Fault("is_never_used", number) for number in unused]
    if last and not unused:
        reached = reachable(last, sound)
        found += [Fault("does_not_lead_to_the_last", number) for number in graph if number not in reached]
    return found


def renumbered(steps: Sequence[str], order: Sequence[int]) -> list[str]:
    """The steps in a new order (`order[place]` is the old number), their references following them."""
    if sorted(order) != list(range(1, len(steps) + 1)):
        raise ValueError(f"expected each of 1 to {len(steps)} once, found {list(order)}")
    new = {old: place for place, old in enumerate(order, 1)}

    def moved(match: re.Match) -> str:
        return f"#{new.get(int(match[1]), int(match[1]))}"

    return [_REFERENCE.sub(moved, steps[old - 1]) for old in order]
