"""Which solvers there are, by the names that policies call them."""

import functools
import json
from collections.abc import Callable
from pathlib import Path

from tasks.solvers.base import Lesson, Search, Solver, SolverUnavailable
from tasks.solvers.grams import Letters, Words
from tasks.solvers.meaning import Meaning
from tasks.solvers.retrieval import Overlap, Passages
from tasks.solvers.transformer import Transformer

_MAKERS: dict[str, Callable[[Search | None], Solver]] = {
    Words.name: lambda search: Words(),
    Letters.name: lambda search: Letters(),
    Meaning.name: lambda search: Meaning(),
    Overlap.name: Overlap,
    Passages.name: Passages,
}
# Written for this project: short questions of general knowledge, as many with yes as with no. Their words and forms
# are all that the light solvers know before they are given other lessons.
_FIRST_LESSONS = Path(__file__).with_name("first_lessons.jsonl")


def make(name: str, search: Search | None = None) -> Solver:
    """The solver that a policy calls so, knowing nothing yet. Raises SolverUnavailable."""
    kind, _, source = name.partition(":")
    if kind == Transformer.name and source:
        return Transformer(source.strip())
    if name not in _MAKERS:
        raise SolverUnavailable(f"no solver is called {name!r}; there are {', '.join(_MAKERS)}")
    return _MAKERS[name](search)


@functools.cache
def first_lessons() -> tuple[Lesson, ...]:
    """What solvers learn before anything else, where a project gives them nothing better."""
    lines = _FIRST_LESSONS.read_text(encoding="utf-8").splitlines()
    return tuple(Lesson(**json.loads(line)) for line in lines)
