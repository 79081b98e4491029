"""The phrases that exclude a question before any HIT, in every reading of the paper's list.

The paper (Bhakthavatsalam et al. 2021, step 1) removes a question whose question sentence "contains one
of several filter phrases" and leaves open what contains means. The public release decides it:
`release_consistent` is the reading that no released question contradicts, and the default. The others
are the literal readings, for comparison.
"""

import re
from collections.abc import Callable
from types import MappingProxyType

from tasks.text import question_sentence

# In the order in which they are named: the ones with "which", the others as in the paper, "est" last.
PHRASES = (
    "which of",
    "which object",
    "which statement",
    "which is",
    "which are",
    "which term",
    "which would",
    "which item",
    "which action",
    "which two",
    "which sentence",
    "which one",
    "which fact",
    "most",
    "best",
    "least",
    "order",
    "supports",
    "characteristic",
    "trait",
    "below",
    "example",
    "conclusion",
    "sequence",
    "est",
)
VERB_PHRASE = "which <verb>"
# Verbs after "Which" for which no question was released. A closed list, since a tagger takes the nouns
# of "Which stages does ..." for verbs.
VERBS = frozenset(
    """is are was will would can could should has have does do describes explains occurs causes results
    demonstrates represents shows""".split()
)

Matcher = Callable[[str, str], bool]
_SUFFIX_EST = re.compile(r"est\b")
_EST_AND_BLANK = re.compile(r"est ")
_AS_WORD = {phrase: re.compile(rf"\b{re.escape(phrase)}\b") for phrase in PHRASES}


def _between_blanks(phrase: str, text: str) -> bool:
    """The phrase with a blank on both sides; "est" is a word in -est before a blank."""
    return bool(_EST_AND_BLANK.search(text)) if phrase == "est" else f" {phrase} " in f" {text}"


def _as_word(phrase: str, text: str) -> bool:
    return bool(_AS_WORD[phrase].search(text))


def _as_word_or_suffix(phrase: str, text: str) -> bool:
    return bool(_SUFFIX_EST.search(text)) if phrase == "est" else _as_word(phrase, text)


def _as_word_without_est(phrase: str, text: str) -> bool:
    return phrase != "est" and _as_word(phrase, text)


def _as_substring(phrase: str, text: str) -> bool:
    return phrase in text


def _found(matches: Matcher, text: str) -> list[str]:
    return [phrase for phrase in PHRASES if matches(phrase, text)]


def _in_sentence(matches: Matcher) -> Callable[[str], list[str]]:
    return lambda question: _found(matches, question_sentence(question).lower())


def _in_question(matches: Matcher) -> Callable[[str], list[str]]:
    return lambda question: _found(matches, question.lower())


def _in_sentence_that_begins_with_which(matches: Matcher) -> Callable[[str], list[str]]:
    def phrases(question: str) -> list[str]:
        sentence = question_sentence(question).lower()
        return _found(matches, sentence) if sentence.startswith("which") else []

    return phrases


def _release_consistent(question: str) -> list[str]:
    """Anchored, between blanks; "which of" anywhere; and a verb after the first "Which"."""
    found = _in_sentence_that_begins_with_which(_between_blanks)(question)
    if "which of" not in found and "which of " in question.lower():
        found.insert(0, "which of")
    first_words = question_sentence(question).lower().split(maxsplit=2)[:2]
    if not found and len(first_words) == 2 and first_words[0] == "which" and first_words[1] in VERBS:
        found.append(VERB_PHRASE)
    return found


DEFAULT_READING = "release_consistent"
READINGS = MappingProxyType(
    {
        "release_consistent": _release_consistent,
        "anchored_blank": _in_sentence_that_begins_with_which(_between_blanks),
        "anchored_word": _in_sentence_that_begins_with_which(_as_word_or_suffix),
        "anchored_substring": _in_sentence_that_begins_with_which(_as_substring),
        "last_sentence_word": _in_sentence(_as_word_without_est),
        "last_sentence_suffix": _in_sentence(_as_word_or_suffix),
        "last_sentence_substring": _in_sentence(_as_substring),
        "whole_question_word": _in_question(_as_word_without_est),
        "whole_question_suffix": _in_question(_as_word_or_suffix),
        "whole_question_substring": _in_question(_as_substring),
    }
)
READING_HINTS = MappingProxyType(
    {
        "release_consistent": "the reading that no published ARC-DA question contradicts",
        "anchored_blank": "sentences that begin with “Which”, phrase between blanks, without the verb rule",
        "anchored_word": "sentences that begin with “Which”, phrase as a whole word or -est suffix",
        "anchored_substring": "sentences that begin with “Which”, phrase anywhere, even inside a word",
        "last_sentence_word": "last sentence, phrase as a whole word",
        "last_sentence_suffix": "last sentence, phrase as a whole word or -est suffix",
        "last_sentence_substring": "last sentence, phrase anywhere, even inside a word",
        "whole_question_word": "whole question, phrase as a whole word",
        "whole_question_suffix": "whole question, phrase as a whole word or -est suffix",
        "whole_question_substring": "whole question, phrase anywhere, even inside a word",
    }
)


def excluding_phrases(question: str, reading: str = DEFAULT_READING) -> list[str]:
    """The filter phrases that exclude a question under a reading; none: it goes on to the workers.

    `which <verb>` is named only where no phrase of the list itself is found.
    """
    if reading not in READINGS:
        raise LookupError(f"no filter reading {reading!r}; there are {', '.join(READINGS)}")
    return READINGS[reading](question)
