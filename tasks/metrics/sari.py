"""SARI (Xu et al. 2016): how well a text keeps, adds and deletes n-grams of its source, against one target.

As in StrategyQA's evaluator: n-grams of one to four tokens, each counted once; F1 for keeping and adding,
precision for deleting; where there is nothing to select or to find, the share is 1.
"""

from collections.abc import Sequence

LONGEST = 4


def sari(source: Sequence[str], prediction: Sequence[str], target: Sequence[str]) -> float:
    """The score of a prediction, between 0 and 1."""
    keeping, adding, deleting = [], [], []
    for size in range(1, LONGEST + 1):
        before, made, wanted = (_grams(tokens, size) for tokens in (source, prediction, target))
        keeping.append(_f1(before & made, before & wanted))
        deleting.append(_share(before - made - wanted, before - made))
        adding.append(_f1(made - before, wanted - before))
    return (sum(keeping) / LONGEST + sum(adding) / LONGEST + sum(deleting) / LONGEST) / 3


def _grams(tokens: Sequence[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def _share(right: set, selected: set) -> float:
    return len(right) / len(selected) if selected else 1.0


def _f1(selected: set, relevant: set) -> float:
    precision, recall = _share(selected & relevant, selected), _share(selected & relevant, relevant)
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0
