"""Matchers' evidence as people read it: by step, each paragraph once, with its text and with who found it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.corpus.base import MOST_IDS, IndexFailed, IndexMissing
from annotation.corpus.paragraphs import Paragraph
from annotation.corpus.queries import index_for
from annotation.projects.models import Project
from tasks.strategyqa.evidence import page_of

logger = logging.getLogger(__name__)

# What one set is: who matched it, in words, and one entry a step.
Sets = Sequence[tuple[str, Sequence[Mapping[str, Any]]]]


@dataclass(frozen=True)
class FoundParagraph:
    """A paragraph that somebody gave to a step. `text` is empty where the corpus does not have it (any more)."""

    id: str
    title: str
    section: str
    text: str
    finders: Sequence[str]


@dataclass(frozen=True)
class StepOfEvidence:
    """One step: its text, what was found for it, the most agreed first, and the marks with who set them."""

    number: int
    text: str
    paragraphs: Sequence[FoundParagraph]
    marks: Sequence[tuple[str, Sequence[str]]]


def by_step(sets: Sets, steps: Sequence[str], project: Project) -> list[StepOfEvidence]:
    """The evidence of several matchers, step by step. `steps`: their texts."""
    names = [name for _, matched in sets for step in matched for name in step["paragraphs"] or []]
    known = paragraphs_of(project, names)
    return [
        StepOfEvidence(place + 1, text, _paragraphs(place, sets, known), _marks(place, sets))
        for place, text in enumerate(steps)
    ]


def paragraphs_of(project: Project, names: Sequence[str]) -> dict[str, Paragraph]:
    """The texts of these paragraphs, as far as the project's corpus has them and answers."""
    try:
        index, wanted = index_for(project), list(dict.fromkeys(names))
        if index is None:
            return {}
        return {
            name: paragraph
            for start in range(0, len(wanted), MOST_IDS)
            for name, paragraph in index.paragraphs(wanted[start : start + MOST_IDS]).items()
        }
    except (IndexFailed, IndexMissing):
        logger.exception("the corpus of %s did not answer", project.slug)
        return {}


def _paragraphs(place: int, sets: Sets, known: Mapping[str, Paragraph]) -> list[FoundParagraph]:
    finders: dict[str, list[str]] = {}
    for who, matched in sets:
        for name in dict.fromkeys(_step(matched, place)["paragraphs"] or []):
            finders.setdefault(name, []).append(who)
    found = []
    for name, people in finders.items():
        paragraph = known.get(name)
        title = paragraph.title if paragraph else page_of(name)
        section, text = (paragraph.section, paragraph.text) if paragraph else ("", "")
        found.append(FoundParagraph(name, title, section, text, people))
    return sorted(found, key=lambda one: -len(one.finders))


def _marks(place: int, sets: Sets) -> list[tuple[str, list[str]]]:
    marks: dict[str, Callable[[Mapping], bool]] = {
        "operation": lambda step: step["is_operation"],
        "only partial evidence": lambda step: step["lacks_evidence"] and bool(step["paragraphs"]),
        "no evidence": lambda step: step["lacks_evidence"] and not step["paragraphs"],
    }
    said = {word: [who for who, matched in sets if holds(_step(matched, place))] for word, holds in marks.items()}
    return [(word, people) for word, people in said.items() if people]


def _step(matched: Sequence[Mapping[str, Any]], place: int) -> Mapping[str, Any]:
    nothing = {"paragraphs": None, "is_operation": False, "lacks_evidence": False}
    return matched[place] if place < len(matched) else nothing
