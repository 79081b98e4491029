"""What can be wrong with a decomposition: its texts, its pages, and above all the graph of its references.

`answer` has `steps` (`Step`s), and may have `flags` and a `reason`. Whoever says that the question's answer is
incorrect is at the end of the work: then nothing is asked of the steps but that they can be stored.
"""

from collections.abc import Callable, Iterator

from tasks.strategyqa.decomposition import MOST_STEPS, OPEN_REFERENCE, faults
from tasks.strategyqa.shapes import ANSWER_INCORRECT
from tasks.text import comparable, unwelcome_character

MOST_CHARACTERS = 300
MOST_PAGE_CHARACTERS = 200
MOST_REASON_CHARACTERS = 1_000
# What is read of a text at most: strangers type without end.
READ = 2 * MOST_CHARACTERS


def ends_here(answer) -> bool:
    return ANSWER_INCORRECT in getattr(answer, "flags", ())


def texts_of(answer) -> list[str]:
    """The steps' texts that are ever read: no check works on more."""
    return [step.text[:READ].strip() for step in answer.steps[: 2 * MOST_STEPS]]


def _numbered(answer) -> Iterator[tuple[int, str]]:
    return enumerate(texts_of(answer), 1)


# --- Texts and pages -------------------------------------------------------------------------------


def no_steps(item, answer, context):
    if ends_here(answer) or any(texts_of(answer)):
        return None
    return "Please write the steps that lead to the answer."


def leaves_a_step_empty(item, answer, context):
    if ends_here(answer) or not any(texts_of(answer)):
        return None
    return [
        ("steps", f"Step {number} is empty. Please fill it in or remove it.", number)
        for number, text in _numbered(answer)
        if not text
    ]


def too_many_steps(item, answer, context):
    number = len(answer.steps)
    return f"At most {MOST_STEPS} steps are taken, there are {number}." if number > MOST_STEPS else None


def step_is_too_long(item, answer, context):
    return [
        ("steps", f"Step {number} has {len(step.text):,} characters, at most {MOST_CHARACTERS} are taken.", number)
        for number, step in enumerate(answer.steps[: 2 * MOST_STEPS], 1)
        if len(step.text) > MOST_CHARACTERS
    ]


def page_is_too_long(item, answer, context):
    return [
        ("steps", f"The page of step {number} has more than {MOST_PAGE_CHARACTERS} characters.", number)
        for number, step in enumerate(answer.steps[: 2 * MOST_STEPS], 1)
        if len(step.page) > MOST_PAGE_CHARACTERS
    ]


def leaves_a_reference_open(item, answer, context):
    """Where a step was removed, `#?` stands in the steps that referred to it."""
    if ends_here(answer):
        return None
    return [
        ("steps", f"Step {number} referred to a step that was removed: put another one in place of #?.", number)
        for number, text in _numbered(answer)
        if OPEN_REFERENCE in text
    ]


def repeats_a_step(item, answer, context):
    if ends_here(answer):
        return None
    found, first = [], {}
    for number, text in _numbered(answer):
        form = comparable(text)
        if text and first.setdefault(form, number) != number:
            found.append(("steps", f"Step {number} is the same as step {first[form]}.", number))
    return found


def has_one_step_only(item, answer, context):
    if ends_here(answer) or sum(map(bool, texts_of(answer))) != 1:
        return None
    return "A strategy question needs more than one step."


def names_no_page(item, answer, context):
    """The paper asks for a page so that steps stay feasible; a last step most often only weighs earlier answers."""
    if ends_here(answer):
        return None
    filled = sum(map(bool, texts_of(answer)))
    return [
        ("steps", f"Step {number}: on which page of Wikipedia would its answer be found?", number)
        for number, step in enumerate(answer.steps[: 2 * MOST_STEPS], 1)
        if step.text.strip() and not step.page.strip() and number < filled
    ]


def step_is_no_question(item, answer, context):
    if ends_here(answer):
        return None
    return [
        ("steps", f"Step {number} does not end with a question mark.", number)
        for number, text in _numbered(answer)
        if text and not text.endswith("?")
    ]


def holds_unwelcome_characters(item, answer, context):
    for number, step in enumerate(answer.steps[: 2 * MOST_STEPS], 1):
        if found := unwelcome_character(step.text[:READ] + step.page[:READ]):
            said = f"Step {number} holds a character that can't be stored ({found}). Please type it again."
            return ("steps", said, number)
    return None


# --- The graph -------------------------------------------------------------------------------------

_MESSAGES = {
    "refers_to_itself": "Step {step} refers to itself (#{reference}).",
    "refers_to_no_step": "Step {step} refers to #{reference}, but there is no such step.",
    "refers_to_a_later_step": "Step {step} refers to #{reference}, a later step: change the order or the reference.",
    "runs_in_a_circle": "Step {step} refers to #{reference}, which itself needs step {step}: that runs in a circle.",
    "is_never_used": "No later step uses the answer of step {step}. Write #{step} where it is needed, or remove it.",
}


def _graph_check(name: str) -> Callable:
    """Each kind of fault is a check of its own; it speaks of every step that has it."""

    def check(item, answer, context):
        if ends_here(answer):
            return None
        texts = texts_of(answer)
        return [
            ("steps", _MESSAGES[name].format(step=fault.step, reference=fault.reference), fault.step)
            for fault in faults(texts)
            # An empty step is a fault of its own.
            if fault.name == name and texts[fault.step - 1]
        ]

    check.__name__ = name  # a check bears the name of the fault that it finds
    return check


GRAPH_CHECKS = {name: _graph_check(name) for name in _MESSAGES}


# --- Flags -----------------------------------------------------------------------------------------


def flag_lacks_a_reason(item, answer, context):
    if not answer.flags or answer.reason.strip():
        return None
    return "Please say in a sentence why: the question's writer will read it."


def reason_is_too_long(item, answer, context):
    number = len(answer.reason)
    if number > MOST_REASON_CHARACTERS:
        return f"At most {MOST_REASON_CHARACTERS:,} characters are taken, there are {number:,}."
    return None


def reason_without_a_flag(item, answer, context):
    if answer.flags or not answer.reason.strip():
        return None
    return "You gave a reason, but marked nothing as wrong. Is a mark missing?"
