"""Porter's stemmer with the amendments of NLTK, so that ROUGE-L comes out as Google's package computes it.

Porter (1980), "An algorithm for suffix stripping"; the amendments (irregular words, `dies` and
`died`, `y` after a consonant, `-fulli`, `-logi`, two-letter vowel-consonant stems) are those that
`nltk.stem.PorterStemmer` applies by default. Work is linear in the length of a word.
"""

import functools
import itertools
from collections.abc import Mapping

IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
# Suffix → what takes its place, where at least one vowel-consonant sequence stands before it.
STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "fulli": "ful",
    "logi": "log",
}
STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
# Removed where at least two such sequences stand before it.
STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(),
    "",
)


@functools.lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a lower-case word."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_plural(word)
    word = _without_past_or_gerund(word)
    if word.endswith("y") and len(word) > 2 and _is_consonant(word, len(word) - 2):
        word = word[:-1] + "i"
    word = _step_2(word)
    word = _replaced(word, STEP_3, least=1)
    word = _replaced(word, STEP_4, least=2)
    word = _without_final_e(word)
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _consonants(word: str) -> list[bool]:
    """For each letter whether it is a consonant; a y after a consonant is a vowel."""
    flags: list[bool] = []
    for place, letter in enumerate(word):
        if letter == "y":
            flags.append(place == 0 or not flags[-1])
        else:
            flags.append(letter not in "aeiou")
    return flags


def _is_consonant(word: str, place: int) -> bool:
    return _consonants(word[: place + 1])[-1]


def _measure(word: str) -> int:
    """How many vowel-consonant sequences a word holds."""
    flags = _consonants(word)
    return sum(1 for before, after in itertools.pairwise(flags) if after and not before)


def _has_vowel(word: str) -> bool:
    return not all(_consonants(word))


def _ends_like_hop(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y; or a word of one vowel and one consonant."""
    flags = _consonants(word)
    if len(word) == 2:
        return flags == [False, True]
    return flags[-3:] == [True, False, True] and word[-1] not in "wxy"


def _without_plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past_or_gerund(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        bare = word.removesuffix(suffix)
        if bare != word and _has_vowel(bare):
            return _mended(bare)
    return word


def _mended(bare: str) -> str:
    """What is left after -ed or -ing, brought back to a form that the later steps know."""
    if bare.endswith(("at", "bl", "iz")):
        return bare + "e"
    if len(bare) > 1 and bare[-1] == bare[-2] and _is_consonant(bare, len(bare) - 1):
        return bare if bare[-1] in "lsz" else bare[:-1]
    return bare + "e" if _measure(bare) == 1 and _ends_like_hop(bare) else bare


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]):
        return _step_2(word[:-2])
    if word.endswith("logi"):
        # The l counts with the stem, so that geology is treated like archaeology.
        return word[:-1] if _measure(word[:-3]) else word
    return _replaced(word, STEP_2, least=1)


def _replaced(word: str, suffixes: Mapping[str, str], least: int) -> str:
    """The longest suffix that fits decides, whether or not its condition then holds."""
    for length in range(min(7, len(word)), 1, -1):
        suffix = word[-length:]
        if suffix in suffixes:
            bare = word[:-length]
            holds = _measure(bare) >= least and (suffix != "ion" or bare.endswith(("s", "t")))
            return bare + suffixes[suffix] if holds else word
    return word


def _without_final_e(word: str) -> str:
    if not word.endswith("e"):
        return word
    bare = word[:-1]
    measure = _measure(bare)
    return bare if measure > 1 or (measure == 1 and not _ends_like_hop(bare)) else word
