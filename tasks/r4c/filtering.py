"""Which submissions and instances stay: right answers, exactly three derivations, answerable from each of them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.aggregation.votes import majority
from tasks.r4c.candidates import NEITHER
from tasks.r4c.shapes import shown

WANTED_DERIVATIONS = 3
Verdict = Literal["yes", "likely", "no"]
# For ordinal alpha: the levels in their order.
LEVELS: Mapping[str, int] = {"no": 0, "likely": 1, "yes": 2}
SPLIT = "split"


def is_right(choice: str, answer: str) -> bool:
    """Whether a worker chose the dataset's answer; "neither" and everything else is wrong."""
    return choice.strip().lower() == shown(answer).lower() and choice != NEITHER


@dataclass(frozen=True)
class Kept:
    """What is left of an instance's submissions, by their keys, and why it is dropped (empty: it is kept)."""

    right: tuple[Hashable, ...]
    reason: str = ""


def kept_derivations(choices: Mapping[Hashable, str], answer: str, wanted: int = WANTED_DERIVATIONS) -> Kept:
    """Submissions with the right answer, and whether there are exactly as many as wanted."""
    right = tuple(sorted((key for key, choice in choices.items() if is_right(choice, answer)), key=str))
    if len(right) == wanted:
        return Kept(right)
    return Kept(right, f"{len(right)} submissions with the right answer, exactly {wanted} are wanted")


def verdict_of(judgements: Iterable[str]) -> str:
    """The majority of an answerability judgement: yes, likely or no, or `split` where there is none."""
    return majority(judgements) or SPLIT


def is_answerable(verdicts: Sequence[str]) -> bool:
    """The dev rule that fits the published counts: every derivation of the instance has a majority for yes."""
    return bool(verdicts) and all(verdict == "yes" for verdict in verdicts)
