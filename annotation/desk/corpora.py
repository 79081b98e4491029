"""What the desk's page and its API say of corpora."""

from __future__ import annotations

from typing import Any

from annotation.corpus import queries
from annotation.corpus.base import IndexFailed, IndexMissing
from annotation.corpus.models import Corpus
from annotation.corpus.paragraphs import Found, Hit
from annotation.projects.models import Project
from tasks import registry

NAMES = ("name", "digest", "backend", "form", "files", "paragraphs", "pages", "words", "imported_at")


def is_searched(project: Project) -> bool:
    """Whether a corpus matters to this project: it has one, or pages of a stage search one."""
    kinds = registry.task_types()
    stages = project.stages.values_list("task_type", flat=True)
    return bool(project.corpus_id) or any(kinds[name].searches_corpus for name in stages if name in kinds)


def facts_of(corpus: Corpus) -> dict[str, Any]:
    return {name: getattr(corpus, name) for name in NAMES} | {"searchable": queries.is_searchable(corpus)}


def search(corpus: Corpus, question: str, *, offset: int = 0) -> Found | None:
    """What workers would find; None where the index is missing or does not answer."""
    try:
        return queries.index_of(corpus).search(question, offset=offset)
    except (IndexMissing, IndexFailed):
        return None


def parts_of(hit: Hit) -> list[tuple[str, bool]]:
    """A hit's text in parts, each with whether it is what was asked for."""
    parts, place = [], 0
    for start, end in hit.marks:
        parts += [(hit.paragraph.text[place:start], False), (hit.paragraph.text[start:end], True)]
        place = end
    return [part for part in [*parts, (hit.paragraph.text[place:], False)] if part[0]]
