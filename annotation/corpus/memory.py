"""An index in memory, for tests and small things: plain to read, and slow beyond some ten thousand paragraphs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from annotation.corpus import asking
from annotation.corpus.asking import Asked
from annotation.corpus.base import MOST_OF_A_PAGE, Index
from annotation.corpus.paragraphs import Paragraph, key_of


class MemoryIndex(Index):
    """Looks at every paragraph for every question."""

    def __init__(self, paragraphs: Iterable[Paragraph], *, name: str = "memory", digest: str = ""):
        super().__init__(name, digest)
        self._by_id = {paragraph.id: paragraph for paragraph in paragraphs}
        self._fields = {
            paragraph.id: [
                [term.text for term in asking.terms(text)]
                for text in (paragraph.title, paragraph.section, paragraph.text)
            ]
            for paragraph in self._by_id.values()
        }
        self._lengths = Counter(paragraph.title for paragraph in self._by_id.values())
        self._holding = Counter(word for fields in self._fields.values() for word in set().union(*fields))

    def _search(self, asked: Asked, limit: int, offset: int) -> tuple[int, list[tuple[Paragraph, float]]]:
        scored = [(key, self._score(fields, asked)) for key, fields in self._fields.items()]
        found = sorted(((key, score) for key, score in scored if score), key=lambda pair: (-pair[1], pair[0]))
        return len(found), [(self._by_id[key], score) for key, score in found[offset : offset + limit]]

    def _score(self, fields: list[list[str]], asked: Asked) -> float:
        """How rare the words are that occur; 0 where a phrase is missing."""
        if not all(any(_holds(field, phrase) for field in fields) for phrase in asked.phrases):
            return 0.0
        present = set().union(*fields)
        wanted = [*asked.words, *(word for phrase in asked.phrases for word in phrase)]
        length = 1 + math.log(1 + sum(map(len, fields)))
        total = len(self._by_id)
        return sum(math.log(1 + total / self._holding[word]) / length for word in wanted if word in present)

    def _titles(self, key: str, limit: int) -> list[str]:
        fitting = [title for title in self._lengths if key and key_of(title).startswith(key)]
        return sorted(fitting, key=lambda title: (key_of(title) != key, -self._lengths[title], title))[:limit]

    def _paragraphs(self, ids: list[str]) -> Iterable[Paragraph]:
        return [self._by_id[key] for key in ids if key in self._by_id]

    def _page(self, title: str) -> Iterable[Paragraph]:
        return [paragraph for paragraph in self._by_id.values() if paragraph.title == title][:MOST_OF_A_PAGE]


def _holds(field: list[str], phrase: tuple[str, ...]) -> bool:
    return any(tuple(field[place : place + len(phrase)]) == phrase for place in range(len(field) - len(phrase) + 1))
