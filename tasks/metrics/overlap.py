"""Word overlap of a predicted answer with a gold one: F1 as in SQuAD, ROUGE-L as in Google's package.

Both are scored per question as the maximum over its gold answers (Bhakthavatsalam et al. 2021), which
`best` does; means and intervals are in `intervals.py`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable

from rapidfuzz.distance import LCSseq

from tasks.stemming import stem
from tasks.text import normalised, squad_tokens

Score = Callable[[str, str], float]
_OTHER_SIGNS = re.compile(r"[^a-z0-9]+")
SHORTEST_STEMMED = 4


def f1(prediction: str, gold: str) -> float:
    """Harmonic mean of precision and recall over the multisets of SQuAD tokens; 0 where nothing is shared."""
    predicted, expected = squad_tokens(prediction), squad_tokens(gold)
    shared = sum((Counter(predicted) & Counter(expected)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def rouge_l(prediction: str, gold: str, *, stemming: bool = True) -> float:
    """F-measure of the longest common subsequence of tokens, as `rouge-score` computes `rougeL`."""
    predicted, expected = rouge_tokens(prediction, stemming=stemming), rouge_tokens(gold, stemming=stemming)
    shared = LCSseq.similarity(predicted, expected)
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def exact(prediction: str, gold: str) -> float:
    """1 where both have one SQuAD normal form, else 0."""
    return float(normalised(prediction) == normalised(gold))


def rouge_tokens(text: str, *, stemming: bool = True) -> list[str]:
    """Runs of ASCII letters and digits in lower case; words of more than three characters are stemmed."""
    tokens = _OTHER_SIGNS.sub(" ", text.lower()).split()
    return [stem(token) if len(token) >= SHORTEST_STEMMED else token for token in tokens] if stemming else tokens


def best(score: Score, prediction: str, golds: Iterable[str]) -> float:
    """The score against the gold answer that fits best; 0 where there is no gold answer."""
    return max((score(prediction, gold) for gold in golds), default=0.0)
