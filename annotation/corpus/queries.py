"""What is asked about corpora: the index that a project searches, a corpus by its name."""

from __future__ import annotations

from typing import Protocol

from django.db.models import QuerySet

from annotation.corpus import backends
from annotation.corpus.base import Index
from annotation.corpus.models import Corpus


class UsesCorpus(Protocol):
    """A project, seen from here."""

    corpus: Corpus | None


def index_for(project: UsesCorpus) -> Index | None:
    """The index that a project's people search; None where it has no corpus. Raises IndexMissing."""
    return index_of(project.corpus) if project.corpus else None


def index_of(corpus: Corpus) -> Index:
    """Raises IndexMissing."""
    return backends.opened(name=corpus.name, digest=corpus.digest, backend=corpus.backend)


def corpora() -> QuerySet[Corpus]:
    """All of them by name, the newest content of a name first."""
    return Corpus.objects.order_by("name", "-id")


def corpus_named(name: str, *, digest: str = "") -> Corpus | None:
    """The newest corpus of this name; with the beginning of a digest, the one that it means."""
    return corpora().filter(name=name, digest__startswith=digest).first()


def is_searchable(corpus: Corpus) -> bool:
    """Whether its index is where it should be."""
    return backends.is_there(corpus.backend, corpus.digest)
