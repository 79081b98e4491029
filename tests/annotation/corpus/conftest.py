"""Indexes over the same few paragraphs: in memory, in a folder, on a server that speaks OpenSearch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from osmem_server import OsmemServer

from annotation.corpus.base import Builder, Index
from annotation.corpus.embedded import EmbeddedBuilder, EmbeddedIndex
from annotation.corpus.ledger import Ledger
from annotation.corpus.memory import MemoryIndex
from annotation.corpus.opensearch import OpenSearchBuilder, OpenSearchIndex, Server
from annotation.corpus.paragraphs import Paragraph, record_of
from tests.annotation.corpus.paragraphs import PARAGRAPHS

Build = Callable[[Iterable[Paragraph]], Index]


def built(builder: Builder, paragraphs: Iterable[Paragraph]) -> str:
    """Takes paragraphs into an index; gives its digest."""
    ledger = Ledger()
    with builder:
        for place, paragraph in enumerate(paragraphs):
            ledger.add(paragraph, record_of(paragraph), file="made", line=place)
            builder.add(paragraph, record_of(paragraph))
        builder.publish(ledger.digest())
    return ledger.digest()


def in_memory(paragraphs: Iterable[Paragraph]) -> Index:
    return MemoryIndex(paragraphs)


def in_a_folder(root: Path) -> Build:
    def build(paragraphs: Iterable[Paragraph]) -> Index:
        return EmbeddedIndex("mills", built(EmbeddedBuilder(root), paragraphs), root)

    return build


def on_a_server(url: str) -> Build:
    def build(paragraphs: Iterable[Paragraph]) -> Index:
        server = Server(url)
        return OpenSearchIndex("mills", built(OpenSearchBuilder(server), paragraphs), server)

    return build


@pytest.fixture(scope="session")
def search_url() -> Iterator[str]:
    """A real server that speaks OpenSearch, in memory, for this run."""
    with OsmemServer.start(japanese=False) as server:
        yield server.url


@pytest.fixture(scope="module", params=["memory", "embedded", "opensearch"])
def build(request, tmp_path_factory) -> Build:
    """Makes an index of paragraphs, once with each way of keeping them."""
    if request.param == "memory":
        return in_memory
    if request.param == "embedded":
        return in_a_folder(tmp_path_factory.mktemp("corpora"))
    return on_a_server(request.getfixturevalue("search_url"))


@pytest.fixture(scope="module")
def index(build: Build) -> Index:
    return build(PARAGRAPHS)
