"""What can be wrong with a strategy question and its facts; its steps and their evidence have checks of their own.

Items and answers are read by attribute: a question's answer has `question` and `facts`.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from tasks.checks.repetition import nearly_same
from tasks.checks.verbs import AUXILIARIES
from tasks.strategyqa.decomposition import MOST_STEPS
from tasks.text import comparable, content_words, unwelcome_character, words

MOST_CHARACTERS = 300
MOST_FACT_CHARACTERS = 600
FEWEST_FACTS, MOST_FACTS = 2, 5
LONG_QUESTION_WORDS = 30


# --- The question ----------------------------------------------------------------------------------


def question_is_empty(item, answer, context):
    return None if answer.question.strip() else "Please write a question."


def lacks_question_mark(item, answer, context):
    question = answer.question.strip()
    return "The question should end with a question mark." if question and not question.endswith("?") else None


def ends_in_several_question_marks(item, answer, context):
    return "One question mark is enough." if answer.question.strip().endswith("??") else None


def question_is_too_long(item, answer, context):
    if len(answer.question) > MOST_CHARACTERS:
        return f"At most {MOST_CHARACTERS} characters are taken, there are {len(answer.question):,}."
    return None


def question_is_long(item, answer, context):
    number = len(answer.question[: 2 * MOST_CHARACTERS].split())
    return f"The question has {number} words. Could it be shorter?" if number > LONG_QUESTION_WORDS else None


def asks_for_more_than_yes_or_no(item, answer, context):
    """A yes/no question begins with an auxiliary, or has one at the beginning of its main clause."""
    found = words(answer.question[: 2 * MOST_CHARACTERS])
    if not found or found[0] in AUXILIARIES:
        return None
    if found[0] in _QUESTION_WORDS:
        return f"A question that begins with “{found[0]}” is not answered with yes or no."
    if any(word in AUXILIARIES for word in found):
        return None
    return "Can this be answered with yes or no? Such questions begin like “Did …” or “Could …”."


_QUESTION_WORDS = frozenset({"what", "who", "whom", "whose", "which", "why", "where", "how", "name", "list"})


class Token(Protocol):
    """A token as a language model reads it (spaCy's attributes)."""

    pos_: str
    dep_: str
    tag_: str


def main_verbs(tokens: Iterable[Token]) -> int:
    """How many verbs carry a clause: no auxiliaries, none that stands before a noun as its attribute."""
    return sum(1 for token in tokens if token.pos_ == "VERB" and token.dep_ != "amod")


def has_several_main_verbs(item, answer, context):
    """The paper's example of explicit multi-hop language; a warning, for every seventh accepted question has them."""
    if main_verbs(context["language"](answer.question[: 2 * MOST_CHARACTERS])) < 2:
        return None
    return (
        "The question has several verbs. Does it spell out the steps that lead to the answer? "
        "A good one leaves them to the reader."
    )


def leaves_out_the_term(item, answer, context):
    term, said = content_words(item.term.split(" (")[0]), content_words(answer.question)
    if not answer.question.strip() or not term or term & said:
        return None
    return f"The question doesn't name “{item.term}”. That is allowed, if it is still about it."


def repeats_a_question(item, answer, context):
    """Nearly the same words as an earlier question of the project (`context["written"]` finds those that may be).

    A warning: the release holds one question twice. Of the rejected ones every tenth repeats another.
    """
    question = answer.question[: 2 * MOST_CHARACTERS]
    for other in context["written"](question):
        if nearly_same(question, other):
            return f"This is nearly the same as an earlier question: “{other}”"
    return None


def fewer_facts_than_needed(item, answer, context):
    number = len(_filled(answer.facts))
    return (
        f"Please enter at least {FEWEST_FACTS} facts that the answer follows from." if number < FEWEST_FACTS else None
    )


def more_facts_than_taken(item, answer, context):
    number = len(_filled(answer.facts))
    return f"At most {MOST_FACTS} facts are taken, there are {number}." if number > MOST_FACTS else None


def fact_is_too_long(item, answer, context):
    for number, fact in enumerate(answer.facts[: 2 * MOST_STEPS], 1):
        if len(fact) > MOST_FACT_CHARACTERS:
            return f"Fact {number} has {len(fact):,} characters, at most {MOST_FACT_CHARACTERS} are taken."
    return None


def repeats_a_fact(item, answer, context):
    forms = [comparable(fact) for fact in _filled(answer.facts)]
    return "Two facts are the same." if len(set(forms)) < len(forms) else None


# --- Shared ----------------------------------------------------------------------------------------


def holds_unwelcome_characters(item, answer, context):
    texts = [getattr(answer, "question", ""), *getattr(answer, "facts", [])]
    for text in texts[: 5 * MOST_STEPS]:
        if found := unwelcome_character(text[: 2 * MOST_CHARACTERS]):
            return f"A text holds a character that can't be stored ({found}). Please type it again."
    return None


def _filled(texts: Sequence[str]) -> list[str]:
    return [text[: 2 * MOST_CHARACTERS] for text in texts[: 2 * MOST_STEPS] if text.strip()]
