"""A solver over word vectors: questions that share no word may still lie near one another.

The vectors are made of the lessons themselves, by a truncated singular value decomposition of which word stands in
which question (latent semantic analysis, Deerwester et al. 1990): nothing to download, 64 numbers a word, made anew at
each training. spaCy's small English model has no word vectors, and running its network for each question would load
150 MB into the worker; a fastText or MiniLM file would be a download of tens of megabytes with a licence of its own.
Whoever wants a real encoder names one: `transformer:…`.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from tasks.solvers.base import Lesson
from tasks.solvers.features import MOST_CHARACTERS
from tasks.solvers.linear import LinearSolver
from tasks.solvers.logistic import Row
from tasks.text import root, words

BUCKETS = 2**13
DIMENSIONS = 64
_FILE = "vectors.npy"
_ALL = np.arange(DIMENSIONS)


class Meaning(LinearSolver):
    """Logistic regression over the mean of a question's word vectors. These are made at trainings, not between them."""

    name = "meaning"
    features = DIMENSIONS
    passes = 12

    def __init__(self) -> None:
        super().__init__()
        self.vectors = np.zeros((BUCKETS, DIMENSIONS), dtype=np.float32)

    def row(self, question: str) -> Row:
        counts = _buckets(question)
        if not counts:
            return _ALL, np.zeros(DIMENSIONS, dtype=np.float32)
        weights = np.sqrt(np.fromiter(counts.values(), dtype=np.float32, count=len(counts)))
        mean = weights @ self.vectors[list(counts)]
        length = float(np.linalg.norm(mean))
        return _ALL, (mean / length if length else mean).astype(np.float32)

    def look(self, lessons: Sequence[Lesson]) -> None:
        self.vectors = _vectors_of([_buckets(lesson.text) for lesson in lessons])

    def save(self, folder: Path) -> None:
        np.save(folder / _FILE, self.vectors, allow_pickle=False)
        super().save(folder)

    def load(self, folder: Path) -> None:
        stored = np.load(folder / _FILE, allow_pickle=False)
        if stored.shape != self.vectors.shape or stored.dtype != np.float32:
            raise ValueError(f"{folder / _FILE}: expected {self.vectors.shape} float32, found {stored.shape}")
        self.vectors = stored
        super().load(folder)


def _buckets(text: str) -> Counter[int]:
    return Counter(crc32(root(word).encode()) % BUCKETS for word in words(text[:MOST_CHARACTERS]))


def _vectors_of(texts: Sequence[Counter[int]]) -> np.ndarray:
    """A vector for each bucket. Frequent words weigh less; a bucket that no text has stays at nought."""
    vectors = np.zeros((BUCKETS, DIMENSIONS), dtype=np.float32)
    known = sorted({bucket for counts in texts for bucket in counts})
    rank = min(DIMENSIONS, len(known) - 1, len(texts) - 1)
    if rank < 1:
        return vectors
    place = {bucket: number for number, bucket in enumerate(known)}
    seen_in = Counter(bucket for counts in texts for bucket in counts)
    rarity = {bucket: np.log(1 + len(texts) / number) for bucket, number in seen_in.items()}
    rows, columns, values = [], [], []
    for row, counts in enumerate(texts):
        for bucket, number in counts.items():
            rows.append(row)
            columns.append(place[bucket])
            values.append(np.sqrt(number) * rarity[bucket])
    matrix = _Sparse(np.array(rows), np.array(columns), np.array(values), (len(texts), len(known)))
    found = _directions(matrix, rank)
    # A direction and its opposite are the same to the decomposition: the larger side counts up.
    found = found * np.where(found[np.abs(found).argmax(axis=0), np.arange(rank)] < 0, -1, 1)
    scale = np.array([rarity[bucket] for bucket in known])
    vectors[known, :rank] = found * scale[:, None]
    return vectors


class _Sparse:
    """A matrix of which few entries are not nought: what a decomposition needs of it, without a library's weight."""

    def __init__(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]):
        self.rows, self.columns, self.values, self.shape = rows, columns, values, shape

    @property
    def T(self) -> "_Sparse":
        return _Sparse(self.columns, self.rows, self.values, self.shape[::-1])

    def __matmul__(self, dense: np.ndarray) -> np.ndarray:
        order = np.argsort(self.rows, kind="stable")
        rows, starts = np.unique(self.rows[order], return_index=True)
        product = np.zeros((self.shape[0], dense.shape[1]))
        for column in range(dense.shape[1]):  # one at a time: memory for the entries, not for entries times columns
            entries = self.values[order] * dense[self.columns[order], column]
            product[rows, column] = np.add.reduceat(entries, starts)
        return product


def _directions(matrix: _Sparse, rank: int) -> np.ndarray:
    """The leading right singular vectors, a column each, by random projection (Halko et al. 2011).

    The library's own solver draws upon a random state that it keeps to itself; the same lessons must make the same.
    """
    start = np.random.default_rng(1).standard_normal((matrix.shape[1], min(rank + 10, *matrix.shape)))
    basis, _ = np.linalg.qr(matrix @ start)
    for _ in range(4):
        basis, _ = np.linalg.qr(matrix.T @ basis)
        basis, _ = np.linalg.qr(matrix @ basis)
    # The decomposition of the small matrix that is left: of its transpose, so that the sparse one stands on the left.
    directions, _, _ = np.linalg.svd(matrix.T @ basis, full_matrices=False)
    return directions[:, :rank]
