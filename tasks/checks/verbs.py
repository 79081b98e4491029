"""Whether a phrase holds a verb, as far as that can be told without a language model."""

from tasks.text import words

AUXILIARIES = frozenset(
    """is are was were be been being am has have had having do does did can could may might must shall should will
    would isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't can't couldn't won't
    wouldn't""".split()
)
# Verbs that end like nothing in particular, in the forms that relations and questions use.
OTHER_VERBS = frozenset(
    """became become began came come cost cut drew fell felt fought found gave get go got grew held hit kept knew
    know lead led lie live lost made make met need own paid play put ran run said sang sat saw say see sell sent set
    shot sold speak spent stood take taught tell think thought took use want went win won wore work write wrote born
    known written sung shown given taken seen gone done built sold drawn worn chosen driven grown thrown begun
    died used rose left helped belong contain feature include star serve hold consist""".split()
)
_ENDINGS = ("ed", "ing", "izes", "ises", "ates", "ifies")
_NO_VERBS = frozenset(
    {"during", "according", "including", "following", "thing", "king", "ring", "bed", "red", "hundred"}
)


def holds_a_verb(phrase: str) -> bool:
    """Whether some word is a common verb or ends like one; a third person in -s counts as the first word only."""
    found = words(phrase)
    if any(word in AUXILIARIES or word in OTHER_VERBS or _ends_like_one(word) for word in found):
        return True
    first = found[0] if found else ""
    return len(first) > 3 and first.endswith("s") and not first.endswith("ss")


def _ends_like_one(word: str) -> bool:
    return len(word) > 4 and word.endswith(_ENDINGS) and word not in _NO_VERBS
