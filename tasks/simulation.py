"""What a dataset says of how people would work on it: `tasks/<dataset>/simulation.py`.

The service's simulated crowd acts through the pages that people use. What it types there comes from
that module, which needs three functions (a dataset without them can't be simulated):

- `knowledge(paths) -> Any`: what this crowd knows, from files (no paths: from the dataset's demo);
- `answer_for(seen, worker, rng, knowledge) -> {field: [values]}`: what a worker enters for one item, by
  field of the task type's Answer, as a plain form posts it;
- `verdict_on(sheet, knowledge) -> Verdict`: what the scripted expert does with one outcome.

One more is asked for where there is one: `mark_of(paper, is_strict) -> Mark`, what a scripted grader makes of a
qualification test; without it, `usual_mark`.

`tasks/<dataset>/replay.py` says how the dataset's published data is replayed: `prepare(data, folder, limit=…)
-> Replay`, `differences(expected, released) -> [text]` between two sets of rows by split, and `DOWNLOADS`: in
words, what lies in which folder of `data`, and where it comes from. Where `prepare` has `whole`, too, that replays
also what needs stand-ins for sources that are not public.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Protocol

from tasks import registry

CAREFUL, SLOW, CARELESS, SPAMMER, QUITTER = CHARACTERS = ("careful", "slow", "careless", "spammer", "quitter")
# As many workers a question as the demo and the replays have answers of.
SEATS = 5


class NoSimulation(LookupError):
    """A dataset that does not say how people would work on it."""


@dataclass(frozen=True)
class Person:
    """A simulated worker: how they work, and the seat from which they know their part of the answers."""

    character: str
    seat: int = 0


@dataclass(frozen=True)
class Seen:
    """An item as a worker sees it: its text on the page, what the page objected to in an earlier attempt, what it asks.

    `fields`: the names of the answer's fields, by which stages of one dataset are told apart. `item`: by which
    name the page's form knows it.
    """

    text: str
    objections: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    item: str = ""


@dataclass(frozen=True)
class Sheet:
    """An outcome as an expert sees it: all text on the page, texts by field, and the listed answers by field."""

    page: str
    texts: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """An expert's decision: `accept` or `reject` with a reason; new texts, choices, removed and added list entries."""

    decision: str = "accept"
    reason: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    removed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    added: Mapping[str, Sequence[str]] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TestedAnswer:
    """One item of a qualification test, as a grader reads it: texts by their labels, and which checks objected."""

    facts: Mapping[str, str]
    said: Mapping[str, Sequence[str]]
    reference: Mapping[str, Sequence[str]]
    findings: Sequence[str] = ()


@dataclass(frozen=True)
class Paper:
    """A worker's qualification test: its answers, and how many points each question of the rubric has at most."""

    answers: Sequence[TestedAnswer]
    most: Mapping[str, int]


@dataclass(frozen=True)
class Mark:
    """What a grader says of a paper."""

    verdict: str
    points: Mapping[str, int]
    feedback: str = ""


def mark_with(paper: Paper, share: float, *, passes: bool, feedback: str) -> Mark:
    """The same share of the points on every question."""
    points = {name: round(most * share) for name, most in paper.most.items()}
    return Mark("pass", points) if passes else Mark("fail", points, feedback)


def usual_mark(paper: Paper, is_strict: bool) -> Mark:
    """Answers that are as they are known to be good, or else that the checks let pass in silence."""
    good = [
        bool(one.said) and (not one.reference or one.said == one.reference) and not (is_strict and one.findings)
        for one in paper.answers
    ]
    share = sum(good) / len(good) if good else 0.0
    return mark_with(paper, share, passes=all(good) and bool(good), feedback="Some answers are not as they should be.")


@dataclass(frozen=True)
class Demo:
    """A dataset's demo project: `DEMO_PROJECT` in its simulation module. `up` makes it and lets a crowd begin.

    `assignments`: how many are done before anybody looks. `stages`: what is changed in stages, by their names.
    `corpus`: files of paragraphs that its workers search.
    """

    name: str
    slug: str
    sources: tuple[Path, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    stages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    corpus: tuple[Path, ...] = ()
    budget_cap_cents: int = 20_000
    assignments: int = 35


@dataclass(frozen=True)
class Replay:
    """A published dataset to bring out again: files to import, files that the crowd knows, rows by split to expect.

    `seats`: how many workers an item has in the first stage, each with a part of what is known; `workers`: how many
    there are, where not as many. `stages` and `corpus` as of a demo. `more_answers`: by stage and key, how many more
    than others an item has; the workers after the first give them.
    """

    sources: tuple[Path, ...]
    knowledge: tuple[Path, ...]
    expected: Mapping[str, Sequence[dict]]
    seats: int = SEATS
    settings: Mapping[str, Any] = field(default_factory=dict)
    workers: int = 0
    stages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    corpus: tuple[Path, ...] = ()
    more_answers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


class Simulation(Protocol):
    """What the room expects of a dataset's module."""

    def knowledge(self, paths: Sequence[str]) -> Any: ...
    def answer_for(self, seen: Seen, worker: Person, rng: Random, knowledge: Any) -> dict[str, list[str]]: ...
    def verdict_on(self, sheet: Sheet, knowledge: Any) -> Verdict: ...


def simulation_of(dataset: str) -> ModuleType:
    """How people would work on a dataset. Raises NoSimulation."""
    return _module_of(dataset, "simulation", "nobody knows what its workers would type")


def demos() -> dict[str, Demo]:
    """The demo projects that there are, by dataset."""
    found = {}
    for dataset in registry.pipelines():
        try:
            demo = getattr(simulation_of(dataset), "DEMO_PROJECT", None)
        except NoSimulation:
            continue
        if demo is not None:
            found[dataset] = demo
    return found


def replay_of(dataset: str) -> ModuleType:
    """How a dataset's published data is replayed. Raises NoSimulation."""
    return _module_of(dataset, "replay", "nobody knows what was published")


def _module_of(dataset: str, module: str, otherwise: str) -> ModuleType:
    name = f"tasks.{dataset.replace('-', '_')}.{module}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name not in (name, name.rpartition(".")[0]):
            raise
        raise NoSimulation(f"{dataset} has no {module}.py: {otherwise}") from None
