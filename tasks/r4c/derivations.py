"""R4C's published form: a dictionary from HotpotQA's id to three derivations of steps, read with its faults."""

from pathlib import Path
from typing import Any, NamedTuple

from tasks.metrics.alignment import Triplet
from tasks.sources import Unreadable, document


class Step(NamedTuple):
    """One derivation step: the sentence that it cites, and the triplet that is drawn from it."""

    title: str
    sentence: int
    triplet: Triplet


Derivation = list[Step]


class NoDerivations(ValueError):
    """Why a file or a part of it is in another form, in words."""


def read_references(path: Path) -> dict[str, list[Derivation]]:
    """The derivations of a released file by instance. Raises `NoDerivations` with place and reason."""
    return {
        key: [_derivation(value, f"{path.name}: {key}[{place}]") for place, value in enumerate(values)]
        for key, values in _entries(path).items()
    }


def read_predictions(path: Path) -> dict[str, Derivation]:
    """One derivation an instance, under `re` beside other predictions or alone."""
    return {key: _derivation(value, f"{path.name}: {key}") for key, value in _entries(path).items()}


def _entries(path: Path) -> dict[str, list]:
    try:
        value = document(path)
    except Unreadable as problem:
        raise NoDerivations(f"{path.name}: {problem}") from None
    if isinstance(value, dict) and isinstance(value.get("re"), dict):
        value = value["re"]
    if not isinstance(value, dict):
        raise NoDerivations(f"{path.name}: expected an object of derivations by id")
    for key, derivations in value.items():
        if not isinstance(derivations, list):
            raise NoDerivations(f"{path.name}: {key}: expected a list, found {str(derivations)[:40]!r}")
    return value


def _derivation(value: Any, place: str) -> Derivation:
    if not isinstance(value, list):
        raise NoDerivations(f"{place}: expected a list of steps, found {str(value)[:40]!r}")
    return [_step(step, f"{place}, step {number}") for number, step in enumerate(value, 1)]


def _step(value: Any, place: str) -> Step:
    """`[title, sentence, [head, relation, tail]]`, as published."""
    match value:
        case [str(title), int(sentence), [str(head), str(relation), str(tail)]]:
            return Step(title, sentence, (head, relation, tail))
    raise NoDerivations(f"{place}: expected [title, sentence, [head, relation, tail]], found {str(value)[:60]!r}")
