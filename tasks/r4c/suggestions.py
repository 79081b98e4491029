"""What the derivation form offers while a worker types: prepositions, and phrases of the articles.

`phrases_of` reads an item once, slowly, with a language pipeline or without one; `ranked` picks from what it
found, quickly. The paper offers predefined prepositions, noun phrases, verb phrases and entities. Relations
are harder to foresee than heads and tails, so a verb is offered in several cuts: "was first published",
"was published", "was published in", "published in"; "is the capital of", "is the", "is".
"""

import heapq
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tasks.base import Suggestion
from tasks.checks.verbs import AUXILIARIES, OTHER_VERBS, holds_a_verb
from tasks.text import STOP_WORDS, words

PREPOSITIONS = tuple(
    """of in on at by for from to with as into onto about between among after before during since until under over
    against through near within without along across around behind beyond inside outside via per""".split()
)
# What relations are made of, whatever the articles say.
COMMON_RELATIONS = tuple(
    " ".join(text.split())
    for text in """
    is; was; are; were; is a; is an; is the; was a; was an; was the; has; had; is in; was in; is from; was from; is of;
    is located in; was born in; was born on; was born; died in; is a type of; is a kind of; is part of;
    is a member of; is known for; is known as; is also known as; was founded in; was founded by; was written by;
    was directed by; was released in; was published in; was produced by; was created by; is based on; is based in;
    was based in; stars; starred in; plays; played for; includes; contains; features; is called; is named after;
    is older than; is larger than; has the name; has a population of; is a country in; works for; worked for;
    lived in; took place in; was held in; won; wrote; directed; was part of; became; is not; was not; is not a
    """.split(";")
)
TITLE, ENTITY, NOUNS, VERBS, PREPOSITION, COMMON = (
    "title",
    "entity",
    "noun phrase",
    "verb phrase",
    "preposition",
    "common",
)
LONGEST_PHRASE = 120
MOST_PHRASES = 6_000
_BE = {"is", "are", "was", "were", "be", "been", "being"}
# As many as a server keeps of what they are made from.
MOST_INDEXES = 64

# Read: a text as a spaCy Doc.
Read = Callable[[str], Any]
Place = tuple[int, int]


class Found(NamedTuple):
    """A phrase as it stands in the articles."""

    text: str
    kind: str


# --- Finding --------------------------------------------------------------------------------------


def phrases_of(articles: Sequence[tuple[str, Sequence[str]]], read: Read | None) -> dict:
    """All phrases of the articles with the places where they stand, as JSON: computed once an item.

    `articles`: (title, sentences) as people read them. `read` None: found without a language model.
    """
    places: dict[Found, list[Place]] = defaultdict(list)
    for number, (title, sentences) in enumerate(articles):
        for text in dict.fromkeys([title, re.sub(r"\s*\([^)]*\)$", "", title)]):
            places[Found(text, TITLE)].append((number, -1))
        for place, found in _of_article(sentences, read):
            if 0 < len(found.text) <= LONGEST_PHRASE and (number, place) not in places[found]:
                places[found].append((number, place))
    return {
        "with_model": read is not None,
        "phrases": [[text, kind, [*map(list, where)]] for (text, kind), where in list(places.items())[:MOST_PHRASES]],
    }


def _of_article(sentences: Sequence[str], read: Read | None) -> Iterator[tuple[int, Found]]:
    if read is None:
        for place, sentence in enumerate(sentences):
            for found in _plain_phrases(sentence):
                yield place, found
        return
    text, ends = "", []
    for sentence in sentences:
        text += sentence.strip() + " "
        ends.append(len(text))
    doc = read(text)
    for span_start, found in _read_phrases(doc):
        yield next((place for place, end in enumerate(ends) if span_start < end), len(ends) - 1), found


def _read_phrases(doc: Any) -> Iterator[tuple[int, Found]]:
    for entity in doc.ents:
        yield entity.start_char, Found(entity.text.strip(), ENTITY)
    for chunk in doc.noun_chunks:
        for text in _noun_cuts(chunk):
            yield chunk.start_char, Found(text, NOUNS)
    for token in doc:
        if token.pos_ in ("VERB", "AUX") and not _is_helper(token):
            for text in _verb_cuts(token):
                yield token.idx, Found(text, VERBS)
        elif token.tag_ == "POS":
            for text in _possessive_cuts(token):
                yield token.idx, Found(text, VERBS)


def _is_helper(token: Any) -> bool:
    return token.dep_ in ("aux", "auxpass")


def _noun_cuts(chunk: Any) -> Iterator[str]:
    """A noun phrase, without its article, and with the phrase that hangs on it ("a river in Wales")."""
    yield chunk.text
    first = chunk[0]
    bare = chunk[1:].text if first.pos_ in ("DET", "PRON") and len(chunk) > 1 else chunk.text
    if bare != chunk.text:
        yield bare
    head, doc = chunk.root, chunk.doc
    # Longer and longer: up to the end of each phrase that hangs on the noun.
    ends = sorted(
        {child.right_edge.i + 1 for child in head.rights if child.dep_ in ("prep", "relcl", "acl", "appos", "conj")}
    )
    inner = {
        grandchild.right_edge.i + 1
        for child in head.rights
        if child.dep_ == "prep"
        for grandchild in child.children
        if grandchild.dep_ == "pobj" and not any(part.dep_ in ("relcl", "acl") for part in grandchild.children)
    } | {part.i + 1 for child in head.rights if child.dep_ == "prep" for part in child.children if part.dep_ == "pobj"}
    for end in sorted({*ends[:3], *inner}):
        if end > chunk.end:
            yield doc[chunk.start : end].text.rstrip(" ,;")
            if bare != chunk.text:
                yield doc[chunk.start + 1 : end].text.rstrip(" ,;")


def _verb_cuts(token: Any) -> Iterator[str]:
    """A verb with and without its helpers, adverbs and prepositions, and what a form of "be" says."""
    helpers = [child for child in token.lefts if _is_helper(child) and child.tag_ != "TO"]
    negation = [child.text for child in token.children if child.dep_ == "neg"]
    adverbs = [child.text for child in token.lefts if child.dep_ == "advmod"]
    particles = [child.text for child in token.rights if child.dep_ == "prt"]
    verb = " ".join([token.text, *particles])
    fronts = {"": None}
    if helpers:
        fronts[" ".join(helper.text for helper in helpers)] = None
        if negation:
            fronts[" ".join([*(helper.text for helper in helpers), *negation])] = None
    elif token.tag_ == "VBN" or (token.dep_ == "acl" and token.tag_ in ("VBN", "VBD")):
        fronts |= {"was": None, "is": None}
    elif token.tag_ == "VBG":
        fronts |= {"is": None, "was": None}
    tails = ["", *_prepositions(token)]
    for front in fronts:
        for tail in tails:
            yield " ".join(filter(None, (front, verb, tail)))
            if adverbs:
                yield " ".join(filter(None, (front, *adverbs, verb, tail)))
    if token.lower_ in _BE or token.tag_ in ("VBZ", "VBD", "VBP"):
        yield from _complement_cuts(token, helpers, negation)


def _prepositions(token: Any) -> Iterator[str]:
    for child in token.rights:
        if child.dep_ in ("prep", "agent", "dative") and child.pos_ in ("ADP", "SCONJ"):
            yield child.text
            inner = next((part for part in child.children if part.dep_ == "prep"), None)
            if inner is not None:
                yield f"{child.text} {inner.text}"


def _complement_cuts(token: Any, helpers: list, negation: list[str]) -> Iterator[str]:
    """ "is the", "is the capital of", "is a singer from", "has the role of": a verb with its noun and preposition."""
    front = " ".join([*(helper.text for helper in helpers), token.text, *negation])
    if token.lower_ in _BE:
        yield from (f"{front} {text}" for text in _prepositions(token))
    for noun in token.rights:
        if noun.dep_ not in ("attr", "dobj", "oprd", "acomp"):
            continue
        article = next((child.text for child in noun.lefts if child.dep_ == "det"), "")
        modifiers = [
            child.text for child in noun.lefts if child.dep_ in ("amod", "compound", "nummod", "poss", "advmod")
        ]
        if article:
            yield f"{front} {article}"
        cuts = {noun.text, " ".join([*modifiers[-1:], noun.text]), " ".join([*modifiers, noun.text])}
        # The words between article and noun as they stand, hyphens and all.
        cuts.add(token.doc[noun.left_edge.i + bool(article) : noun.i + 1].text)
        for cut in cuts:
            phrase = " ".join(filter(None, (front, article, cut)))
            if noun.dep_ == "acomp" or token.lower_ in _BE:
                yield phrase
            for text in _prepositions(noun):
                yield f"{phrase} {text}"
            for clause in noun.rights:
                if clause.dep_ in ("acl", "relcl") and clause.tag_ in ("VBN", "VBG", "VBD"):
                    for text in ("", *_prepositions(clause)):
                        yield " ".join(filter(None, (phrase, clause.text, text)))


def _possessive_cuts(token: Any) -> Iterator[str]:
    """ "'s wife", "has the wife": what belongs to somebody is a relation, too."""
    owned = token.head.head if token.head.dep_ == "poss" else None
    if owned is not None and owned.i > token.i:
        phrase = token.doc[token.i + 1 : owned.i + 1].text
        yield f"{token.text} {phrase}"
        yield f"{token.text} {phrase} is"


# --- Without a model ------------------------------------------------------------------------------

_NAME = re.compile(r"\b[A-Z0-9][\w'’&.-]*(?:,? (?:(?:of|the|and|de|in|for) )?[A-Z0-9][\w'’&.-]*){0,7}")
_TOKEN = re.compile(r"[\w'’&.-]+|[,;:()]")


def _plain_phrases(sentence: str) -> Iterator[Found]:
    """Runs of capitals, runs between function words, and verbs by their look with what follows them."""
    for name in _NAME.finditer(sentence[:4_000]):
        yield Found(name.group().rstrip(".,"), ENTITY)
    tokens = _TOKEN.findall(sentence[:4_000])
    yield from (Found(text, NOUNS) for text in _noun_runs(tokens))
    for start, token in enumerate(tokens):
        if _looks_like_a_verb(token):
            end = start + 1
            while end < len(tokens) and end < start + 4 and _looks_like_a_verb(tokens[end]):
                end += 1
            verb = " ".join(tokens[start:end])
            yield Found(verb, VERBS)
            if end < len(tokens) and tokens[end].lower() in PREPOSITIONS:
                yield Found(f"{verb} {tokens[end]}", VERBS)
            if end < len(tokens) and tokens[end].lower() in ("a", "an", "the"):
                yield Found(f"{verb} {tokens[end]}", VERBS)
                stop = next(
                    (place for place in range(end, min(end + 6, len(tokens))) if tokens[place] in PREPOSITIONS), 0
                )
                if stop:
                    yield Found(" ".join([verb, *tokens[end : stop + 1]]), VERBS)


def _looks_like_a_verb(token: str) -> bool:
    low = token.lower()
    return low in AUXILIARIES or low in OTHER_VERBS or (token[:1].islower() and len(low) > 4 and holds_a_verb(low))


def _noun_runs(tokens: Sequence[str]) -> Iterator[str]:
    run: list[str] = []
    for token in [*tokens, ","]:
        low = token.lower().strip(".")
        is_inside = low and low[0].isalnum() and (low not in STOP_WORDS or low in ("a", "an", "the"))
        if is_inside and not (_looks_like_a_verb(token) and token.islower()) and len(run) < 8:
            run.append(token)
            continue
        text = " ".join(run).rstrip(".")
        if text and words(text) and not all(word in STOP_WORDS for word in words(text)):
            yield text
            if run[0].lower() in ("a", "an", "the"):
                yield " ".join(run[1:]).rstrip(".")
        run = []


# --- Ranking --------------------------------------------------------------------------------------

_KINDS = {"head": (TITLE, ENTITY, NOUNS), "tail": (TITLE, ENTITY, NOUNS), "relation": (VERBS, COMMON, PREPOSITION)}
_FIXED = [Found(text, COMMON) for text in COMMON_RELATIONS] + [Found(text, PREPOSITION) for text in PREPOSITIONS]
# How good a phrase is whatever was typed: by its kind and the part it is offered for. Less is better.
_KIND_RANK = {
    ("head", TITLE): 0,
    ("head", ENTITY): 1,
    ("head", NOUNS): 2,
    ("tail", NOUNS): 0,
    ("tail", ENTITY): 0,
    ("tail", TITLE): 1,
    ("relation", VERBS): 0,
    ("relation", COMMON): 1,
    ("relation", PREPOSITION): 2,
}


class Entry(NamedTuple):
    """A phrase with what ranking asks of it, worked out beforehand: a page asks at every key."""

    folded: str
    bare: str
    found: Found
    length: int
    places: frozenset[Place]
    articles: frozenset[int]


class Index:
    """The phrases of one item, ready to be asked many times."""

    def __init__(self, prepared: dict):
        self.entries: dict[str, list[Entry]] = {"entity": [], "relation": []}
        for text, kind, where in prepared["phrases"]:
            part = "relation" if kind == VERBS else "entity"
            self.entries[part].append(_entry(Found(text, kind), [tuple(place) for place in where]))
        self.entries["relation"] += [_entry(found, []) for found in _FIXED]

    def ranked(
        self, part: str, typed: str, place: Place | None = None, used: Iterable[str] = (), most: int = 8
    ) -> list[Suggestion]:
        """What to offer for a part of a step, best first: what begins with the typed text before what holds it,
        the chosen sentence before its article before the rest, and names that other steps use before others.
        """
        wanted = " ".join(typed.lower().split())
        used_forms = {" ".join(text.lower().split()) for text in used}
        best: dict[str, tuple] = {}
        for entry in self.entries["relation" if part == "relation" else "entity"]:
            fit = _fit(wanted, entry)
            if fit is None:
                continue
            folded, found = entry.folded, entry.found
            near = _distance(entry, place, part) - 2 * (folded in used_forms)
            order = (fit, near, _KIND_RANK[part, found.kind], entry.length, found.text, found.kind)
            if folded not in best or order < best[folded]:
                best[folded] = order
        chosen = heapq.nsmallest(most, best.values())
        return [Suggestion(text, kind) for *_, text, kind in chosen if text != typed or len(chosen) > 1]


class _Held:
    """A value that is known by its identity: held here, so that no other one can get that meanwhile."""

    def __init__(self, value: dict):
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.value is self.value


def index_of(prepared: dict) -> Index:
    """The index of what `phrases_of` gave; of the values used last, it is made once."""
    return _index_of(_Held(prepared))


@lru_cache(maxsize=MOST_INDEXES)
def _index_of(held: _Held) -> Index:
    return Index(held.value)


def _entry(found: Found, where: list[Place]) -> Entry:
    folded = " ".join(found.text.lower().split())
    bare = next((folded.removeprefix(article) for article in _ARTICLES if folded.startswith(article)), folded)
    return Entry(folded, bare, found, len(found.text), frozenset(where), frozenset(article for article, _ in where))


_ARTICLES = ("the ", "a ", "an ")


def _fit(wanted: str, entry: Entry) -> int | None:
    """0: begins with what is typed, perhaps after an article; 1: a later word does; 2: it is inside a word."""
    if not wanted or entry.folded.startswith(wanted) or entry.bare.startswith(wanted):
        return 0
    if wanted not in entry.folded:
        return None
    if f" {wanted}" in entry.folded:
        return 1
    return 2 if len(wanted) > 2 else None


def _distance(entry: Entry, place: Place | None, part: str) -> int:
    """0: in the chosen sentence; 1: the title of its article; 2: elsewhere in it; 3: in another; 4: in none.

    For a head the title is as near as the sentence: four of five heads of the public data are one.
    """
    if not entry.places:
        return 4
    if place is None or place[0] not in entry.articles:
        return 3
    if place in entry.places:
        return 0
    if (place[0], -1) in entry.places:
        return 0 if part == "head" else 1
    return 2
