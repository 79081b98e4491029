"""Gathers what checks ask for under `needs`. Judging is apart from fetching: a check only ever sees the result.

A need is a name with a provider: a function of the Scope that returns what `context[name]` will be. A
provider must be cheap to call; what it returns may be slow to use (`language` loads its pipeline at the
first text). Needs that are slow to use are marked so: the gate then reuses what the live check learnt.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from annotation.checking.models import WrittenText
from annotation.corpus.base import IndexFailed, IndexMissing
from annotation.corpus.queries import index_for
from annotation.hits.sheets import Sheet
from annotation.projects.models import Project
from tasks.base import Check, Context
from tasks.checks.repetition import marks_of

logger = logging.getLogger(__name__)

# No model reads more of a stranger's text than this.
MOST_CHARACTERS = 2_000


@dataclass(frozen=True)
class Scope:
    """Where the answer belongs, for providers that look at its neighbours. None: a file, outside any project."""

    project_id: int | None = None
    stage_id: int | None = None
    # The page that asks; None where stored answers are looked at again.
    assignment_pk: int | None = None

    @classmethod
    def of(cls, sheet: Sheet, assignment_pk: int | None = None) -> Scope:
        return cls(sheet.project_id, sheet.stage_id, assignment_pk)


@dataclass(frozen=True)
class Need:
    """A thing that checks may ask for, and how it is come by."""

    provide: Callable[[Scope], Any]
    is_slow: bool = False


NEEDS: dict[str, Need] = {}


def provides(name: str, *, is_slow: bool = False) -> Callable[[Callable[[Scope], Any]], Callable[[Scope], Any]]:
    """Registers the provider of a need."""

    def register(function: Callable[[Scope], Any]) -> Callable[[Scope], Any]:
        if name in NEEDS:
            raise ValueError(f"the need {name!r} has a provider already: {NEEDS[name].provide.__qualname__}")
        NEEDS[name] = Need(function, is_slow)
        return function

    return register


def gather(checks: Iterable[Check], scope: Scope | None = None) -> Context:
    """The context that these checks ask for, and nothing else."""
    context = Context()
    for name in {name for check in checks for name in check.needs}:
        context[name] = _need(name).provide(scope or Scope())
    return context


def is_slow(check: Check) -> bool:
    """Whether a check leans on a model or a search: such work is not done twice for the same draft."""
    return any(_need(name).is_slow for name in check.needs)


def _need(name: str) -> Need:
    try:
        return NEEDS[name]
    except KeyError:
        raise LookupError(f"no provider for the need {name!r}; there are {', '.join(sorted(NEEDS))}") from None


_pipelines: dict[str, Any] = {}
_loading = threading.Lock()


def read_language(text: str) -> Any:
    """A text as a spaCy Doc, cut to MOST_CHARACTERS. The pipeline is loaded once a process, at the first text."""
    name = settings.LANGUAGE_MODEL
    if name not in _pipelines:
        with _loading:
            if name not in _pipelines:
                import spacy

                _pipelines[name] = spacy.load(name, exclude=["ner"])
    return _pipelines[name](text[:MOST_CHARACTERS])


@provides("language", is_slow=True)
def language(scope: Scope) -> Callable[[str], Any]:
    return read_language


# Candidates that one text is compared with; the newest come first.
MOST_TEXTS = 200


@provides("written")
def written(scope: Scope) -> Callable[[str], list[str]]:
    """Finds earlier texts of the project that may be nearly the same as a given one, newest first.

    A look-up by index over a few hashed words, with a bound: it costs the same however many texts there are.
    """

    def candidates(text: str) -> list[str]:
        marks = marks_of(text[:MOST_CHARACTERS])
        if scope.project_id is None or not marks:
            return []
        rows = WrittenText.objects.filter(project=scope.project_id, mark__in=marks).order_by("-id")
        if scope.assignment_pk is not None:
            rows = rows.exclude(assignment=scope.assignment_pk)
        found = dict(rows.values_list("assignment_id", "text")[:MOST_TEXTS])
        texts = list(found.values())
        if scope.assignment_pk is None and text in texts:
            texts.remove(text)  # the stored answer itself
        return list(dict.fromkeys(texts))

    return candidates


@provides("paragraphs")
def paragraphs(scope: Scope) -> Callable[[Sequence[str]], set[str] | None]:
    """Tells which of some ids the project's corpus knows; None where it has no corpus, or that does not answer."""

    def known(ids: Sequence[str]) -> set[str] | None:
        project = Project.objects.select_related("corpus").filter(pk=scope.project_id).first()
        try:
            index = index_for(project) if project else None
            return None if index is None else set(index.paragraphs(ids))
        except (IndexFailed, IndexMissing):
            logger.exception("the corpus of project %s did not answer", scope.project_id)
            return None

    return known
