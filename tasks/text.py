"""How texts are cut into words and compared: normal forms, content words, the question sentence.

All patterns here are linear in the length of the text: they meet what strangers type.
"""

import re
import string
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from tasks.stemming import stem

# Words that carry no content of their own: articles, pronouns, forms of be, have and do, modals,
# prepositions, conjunctions, and a few adverbs of degree. Numbers, "not", "no", "more", "less", "up",
# "down" and other words that tell two science answers apart ("more oxygen", "no change") are left
# out of the list on purpose.
STOP_WORDS = frozenset(
    """
    a an the this that these those
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
    who whom whose which what there here
    am is are was were be been being isn't aren't wasn't weren't
    have has had having do does did doing done
    can could may might must shall should will would
    of in on at by for from to with into onto as about
    and or but nor so if then than because while when where how why
    also very just too only quite such some any each both either
    """.split()
)

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
# A number is one word with its point or commas: "2.5 m" and "3.5 m" share no 5.
_WORD = re.compile(r"\d+(?:[.,]\d+)+|(?<![\w.])\.\d+|[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE_END = re.compile(r"""(?<=[.!?])["'”’)]*\s+""")
_PLAIN_SIGNS = str.maketrans("’‘“”–—−", "''\"\"---")
_UNWELCOME = re.compile("[\x00\ud800-\udfff]")
_ENDS = ".,;:!?\"'()[]"
_QUOTES = "'\""
_ARTICLE_WORDS = frozenset({"a", "an", "the"})


def normalised(text: str) -> str:
    """SQuAD's normal form: lower case, no ASCII punctuation, no a/an/the, single blanks."""
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def squad_tokens(text: str) -> list[str]:
    return normalised(text).split()


def words(text: str) -> list[str]:
    """The words of a text in lower case, without accents, possessives and typographic apostrophes.

    "El Niño" and "el nino" are the same words: not every keyboard has the accents of every answer. A number is one
    word, with the point or comma inside it.
    """
    found = _WORD.findall(_without_accents(text).lower())
    return [word.replace("’", "'").removesuffix("'s") for word in found]


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def root(word: str) -> str:
    """What words of one family share: Porter's stem without a final i or e.

    The stemmer alone leaves `gravity` at `graviti` and `gravitational` at `gravit`; without the last
    letter the two meet. Stems of up to four letters stay whole, where a letter weighs more.
    """
    stemmed = stem(word)
    return stemmed[:-1] if len(stemmed) > 4 and stemmed[-1] in "ie" else stemmed


def content_words(text: str, *, stop_words: Collection[str] = STOP_WORDS, stemming: bool = True) -> frozenset[str]:
    """The words of a text that carry content, as stems by default.

    Stop words are taken out before stemming. Without stemming, "gravity" and "gravitational force", or
    "it melts" and "melting", would share nothing: that is why it is the default.
    """
    kept = (word for word in words(text) if word not in stop_words)
    return frozenset(map(root, kept)) if stemming else frozenset(kept)


@lru_cache(maxsize=512)  # a page's checks ask for the same few texts many times over
def comparable(text: str) -> str:
    """A form in which near-identical answers are equal: case, punctuation at the ends and articles don't count.

    Signs inside stay, so that "2.5" and "25" are different answers; so do a minus or a point before a number, and the
    sign of feet, minutes or inches after one. The last word is no article ("vitamin A"). A text of nothing but signs
    is its own form.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN_SIGNS).lower()
    bare = list(_without_signs(plain.split()))
    kept = [word for word in bare[:-1] if word not in _ARTICLE_WORDS] + bare[-1:]
    return " ".join(kept) or " ".join(plain.split())


def _without_signs(parts: Iterable[str]) -> Iterator[str]:
    """Words without the signs at their ends. A quote after a number belongs to it unless one was opened before."""
    opened: set[str] = set()
    for part in parts:
        bare = part.strip(_ENDS)
        if not bare:
            continue
        start = len(part) - len(part.lstrip(_ENDS))
        before, after = part[:start], part[start + len(bare) :]
        opened.update(before)
        point = "." if bare[0].isdigit() and before.endswith(".") and not before.endswith("..") else ""
        is_unit = bare[-1].isdigit() and not opened.intersection(after[:1])
        unit = after[: len(after) - len(after.lstrip(_QUOTES))] if is_unit else ""
        opened.difference_update(after)
        yield f"{point}{bare}{unit}"


def question_sentence(text: str) -> str:
    """The last sentence of a question, the one that asks.

    Sentences end at . ! or ? (and closing quotes) before white space. An abbreviation counts as an end,
    so "What was Mr. Herschel observing?" loses its beginning: that happens in three of ARC's 7,787
    questions, and is how the published filter counts come out.
    """
    sentences = [part for part in _SENTENCE_END.split(text.strip()) if part]
    return sentences[-1] if sentences else ""


def one_line(text: str) -> str:
    """A text without its line breaks; other blanks stay as they are."""
    return " ".join(filter(None, map(str.strip, text.splitlines())))


def in_short(text: str) -> str:
    """The beginning of a text, to name it by in a message."""
    return text if len(text) <= 60 else f"{text[:57].rstrip()}…"


def unwelcome_character(text: str) -> str:
    """The first character that no stored text may hold (NUL, lone surrogate), by its code; empty if none."""
    found = _UNWELCOME.search(text)
    return f"U+{ord(found.group()):04X}" if found else ""
