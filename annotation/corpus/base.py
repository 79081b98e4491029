"""What every index over a corpus can do, and how one is built. Plain values in, plain values out.

The three indexes differ in where they keep things; what a question finds is the same paragraphs, in an
order that may differ where scores are close. `tests/annotation/corpus/test_index_contract.py` holds all
of them to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from annotation.corpus import asking
from annotation.corpus.asking import Asked
from annotation.corpus.paragraphs import Found, Hit, Paragraph, key_of

# The fields that are searched. The heading is title and section: a word there says more than one in the text.
WEIGHTS = {"heading": 1.3, "text": 1.0}
MOST_TITLES = 50
MOST_TITLE = 300  # characters of a title
MOST_IDS = 500
MOST_OF_A_PAGE = 2_000


class IndexMissing(Exception):
    """The index of a corpus is not where it should be, or can't be read. Says what to do."""


class IndexFailed(Exception):
    """The index did not answer now; it may later."""


class Index(ABC):
    """Search over one corpus. Safe to share among threads; whatever is asked, it answers or raises IndexFailed."""

    def __init__(self, name: str, digest: str):
        self.name, self.digest = name, digest

    def search(self, query: str, *, limit: int = 10, offset: int = 0) -> Found:
        """Paragraphs for what a person typed. "Words in quotes" must stand there as they are, in text or title."""
        asked = asking.read(query)
        if not asked.words and not asked.phrases:
            return Found(0, [])
        limit, offset = min(max(limit, 1), asking.MOST_HITS), min(max(offset, 0), asking.DEEPEST)
        total, scored = self._search(asked, limit, offset)
        return Found(total, [Hit(found, score, asking.marks(found.text, asked)) for found, score in scored])

    def titles(self, prefix: str, limit: int = 10) -> list[str]:
        """Titles that begin so, whatever case and accents: those that are it exactly first, then the longest pages."""
        return self._titles(key_of(asking.clean(prefix[:MOST_TITLE])), min(max(limit, 1), MOST_TITLES))

    def paragraphs(self, ids: Iterable[str]) -> dict[str, Paragraph]:
        """Paragraphs by id; what there is not is left out."""
        wanted = list(dict.fromkeys(map(asking.clean, ids)))
        if len(wanted) > MOST_IDS:
            raise ValueError(f"at most {MOST_IDS} paragraphs at a time, found {len(wanted)}")
        found = {paragraph.id: paragraph for paragraph in self._paragraphs(wanted)} if wanted else {}
        return {each: found[each] for each in wanted if each in found}

    def page(self, title: str) -> list[Paragraph]:
        """The whole page with this title, in order (of its first 2,000 paragraphs); empty where there is none."""
        return sorted(
            self._page(asking.clean(title[:MOST_TITLE])), key=lambda paragraph: (paragraph.number, paragraph.id)
        )

    @abstractmethod
    def _search(self, asked: Asked, limit: int, offset: int) -> tuple[int, list[tuple[Paragraph, float]]]: ...

    @abstractmethod
    def _titles(self, key: str, limit: int) -> list[str]:
        """`key` as `key_of` makes it; it may be empty."""

    @abstractmethod
    def _paragraphs(self, ids: list[str]) -> Iterable[Paragraph]: ...

    @abstractmethod
    def _page(self, title: str) -> Iterable[Paragraph]: ...


class Builder(ABC):
    """Writes a new index beside those there are. Nobody sees it before `publish`; leaving without, it is gone.

    Paragraphs come whole and valid, each id once.
    """

    @abstractmethod
    def add(self, paragraph: Paragraph, record: bytes) -> None:
        """`record` is the paragraph as `paragraphs.record_of` writes it."""

    @abstractmethod
    def publish(self, digest: str) -> None:
        """Puts the index in its place, in one step. An index of the same content that is there already stays."""

    @abstractmethod
    def discard(self) -> None:
        """Removes what was written; nothing to do after `publish`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()
