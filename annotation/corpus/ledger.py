"""What an import keeps of each paragraph while it runs: enough for the digest, the counts, and ids that stand twice.

Some 24 bytes a paragraph, so that tens of millions fit.
"""

from __future__ import annotations

import hashlib
from array import array

import numpy as np

from annotation.corpus.paragraphs import Paragraph

# Goes into every digest: another way to write a record is another digest.
RECORD_FORMAT = b"crowdwright corpus 1\n"
BATCH = 1 << 16
_SIXTY_FOUR_BITS = (1 << 64) - 1


class Ledger:
    """Counts paragraphs, pages and words, and works out the digest of their content, whatever their order."""

    def __init__(self) -> None:
        self.paragraphs = self.words = 0
        self._contents = bytearray()
        self._titles = array("Q")
        self._last_title = ""
        self._known = np.empty(0, dtype=np.uint64)
        self._batch: dict[int, tuple[str, int, str]] = {}
        self.doubles: list[tuple[str, int, str]] = []

    def add(self, paragraph: Paragraph, record: bytes, *, file: str, line: int) -> None:
        """Takes a paragraph in. Ids that stand twice come up in `doubles` (file, line, id), a batch later."""
        self.paragraphs += 1
        self.words += paragraph.text.count(" ") + 1
        self._contents += hashlib.blake2b(record, digest_size=16).digest()
        if paragraph.title != self._last_title:
            self._last_title = paragraph.title
            self._titles.append(hash(paragraph.title) & _SIXTY_FOUR_BITS)
        key = hash(paragraph.id) & _SIXTY_FOUR_BITS
        if key in self._batch:
            self.doubles.append((file, line, paragraph.id))
        self._batch[key] = (file, line, paragraph.id)
        if len(self._batch) >= BATCH:
            self.look_for_doubles()

    def look_for_doubles(self) -> None:
        """Compares the batch with all before it. Ids are known by 64 bits: in 40 million, chance takes two for
        one in 1 of 20,000 imports."""
        fresh = np.sort(np.fromiter(self._batch, dtype=np.uint64, count=len(self._batch)))
        if len(self._known):
            places = np.minimum(np.searchsorted(self._known, fresh), len(self._known) - 1)
            self.doubles += [self._batch[key] for key in fresh[self._known[places] == fresh].tolist()]
        # Two sorted runs: the stable sort merges them in one pass.
        self._known = np.sort(np.concatenate([self._known, fresh]), kind="stable")
        self._batch = {}

    @property
    def pages(self) -> int:
        return len(np.unique(np.frombuffer(self._titles, dtype=np.uint64))) if self._titles else 0

    def digest(self) -> str:
        """SHA-256 over the paragraphs' own hashes in sorted order."""
        halves = np.frombuffer(bytes(self._contents), dtype=">u8").reshape(-1, 2)
        ordered = halves[np.lexsort((halves[:, 1], halves[:, 0]))]
        return hashlib.sha256(RECORD_FORMAT + ordered.tobytes()).hexdigest()
