"""Which index stands where: a folder of this machine, or an OpenSearch server where SEARCH_URL names one."""

from __future__ import annotations

import functools
from pathlib import Path

from django.conf import settings

from annotation.corpus import embedded
from annotation.corpus.base import Builder, Index
from annotation.corpus.models import Corpus

Backend = Corpus.Backend


def for_imports() -> str:
    """Where an import of now goes."""
    return Backend.OPENSEARCH if settings.SEARCH_URL else Backend.EMBEDDED


def builder(backend: str) -> Builder:
    return embedded.EmbeddedBuilder(_root())


def opened(*, name: str, digest: str, backend: str) -> Index:
    """The index of a corpus, opened once a process. Raises IndexMissing."""
    return _opened(name, digest, backend, str(_root()), settings.SEARCH_URL)


@functools.lru_cache(maxsize=32)
def _opened(name: str, digest: str, backend: str, root: str, server: str) -> Index:
    return embedded.EmbeddedIndex(name, digest, Path(root))


def is_there(backend: str, digest: str) -> bool:
    """Whether the index of a content can be opened."""
    return embedded.is_there(_root(), digest)


def remove(backend: str, digest: str) -> None:
    _opened.cache_clear()
    embedded.remove(_root(), digest)


def _root() -> Path:
    return Path(settings.CORPORA)
