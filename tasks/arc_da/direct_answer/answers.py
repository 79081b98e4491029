"""What workers may say of a question: the six categories, and the two ways of giving no answer."""

import re

from tasks.text import comparable, words

# Value, the paper's wording, and how many answers the wording asks for.
CATEGORIES = (
    ("single", "There is a clear, single answer", 1, 1),
    (
        "wordings",
        "There is conceptually just one answer, but it could be expressed in different ways (enter 1-3 examples above)",
        1,
        3,
    ),
    ("several", "There are several (2-4) different, correct answers to this question (enter 2-3 examples above)", 2, 3),
    ("many", "There are many different, correct answers to this question (enter 2-3 examples)", 2, 3),
    ("unknown", "The question makes sense, but I don't know the answer (enter \"don't know\" as the answer)", 1, 1),
    ("nonsense", 'This question doesn\'t make sense or is unanswerable (enter "?" as the answer)', 1, 1),
)
OPTIONS = tuple((value, label) for value, label, _, _ in CATEGORIES)
FEWEST_AND_MOST = {value: (fewest, most) for value, _, fewest, most in CATEGORIES}
# The paper's text sums the categories up as one, several, many, or nonsensical.
KINDS = {
    "single": "one",
    "wordings": "one",
    "several": "several",
    "many": "many",
    "unknown": "unknown",
    "nonsense": "nonsense",
}
DONT_KNOW = frozenset(
    {
        "don't know",
        "dont know",
        "do not know",
        "i don't know",
        "i dont know",
        "i do not know",
        "don't know answer",
        "i don't know answer",
        "idk",
        "not sure",
        "i'm not sure",
        "no idea",
    }
)


def is_dont_know(text: str) -> bool:
    return comparable(text) in DONT_KNOW


def is_question_mark(text: str) -> bool:
    """One or more "?" and nothing else."""
    return "?" in text and not text.strip(" ?")


def is_no_answer(text: str) -> bool:
    return is_dont_know(text) or is_question_mark(text)


# Where a short version ends: at what begins an explanation or a place.
_ENDS = frozenset(
    """that which who because since so when while where if by in on at from for with into through during between
    and or as than to of due""".split()
)
_EMPTY_BEGINNINGS = frozenset(
    """a an the it its it's this that they there he she is are was were be being been because due to of by will would
    can could may might has have had does do did very really just so called process type kind form""".split()
)
WORDY = 6


def is_wordy(text: str) -> bool:
    """Longer than the salient terms of an answer need to be."""
    return len(words(text)) > WORDY


def short_version(text: str) -> str:
    """The salient beginning of a wordy answer, as a suggestion for the expert; empty where there is none.

    "An invisible gas in the air above the sea" becomes "invisible gas": articles, pronouns and auxiliaries at
    the beginning go, and everything from the first preposition, conjunction or comma behind them.
    """
    tokens = text.split()
    while tokens and re.sub(r"[^\w']", "", tokens[0].lower()) in _EMPTY_BEGINNINGS:
        tokens = tokens[1:]
    kept: list[str] = []
    for token in tokens:
        if kept and token.lower().strip(",.;:") in _ENDS:
            break
        kept.append(token.rstrip(",.;:"))
        if token[-1] in ",.;:":
            break
    found = " ".join(kept)
    return found if found and len(kept) < len(text.split()) and comparable(found) != comparable(text) else ""
