"""A decomposition: steps that refer to earlier answers as `#n`, and what can be wrong with their graph.

The paper's rule: every step is referenced by at least one later step, so that all are reachable from the
last, and steps form no cycle. Where references only lead back, both follow from each step but the last
being referenced: the one before the last by the last, the one before that by one of these, and so on.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tasks.checks.graphs import reachable
from tasks.text import STOP_WORDS

MOST_STEPS = 20
# "#10" is not "#1"; "#2's" is a reference, and so is "Did#1", as one released step has it.
_REFERENCE = re.compile(r"#([0-9]{1,6})(?![0-9])")
# What stands where a step was referred to that is no longer there.
OPEN_REFERENCE = "#?"


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


def pieces(step: str, number: int) -> list[tuple[str, int]]:
    """A step's text cut at its references: (text, the step that it refers to, or 0 for text between references).

    `number` is the step's own: what refers to no earlier step is text.
    """
    earlier = {end for end in references(step) if 0 < end < number}
    cut, found = 0, []
    for match in _REFERENCE.finditer(step):
        if (end := int(match[1])) in earlier:
            found += [(step[cut : match.start()], 0), (match[0], end)]
            cut = match.end()
    return [(text, end) for text, end in [*found, (step[cut:], 0)] if text]


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
    sound = {number: [end for end in ends if 1 <= end <= last and end != number] for number, ends in graph.items()}
    found = []
    for number, ends in graph.items():
        for end in ends:
            if end == number:
                found.append(Fault("refers_to_itself", number, end))
            elif not 1 <= end <= last:
                found.append(Fault("refers_to_no_step", number, end))
            elif end > number:
                # Every circle goes forward somewhere.
                circle = number in reachable(end, sound)
                found.append(Fault("runs_in_a_circle" if circle else "refers_to_a_later_step", number, end))
    used = {end for number, ends in sound.items() for end in ends if end < number}
    return found + [Fault("is_never_used", number) for number in range(1, last) if number not in used]


def renumbered(steps: Sequence[str], order: Sequence[int]) -> list[str]:
    """The steps in a new order (`order[place]` is the old number), their references following them.

    A step that `order` leaves out is gone; where it was referred to, `#?` asks for another one. The page's script does
    this while somebody moves steps; what it does is held against this.
    """
    numbers = range(1, len(steps) + 1)
    if len(set(order)) < len(order) or not set(order) <= set(numbers):
        raise ValueError(f"expected numbers from 1 to {len(steps)}, each once, found {list(order)}")
    new = {old: place for place, old in enumerate(order, 1)}

    def moved(match: re.Match) -> str:
        number = int(match[1])
        if number in numbers:
            return f"#{new[number]}" if number in new else OPEN_REFERENCE
        return match[0]

    return [_REFERENCE.sub(moved, steps[old - 1]) for old in order]
