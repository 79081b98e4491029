"""What can be wrong with the evidence that a worker matched to the steps of a decomposition.

A paragraph of step 3 is told as part 3 of the field, so that a page can show it beside that step.
"""

from collections.abc import Iterator

from tasks.base import Message
from tasks.strategyqa.decomposing.checks import MOST_REASON_CHARACTERS
from tasks.strategyqa.shapes import Matched
from tasks.text import unwelcome_character

# The released data holds 14 paragraphs for one step, and more than three for one list in three hundred.
MOST_PARAGRAPHS = 20
MANY_PARAGRAPHS = 5
MOST_CHARACTERS_OF_AN_ID = 400


def leaves_a_step_without_a_mark(item, answer, context) -> list[Message]:
    """Every step has paragraphs, or is an operation, or lacks evidence (3.3 of the paper)."""
    matched = [*answer.matched, *[Matched()] * len(item.steps)][: len(item.steps)]
    return [
        _said(number, "choose a paragraph, or mark it as an operation or as without evidence.")
        for number, step in enumerate(matched, 1)
        if not step.paragraphs and not step.is_operation and not step.lacks_evidence
    ]


def marks_an_inner_step_as_operation(item, answer, context) -> list[Message]:
    """Only a warning, as in the paper: 3% of the released intermediate records are operations."""
    return [
        _said(number, "it is not the last one. Is it really an operation, with nothing to look up?")
        for number, step in _steps(item, answer)
        if step.is_operation and number < len(item.steps)
    ]


def is_about_more_steps_than_there_are(item, answer, context) -> str | None:
    steps, given = len(item.steps), len(answer.matched)
    return f"There is evidence for step {given}, but there are {steps} steps." if given > steps else None


def holds_too_many_paragraphs(item, answer, context) -> list[Message]:
    return [
        _said(number, f"at most {MOST_PARAGRAPHS} paragraphs are taken, there are {len(step.paragraphs)}.")
        for number, step in _steps(item, answer)
        if len(step.paragraphs or ()) > MOST_PARAGRAPHS
    ]


def holds_many_paragraphs(item, answer, context) -> list[Message]:
    return [
        _said(number, f"there are {len(step.paragraphs)} paragraphs. Which of them are needed?")
        for number, step in _steps(item, answer)
        if MANY_PARAGRAPHS < len(step.paragraphs or ()) <= MOST_PARAGRAPHS
    ]


def names_no_paragraph_of_the_corpus(item, answer, context) -> list[Message]:
    """`context["paragraphs"]` gives which of some ids the project's corpus knows; None where nobody can tell."""
    wanted = [name for _, step in _steps(item, answer) for name in (step.paragraphs or ())[:MOST_PARAGRAPHS]]
    known = context["paragraphs"](wanted) if wanted and "paragraphs" in context else None
    if known is None:
        return []
    found = []
    for number, step in _steps(item, answer):
        strange = [name for name in (step.paragraphs or ())[:MOST_PARAGRAPHS] if name not in known]
        if strange:
            found.append(_said(number, f"there is no paragraph “{strange[0][:MOST_CHARACTERS_OF_AN_ID]}”."))
    return found


def names_a_paragraph_that_can_be_none(item, answer, context) -> list[Message]:
    found = []
    for number, step in _steps(item, answer):
        for name in (step.paragraphs or ())[:MOST_PARAGRAPHS]:
            if len(name) > MOST_CHARACTERS_OF_AN_ID or unwelcome_character(name[:MOST_CHARACTERS_OF_AN_ID]):
                found.append(_said(number, f"“{name[:40]}…” can't be the name of a paragraph."))
                break
    return found


def reason_holds_unwelcome_characters(item, answer, context) -> str | None:
    found = unwelcome_character(answer.reason[:MOST_REASON_CHARACTERS])
    return f"The text holds a character that can't be stored ({found}). Please type it again." if found else None


def _said(number: int, text: str) -> Message:
    return "matched", f"Step {number}: {text}", number


def _steps(item, answer) -> Iterator[tuple[int, Matched]]:
    return enumerate(answer.matched[: len(item.steps)], 1)
