"""What can be wrong with a verifier's answers to the steps of a decomposition. `answer` has `answers`, one a step."""

from tasks.strategyqa.decomposition import references
from tasks.strategyqa.shapes import NO, YES, Evidenced, StepAnswer
from tasks.text import comparable, unwelcome_character

MOST_CHARACTERS = 300


def numbered(item: Evidenced, answer) -> list[tuple[int, StepAnswer]]:
    """An answer for each step, by number: a half-made one is filled up."""
    given = [*answer.answers, *(StepAnswer() for _ in item.steps[len(answer.answers) :])]
    return list(enumerate(given[: len(item.steps)], 1))


def folded(step: StepAnswer) -> str:
    """An answer as yes and no are read: from a plain form it comes as people write it ("Yes.")."""
    return comparable(step.answer[:MOST_CHARACTERS])


def leaves_a_step_unanswered(item: Evidenced, answer, context):
    return [
        ("answers", f"Step {number}: please answer it, or mark that the paragraphs don’t say.", number)
        for number, step in numbered(item, answer)
        if not step.answer.strip() and not step.cannot
    ]


def last_is_neither_yes_nor_no(item: Evidenced, answer, context):
    number, step = numbered(item, answer)[-1]
    if step.cannot or not step.answer.strip() or folded(step) in (YES, NO):
        return None
    return ("answers", f"Step {number} is the question itself: answer it with yes or no.", number)


def is_about_more_steps_than_there_are(item: Evidenced, answer, context):
    if len(answer.answers) > len(item.steps):
        return f"There are {len(item.steps)} steps, and answers to {len(answer.answers)}."
    return None


def answer_is_too_long(item: Evidenced, answer, context):
    return [
        ("answers", f"Step {number}: at most {MOST_CHARACTERS} characters are taken, please be brief.", number)
        for number, step in numbered(item, answer)
        if len(step.answer) > MOST_CHARACTERS
    ]


def holds_unwelcome_characters(item: Evidenced, answer, context):
    for number, step in numbered(item, answer):
        if found := unwelcome_character(step.answer[: 2 * MOST_CHARACTERS]):
            said = f"Step {number} holds a character that can't be stored ({found}). Please type it again."
            return ("answers", said, number)
    return None


def answers_without_a_paragraph(item: Evidenced, answer, context):
    """Nothing is given for the step, and it needs no earlier answer: where does the answer come from?"""
    return [
        ("answers", f"Step {number} has no paragraph. Did you find its answer in those of another step?", number)
        for number, step in numbered(item, answer)
        if step.answer.strip() and not step.cannot and not _is_given_anything(item, number)
    ]


def builds_on_what_cannot_be_answered(item: Evidenced, answer, context):
    given = dict(numbered(item, answer))
    found = []
    for number, step in given.items():
        lacking = [end for end in _needed(item, number) if given[end].cannot]
        if step.answer.strip() and not step.cannot and lacking:
            said = f"Step {number} needs the answer of step {lacking[0]}, which you marked as missing. Is that right?"
            found.append(("answers", said, number))
    return found


def where_evidence_lacks(item: Evidenced, answer) -> list[int]:
    """The steps at which something is missing: what only needs a missing answer lacks nothing of its own."""
    given = dict(numbered(item, answer))
    return [
        number
        for number, step in given.items()
        if step.cannot and not any(given[end].cannot for end in _needed(item, number))
    ]


def _needed(item: Evidenced, number: int) -> list[int]:
    return [end for end in references(item.steps[number - 1].text, len(item.steps)) if 0 < end < number]


def _is_given_anything(item: Evidenced, number: int) -> bool:
    matched = item.matched[number - 1] if number <= len(item.matched) else None
    return bool(matched and (matched.paragraphs or matched.is_operation)) or bool(_needed(item, number))
