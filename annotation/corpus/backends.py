"""Which index stands where: a folder of this machine, or an OpenSearch server where SEARCH_URL names one."""

from __future__ import annotations

import functools
from pathlib import Path

from django.conf import settings

from annotation.corpus import embedded, opensearch
from annotation.corpus.base import Builder, Index, IndexFailed, IndexMissing
from annotation.corpus.models import Corpus

Backend = Corpus.Backend


def for_imports() -> str:
    """Where an import of now goes."""
    return Backend.OPENSEARCH if settings.SEARCH_URL else Backend.EMBEDDED


def builder(backend: str) -> Builder:
    """A builder of a new index. Raises IndexFailed or IndexMissing where there can be none now."""
    if backend == Backend.OPENSEARCH:
        return opensearch.OpenSearchBuilder(_server())
    return embedded.EmbeddedBuilder(_root())


def opened(*, name: str, digest: str, backend: str) -> Index:
    """The index of a corpus, opened once a process. Raises IndexMissing."""
    return _opened(name, digest, backend, str(_root()), settings.SEARCH_URL)


@functools.lru_cache(maxsize=32)
def _opened(name: str, digest: str, backend: str, root: str, server: str) -> Index:
    if backend == Backend.OPENSEARCH:
        return opensearch.OpenSearchIndex(name, digest, _server())
    return embedded.EmbeddedIndex(name, digest, Path(root))


def is_there(backend: str, digest: str) -> bool:
    """Whether the index of a content can be searched now."""
    if backend == Backend.OPENSEARCH:
        try:
            return opensearch.is_there(_server(), digest)
        except (IndexMissing, IndexFailed):
            return False
    return embedded.is_there(_root(), digest)


def remove(backend: str, digest: str) -> None:
    _opened.cache_clear()
    if backend == Backend.OPENSEARCH:
        opensearch.remove(_server(), digest)
    else:
        embedded.remove(_root(), digest)


def _server() -> opensearch.Server:
    if not settings.SEARCH_URL:
        raise IndexMissing("the corpus is on an OpenSearch server, and SEARCH_URL names none: set it")
    return opensearch.server_at(settings.SEARCH_URL)


def _root() -> Path:
    return Path(settings.CORPORA)
