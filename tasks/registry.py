"""Finds task types, pipelines and scorers by their folders; unknown names are errors that list what exists.

`tasks/<dataset>/<task type>/task.py` holds one TaskType, named `<dataset>.<task type>`;
`tasks/<dataset>/pipeline.py` holds one Pipeline and `scoring.py` one Scorer, both named `<dataset>`.
Nothing is registered by hand.
"""

import functools
import importlib
import inspect
from pathlib import Path

from tasks.base import Pipeline, Scorer, TaskType

ROOT = Path(__file__).parent


class UnknownKind(LookupError):
    """A name of a task type or pipeline that no folder bears."""


def _only_class(module_name: str, base: type) -> type:
    module = importlib.import_module(module_name)
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, base) and value.__module__ == module_name
    ]
    if len(found) != 1:
        names = ", ".join(value.__name__ for value in found) or "none"
        raise ImportError(f"{module_name} must hold exactly one {base.__name__}, found {names}")
    return found[0]


@functools.cache
def task_types() -> dict[str, TaskType]:
    """All task types by name, e.g. `arc_da.direct_answer`."""
    kinds = {}
    for path in sorted(ROOT.glob("*/*/task.py")):
        folder = path.parent
        kind = _only_class(f"tasks.{folder.parent.name}.{folder.name}.task", TaskType)
        kind.name, kind.folder = f"{folder.parent.name}.{folder.name}", folder
        kinds[kind.name] = kind()
    return kinds


@functools.cache
def pipelines() -> dict[str, Pipeline]:
    """All pipelines by name, e.g. `arc_da`."""
    kinds = {}
    for path in sorted(ROOT.glob("*/pipeline.py")):
        kind = _only_class(f"tasks.{path.parent.name}.pipeline", Pipeline)
        kind.name, kind.folder = path.parent.name, path.parent
        kinds[kind.name] = kind()
    return kinds


@functools.cache
def scorers() -> dict[str, Scorer]:
    """All scorers by their dataset's name, e.g. `arc_da`."""
    kinds = {}
    for path in sorted(ROOT.glob("*/scoring.py")):
        kind = _only_class(f"tasks.{path.parent.name}.scoring", Scorer)
        kind.name = path.parent.name
        kinds[kind.name] = kind()
    return kinds


def task_type(name: str) -> TaskType:
    try:
        return task_types()[name]
    except KeyError:
        raise UnknownKind(f"no task type {name!r}; there are {', '.join(task_types())}") from None


def pipeline(name: str) -> Pipeline:
    try:
        return pipelines()[name.replace("-", "_")]
    except KeyError:
        raise UnknownKind(f"no pipeline {name!r}; there are {', '.join(pipelines())}") from None
