"""How well the steps of one derivation can be aligned with those of another (Inoue et al. 2020, section 2).

A step is a triplet of head, relation and tail. Two texts are as similar as one minus their edit distance
(lower-cased) over the length of the longer. Steps are compared by entities (`e`: mean of head and
tail), relation (`r`) or all three (`er`), and aligned one to one so that the sum is largest: an
assignment problem, solved exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

Triplet = tuple[str, str, str]
DIMENSIONS = ("e", "r", "er")


@dataclass(frozen=True)
class Alignment:
    """The best one-to-one alignment of predicted with reference steps: (predicted, reference, similarity)."""

    pairs: tuple[tuple[int, int, float], ...]
    predicted: int
    expected: int

    @property
    def score(self) -> float:
        """The sum of similarities: a soft count of right steps."""
        return float(sum(similarity for _, _, similarity in self.pairs))

    @property
    def precision(self) -> float:
        return self.score / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.score / self.expected if self.expected else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def alignments(predicted: Sequence[Triplet], expected: Sequence[Triplet]) -> dict[str, Alignment]:
    """The best alignment of two derivations in each dimension."""
    if not predicted or not expected:
        return {dimension: Alignment((), len(predicted), len(expected)) for dimension in DIMENSIONS}
    head, relation, tail = (
        _similarities([step[part] for step in predicted], [step[part] for step in expected]) for part in range(3)
    )
    by_dimension = {"e": (head + tail) / 2, "r": relation, "er": (head + relation + tail) / 3}
    return {dimension: _aligned(similarities) for dimension, similarities in by_dimension.items()}


def _similarities(texts: Sequence[str], others: Sequence[str]) -> np.ndarray:
    return cdist(
        [text.lower() for text in texts],
        [text.lower() for text in others],
        scorer=Levenshtein.normalized_similarity,
        dtype=np.float64,
    )


def _aligned(similarities: np.ndarray) -> Alignment:
    """Pairs without any similarity are left out: they align nothing."""
    from scipy.optimize import linear_sum_assignment  # 40 MB that processes which align nothing do without

    rows, columns = linear_sum_assignment(similarities, maximize=True)
    found = zip(rows.tolist(), columns.tolist(), similarities[rows, columns].tolist(), strict=True)
    return Alignment(tuple(pair for pair in found if pair[2] > 0), *similarities.shape)
