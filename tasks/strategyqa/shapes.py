"""The shapes that StrategyQA's four stages hand to one another: terms, questions, steps, evidence."""

from typing import Literal

import pydantic

from tasks.base import Shape

YES, NO = "yes", "no"
# What a later stage may say against a question.
ANSWER_INCORRECT, NOT_DEFINITIVE = "answer_incorrect", "not_definitive"


def in_words(answer: bool) -> str:
    """A question's answer as people read it."""
    return YES if answer else NO


class Term(Shape):
    """What a question is written about. `expected`: the answer that the question should have; empty: not drawn yet."""

    term: str
    description: str = ""
    expected: Literal["yes", "no", ""] = ""


class Question(Shape):
    """An accepted question with its answer and the facts its writer had in mind."""

    term: str
    description: str = ""
    question: str
    answer: bool
    facts: list[str] = []


class Step(Shape):
    """A step of a decomposition, with references as `#n`, and the title of the page where its answer is expected."""

    text: str = ""
    page: str = ""


class Decomposed(Question):
    """A question with its steps, as evidence is matched to them."""

    steps: list[Step]


class Matched(Shape):
    """What one matcher says of one step. `paragraphs` is None where no list was given at all."""

    paragraphs: list[str] | None = None
    is_operation: bool = False
    lacks_evidence: bool = False


class Quoted(Shape):
    """A paragraph as the project's corpus has it."""

    title: str
    section: str = ""
    text: str


class Evidenced(Decomposed):
    """A question with its steps and one matcher's evidence for each, to verify. `matched` is as long as `steps`.

    `quoted`: the matched paragraphs by id, copied from the corpus when the item comes into being. A verifier reads
    what the matcher read, whatever becomes of the corpus, also without script; and no browser had it in its hands.
    """

    matched: list[Matched]
    quoted: dict[str, Quoted] = {}


class StepAnswer(Shape):
    """What a verifier answers to one step from its paragraphs alone; `cannot`: they do not say."""

    answer: str = ""
    cannot: bool = pydantic.Field(False, description="cannot be answered from the paragraphs")
