"""What can be wrong with a direct answer, and with what an expert makes of several.

Levels. `block`: the submission can't be used as it stands, and putting it right takes one word: nothing
answered, no category, or an answer that contradicts its category (the paper tells workers to enter
"don't know" with the fifth category and "?" with the sixth; a contradiction could be read either
way). `warn`: probably a slip, yet the worker may be right, so one confirmation is asked for.
"""

from functools import lru_cache

from tasks.arc_da.direct_answer.answers import (
    DONT_KNOW,
    FEWEST_AND_MOST,
    is_dont_know,
    is_no_answer,
    is_question_mark,
    is_wordy,
    short_version,
)
from tasks.text import comparable, content_words, in_short, question_sentence, unwelcome_character, words

MOST_ANSWERS = 10
# The wordiest answer of the published dataset has 50 words.
MANY_WORDS, MOST_WORDS = 20, 100
MOST_CHARACTERS = 1_000
COPIED_RUN = 5


def texts_of(answer) -> list[str]:
    """The answers that hold anything, cut to what is ever read: no check works on more."""
    return [text[: 2 * MOST_CHARACTERS] for text in answer.answers[: 5 * MOST_ANSWERS] if text.strip()]


# --- The worker's answer ---------------------------------------------------------------------------


def nothing_answered(item, answer, context):
    if texts_of(answer):
        return None
    if answer.category == "unknown":
        return 'Please enter "don\'t know" as the answer.'
    if answer.category == "nonsense":
        return 'Please enter "?" as the answer.'
    return 'Please enter an answer. If you are unsure, enter "don\'t know"; if it makes no sense, enter "?".'


def no_category(item, answer, context):
    return None if answer.category else "Please choose which of the six statements fits this question."


def disagrees_with_category(item, answer, context):
    texts = texts_of(answer)
    if not texts or not answer.category:
        return None
    if answer.category == "unknown":
        told = 'You chose "I don\'t know the answer": enter "don\'t know" alone, or choose another statement.'
        return None if all(is_dont_know(text) for text in texts) else ("answers", told)
    if answer.category == "nonsense":
        told = 'You chose "doesn\'t make sense": enter "?" alone, or choose another statement.'
        return None if all(is_question_mark(text) for text in texts) else ("answers", told)
    if all(is_no_answer(text) for text in texts):
        return "category", f'"{texts[0]}" is no answer: choose the statement that says so, or enter an answer.'
    if any(is_no_answer(text) for text in texts):
        return "answers", '"don\'t know" and "?" stand alone: remove them, or remove the other answers.'
    return None


def _different(texts: list[str]) -> int:
    return len({comparable(text) for text in texts})


def more_answers_than_announced(item, answer, context):
    most = FEWEST_AND_MOST.get(answer.category, (0, MOST_ANSWERS))[1]
    texts = texts_of(answer)
    number = _different(texts)
    if not most < number <= MOST_ANSWERS or all(map(is_no_answer, texts)):
        return None
    if most == 1:
        return f"You say there is a single answer and entered {number}. Is it one answer in different words?"
    return f"Two or three examples are enough; you entered {number}."


def fewer_answers_than_announced(item, answer, context):
    fewest = FEWEST_AND_MOST.get(answer.category, (0, 0))[0]
    texts = texts_of(answer)
    number = _different(texts)
    if not number or number >= fewest or all(map(is_no_answer, texts)):
        return None
    return "You say there is more than one answer. Please enter two or three of them."


def copies_the_question(item, answer, context):
    """A run of the question's words, or the whole question sentence, stands in an answer."""
    runs, sentence = _runs_of(item.question)
    for text in texts_of(answer):
        said = words(text)
        if any(run in runs for run in _runs(said)):
            return f'"{in_short(text)}" repeats a part of the question. Please enter the answer only.'
        if sentence and said == sentence:
            return "This is the question itself. Please enter the answer."
    return None


def _runs(said: list[str]) -> list[tuple[str, ...]]:
    return [tuple(said[start : start + COPIED_RUN]) for start in range(len(said) - COPIED_RUN + 1)]


@lru_cache(maxsize=512)
def _runs_of(question: str) -> tuple[frozenset[tuple[str, ...]], list[str]]:
    """A question's runs of words, and its last sentence: the same for all who answer it."""
    return frozenset(_runs(words(question))), words(question_sentence(question))


def repeats_an_answer(item, answer, context):
    seen = set()
    for text in texts_of(answer):
        if (form := comparable(text)) in seen:
            return f'You entered "{in_short(text)}" twice.'
        seen.add(form)
    return None


def answer_is_long(item, answer, context):
    for text in texts_of(answer):
        if MANY_WORDS < len(text.split()) <= MOST_WORDS:
            return f'"{in_short(text)}" is long. Could you say it in a few words? A phrase is enough.'
    return None


def answer_is_too_long(item, answer, context):
    for text in texts_of(answer):
        if len(text.split()) > MOST_WORDS or len(text) > MOST_CHARACTERS:
            return (
                f'"{in_short(text)}" is too long: at most {MOST_WORDS} words and {MOST_CHARACTERS:,} characters '
                "are taken for one answer."
            )
    return None


def too_many_answers(item, answer, context):
    number = len(answer.answers)
    return f"At most {MOST_ANSWERS} answers are taken, you entered {number}." if number > MOST_ANSWERS else None


def holds_unwelcome_characters(item, answer, context):
    for text in texts_of(answer):
        if found := unwelcome_character(text):
            return f"An answer holds a character that can't be stored ({found}). Please type it again."
    return None


def is_an_option_letter(item, answer, context):
    """A lone letter looks copied from the exam; the question is asked without options."""
    for text in texts_of(answer):
        if len(text.strip(" .)(")) == 1 and text.strip(" .)(") in "ABCDE":
            return f'"{text.strip()}" looks like the letter of an option. Please enter the answer in words.'
    return None


# --- The expert's outcome --------------------------------------------------------------------------

REVIEW_MARKS = frozenset({"REMOVE", "REMOVED", "DELETE", "DELETED", "WRONG", "BAD", "TODO", "TBD", "FIXME", "XXX"})


def question_is_empty(item, outcome, context):
    return None if outcome.question.strip() else "The question has no words left."


def lacks_question_mark(item, outcome, context):
    """A reworded question should end as one; ARC's own wording is only remarked on (`stands_unfinished`)."""
    question = outcome.question.strip()
    if not question or question.endswith("?") or question == item.question.strip():
        return None
    return "The reworded question does not end with a question mark."


def stands_unfinished(item, outcome, context):
    question = outcome.question.strip()
    if question.endswith("?") or question != item.question.strip():
        return None
    return "The question does not end with a question mark. Does it stand alone, or should it be reworded?"


def no_answers_left(item, outcome, context):
    return None if any(answer.text.strip() for answer in outcome.answers) else "No answer is left: reject, or add one."


def holds_a_review_mark(item, outcome, context):
    """Three questions of the published dataset have the answer "REMOVE": a mark that someone typed."""
    for answer in outcome.answers:
        if answer.text.strip(" .!*[]()") in REVIEW_MARKS:
            return f'"{answer.text.strip()}" reads like a mark. To take an answer out, remove it; don\'t rename it.'
    return None


def holds_no_answer(item, outcome, context):
    for answer in outcome.answers:
        if is_question_mark(answer.text) or comparable(answer.text) in DONT_KNOW:
            return f'"{answer.text}" is no answer to a question.'
    return None


def lists_an_answer_twice(item, outcome, context):
    seen = set()
    for answer in outcome.answers:
        if (form := comparable(answer.text)) in seen:
            return f'"{in_short(answer.text)}" stands there twice, but for case, articles or a full stop.'
        seen.add(form)
    return None


def lacks_a_short_version(item, outcome, context):
    """A wordy answer should have one beside it with only the salient terms (paper, review step 4)."""
    contents = [(answer.text, content_words(answer.text)) for answer in outcome.answers]
    for text, content in contents:
        if not is_wordy(text):
            continue
        has_short = any(other and other < content and not is_wordy(short) for short, other in contents)
        if not has_short:
            suggestion = short_version(text)
            return f'"{in_short(text)}" is wordy. Add a short version{f": {suggestion}" if suggestion else ""}?'
    return None
