"""An index in a folder of this machine, by tantivy: nothing to install, nothing to start.

Each corpus is one folder `<digest>.<format>` below `settings.CORPORA`. It is written beside, and moved into
place by one rename; after that nobody writes in it, so any number of processes may read it.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import tantivy

from annotation.corpus import asking
from annotation.corpus.asking import Asked
from annotation.corpus.base import MOST_OF_A_PAGE, WEIGHTS, Builder, Index, IndexFailed, IndexMissing
from annotation.corpus.paragraphs import SEPARATOR, Paragraph, page_term, paragraph_of, title_of

# Goes up when an index of before can no longer be read; such a corpus is imported again.
FORMAT = 1
FACTS = "corpus.json"
UNFINISHED = "unfinished-"
WRITER_BYTES = 160_000_000
MOST_THREADS = 4


def _schema() -> tantivy.Schema:
    fields = tantivy.SchemaBuilder()
    fields.add_text_field("id", tokenizer_name="raw", index_option="basic")
    # Its terms, in order, are the list of titles.
    fields.add_text_field("page", tokenizer_name="raw", index_option="basic")
    for name in WEIGHTS:
        fields.add_text_field(name, tokenizer_name="words")
    fields.add_bytes_field("record", stored=True)
    return fields.build()


def folder_of(root: Path, digest: str) -> Path:
    return root / f"{digest}.{FORMAT}"


def is_there(root: Path, digest: str) -> bool:
    return (folder_of(root, digest) / FACTS).is_file()


def remove(root: Path, digest: str) -> None:
    """Takes an index away; who reads it at this moment reads on."""
    shutil.rmtree(folder_of(root, digest), ignore_errors=True)


class EmbeddedIndex(Index):
    """Reads one corpus's folder."""

    def __init__(self, name: str, digest: str, root: Path):
        super().__init__(name, digest)
        folder = folder_of(root, digest)
        if not is_there(root, digest):
            raise IndexMissing(
                f"the index of corpus {name} is not at {folder}: import the same files again "
                f"(./crowdwright corpus import {name} FILE...)"
            )
        try:
            index = tantivy.Index.open(str(folder))
            index.register_tokenizer("words", asking.analyser())
            index.config_reader(reload_policy="Manual")
            index.reload()
        except (ValueError, OSError) as error:
            raise IndexMissing(f"the index of corpus {name} at {folder} can't be read: {error}") from error
        self._schema, self._searcher = index.schema, index.searcher()
        # One or two letters begin a good part of all titles, and there are few such questions.
        self._titles_by_few_letters = functools.lru_cache(maxsize=2_000)(self._walked)

    def _search(self, asked: Asked, limit: int, offset: int) -> tuple[int, list[tuple[Paragraph, float]]]:
        # Words side by side, fields and all: twice as fast as one clause a word.
        parts = [clause for word in asked.words for clause in self._fields((word,))]
        parts += [(tantivy.Occur.Must, tantivy.Query.boolean_query(self._fields(phrase))) for phrase in asked.phrases]
        with _answering():
            found = self._searcher.search(tantivy.Query.boolean_query(parts), limit=limit, offset=offset)
            return found.count, [(self._paragraph(address), score) for score, address in found.hits]

    def _fields(self, words: tuple[str, ...]) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        """A word or a phrase, in heading or text."""
        found = []
        for name, weight in WEIGHTS.items():
            if len(words) == 1:
                part = tantivy.Query.term_query(self._schema, name, words[0])
            else:
                part = tantivy.Query.phrase_query(self._schema, name, list(words))
            found.append((tantivy.Occur.Should, tantivy.Query.boost_query(part, weight)))
        return found

    def _titles(self, key: str, limit: int) -> list[str]:
        if not key:
            return []
        return list(self._titles_by_few_letters(key, limit) if len(key) < 3 else self._walked(key, limit))

    def _walked(self, key: str, limit: int) -> list[str]:
        """Goes through all titles that begin so, to find those with the longest pages."""
        with _answering():
            exact = self._searcher.terms_with_prefix("page", f"{key}{SEPARATOR}", limit=limit)
            longer = self._searcher.terms_with_prefix("page", key, limit=limit + len(exact))
        return list(dict.fromkeys(title_of(term) for term, _ in [*exact, *longer]))[:limit]

    def _paragraphs(self, ids: list[str]) -> Iterable[Paragraph]:
        return self._all(tantivy.Query.term_set_query(self._schema, "id", ids), len(ids))

    def _page(self, title: str) -> Iterable[Paragraph]:
        term = page_term(title)
        return self._all(tantivy.Query.term_query(self._schema, "page", term, "basic"), MOST_OF_A_PAGE)

    def _all(self, query: tantivy.Query, limit: int) -> list[Paragraph]:
        with _answering():
            hits = self._searcher.search(query, limit=limit, count=False).hits
            return [self._paragraph(address) for _, address in hits]

    def _paragraph(self, address: tantivy.DocAddress) -> Paragraph:
        return paragraph_of(bytes(self._searcher.doc(address).get_first("record")))


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        raise IndexFailed(f"the index did not answer: {error}") from error


class EmbeddedBuilder(Builder):
    """Writes a folder beside the others. One import at a time: what an import that was killed left is removed."""

    def __init__(self, root: Path):
        root.mkdir(parents=True, exist_ok=True)
        self._root, self._lock = root, (root / "import.lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise IndexFailed("another import is at work: wait until it has ended") from None
        for left in root.glob(f"{UNFINISHED}*"):
            shutil.rmtree(left)
        self._folder = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=root))
        self._index = tantivy.Index(_schema(), path=str(self._folder), reuse=False)
        self._index.register_tokenizer("words", asking.analyser())
        self._writer = self._index.writer(WRITER_BYTES, min(MOST_THREADS, os.cpu_count() or 1))

    def add(self, paragraph: Paragraph, record: bytes) -> None:
        document = tantivy.Document()
        document.add_text("id", paragraph.id)
        document.add_text("page", page_term(paragraph.title))
        document.add_text("heading", paragraph.title)
        if paragraph.section:
            document.add_text("heading", paragraph.section)
        document.add_text("text", paragraph.text)
        document.add_bytes("record", record)
        try:
            self._writer.add_document(document)
        except (ValueError, OSError) as error:  # a full disk, say, has ended its threads
            raise IndexFailed(f"the index could not be written in {self._root}: {error}") from error

    def publish(self, digest: str) -> None:
        try:
            self._writer.commit()
            self._writer.wait_merging_threads()
        except (ValueError, OSError) as error:
            raise IndexFailed(f"the index could not be written in {self._root}: {error}") from error
        self._folder.chmod(0o755)
        (self._folder / FACTS).write_text(json.dumps({"digest": digest, "format": FORMAT}))
        if not is_there(self._root, digest):
            place = folder_of(self._root, digest)
            shutil.rmtree(place, ignore_errors=True)  # a folder without its facts is no index
            self._folder.rename(place)

    def discard(self) -> None:
        # Ends its threads, which would write into the folder while it is removed.
        del self._writer, self._index
        shutil.rmtree(self._folder, ignore_errors=True)
        self._lock.close()
