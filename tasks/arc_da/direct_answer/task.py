"""The direct-answer HIT: a multiple-choice question without its options, answered in the worker's own words."""

import textwrap
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pydantic

from tasks.aggregation.answers import Given, Merged, merged
from tasks.aggregation.overlap import agreeing_pairs, shared_words
from tasks.aggregation.votes import counted
from tasks.arc_da.direct_answer import checks as faults
from tasks.arc_da.direct_answer.answers import KINDS, OPTIONS, is_no_answer, is_wordy, short_version
from tasks.base import QUESTION_REASONS, Aggregate, Check, Judgement, Shape, StageDefaults, TaskType
from tasks.fields import AnswerList, Chips, Choice, Text
from tasks.text import STOP_WORDS, comparable, content_words


class Option(Shape):
    """An option of the multiple-choice original."""

    label: str
    text: str


class Item(Shape):
    """A multiple-choice question of ARC. Options and key are for the experts; workers never see them."""

    question: str
    choices: list[Option] = []
    answer_key: str = ""

    @property
    def key_text(self) -> str:
        """The text of the right option; empty where the key names none."""
        return next((option.text for option in self.choices if option.label == self.answer_key), "")


class Answer(Shape):
    """What one worker says of one question.

    A file may also give the answers as the one text that the paper's workers typed ("dog; cat"), and the
    category by its number in the paper.
    """

    answers: Annotated[
        list[str],
        Chips(
            separator=";",
            label="Your answer",
            hint="Short phrases or a sentence. If you see more than one answer, enter two or three, parted by “;”.",
        ),
    ] = []
    category: Annotated[
        Literal["", "single", "wordings", "several", "many", "unknown", "nonsense"],
        Choice(options=OPTIONS, label="Which of these fits the question?"),
    ] = ""

    @pydantic.field_validator("answers", mode="before")
    @classmethod
    def parted(cls, value: Any) -> Any:
        return Chips().parse([value]) if isinstance(value, str) else value

    @pydantic.field_validator("category", mode="before")
    @classmethod
    def by_number(cls, value: Any) -> Any:
        numbers = {str(number): option for number, (option, _) in enumerate(OPTIONS, 1)}
        return numbers.get(str(value), value) if isinstance(value, int | str) else value


class ListedAnswer(Shape):
    """An answer of the outcome: its text, which stored answers it comes from, and who brought it in."""

    text: str
    from_answers: list[int] = []
    origin: Literal["worker", "key", "reviewer"] = "worker"


class Outcome(Shape):
    """What an expert sees and edits: the question's wording and the list of its answers."""

    question: Annotated[str, Text(lines=4, label="Question", hint="Reword it where it can't stand alone.")]
    answers: Annotated[list[ListedAnswer], AnswerList(label="Answers")]


class Settings(Shape):
    """The choices that the paper leaves open in its second filter."""

    fewest_workers: int = pydantic.Field(
        2, ge=1, le=100, description="Workers who must have given an answer; otherwise the question is too open."
    )
    different_workers: bool = pydantic.Field(
        True, description="The two answers that share a word must come from two workers; otherwise one will do."
    )
    stemming: bool = pydantic.Field(
        True, description='Words share their stems, so that "gravity" and "gravitational force" overlap.'
    )
    stop_words: list[str] = pydantic.Field(
        sorted(STOP_WORDS), description="Words that do not count as shared, in lower case."
    )
    merge_near_identical: bool = pydantic.Field(
        True,
        description="Answers that differ only in case, articles or signs at their ends are listed as one, under the "
        "text that most workers gave; otherwise each text stands for itself.",
    )
    settled_from: float = pydantic.Field(
        0.5, ge=0, le=1, description="Agreement from which an outcome counts as settled rather than disputed."
    )


class DirectAnswer(TaskType):
    title = "Answer science questions in your own words"
    description = (
        "Write down one or more short answers to each of a few science questions, and say whether the question "
        "has one, several or many answers."
    )
    keywords = "question answering, science, writing, short answers"
    reasons = {
        "too_open": "Too open: there are too many right answers",
        "not_alone": "Can’t stand alone: it needs its options or a picture",
        "no_right_answer": "No right answer among those given",
    } | QUESTION_REASONS
    Item = Item
    Answer = Answer
    Outcome = Outcome
    Settings = Settings
    checks = [
        Check(faults.nothing_answered, "block", "answers"),
        Check(faults.no_category, "block", "category"),
        Check(faults.disagrees_with_category, "block", "answers"),
        Check(faults.too_many_answers, "block", "answers"),
        Check(faults.answer_is_too_long, "block", "answers"),
        Check(faults.holds_unwelcome_characters, "block", "answers"),
        Check(faults.more_answers_than_announced, "warn", "answers"),
        Check(faults.fewer_answers_than_announced, "warn", "answers"),
        Check(faults.copies_the_question, "warn", "answers"),
        Check(faults.repeats_an_answer, "warn", "answers"),
        Check(faults.answer_is_long, "warn", "answers"),
        Check(faults.is_an_option_letter, "warn", "answers"),
    ]
    review_checks = [
        Check(faults.question_is_empty, "block", "question"),
        Check(faults.no_answers_left, "block", "answers"),
        Check(faults.lacks_question_mark, "warn", "question"),
        Check(faults.holds_a_review_mark, "warn", "answers"),
        Check(faults.holds_no_answer, "warn", "answers"),
        Check(faults.lacks_a_short_version, "note", "answers"),
        Check(faults.lists_an_answer_twice, "note", "answers"),
        Check(faults.stands_unfinished, "note", "question"),
    ]
    # Five questions a HIT and five workers a question (paper); the rest is unsaid: a dollar for five minutes.
    defaults = StageDefaults(
        reward_cents=100, answers_per_item=5, items_per_hit=5, minutes_allowed=60, expected_seconds_per_item=60
    )

    def label(self, item: Item) -> str:
        return textwrap.shorten(item.question, 100, placeholder="…")

    def shown_to_workers(self, item: Item) -> dict:
        return {"question": item.question}

    def aggregate(self, item: Item, judgements: list[Judgement], settings: Settings) -> Aggregate:
        """The paper's second filter, then the list of answers for the expert.

        A question stays if enough workers gave an answer and two answers (of two workers) share a
        non-stop word. Agreement is the share of all pairs of workers who gave answers with a shared word and
        call the question one of the same kind (one, several or many answers); a worker who
        gave no answer agrees with nobody.

        Two choices of the paper are made here: what a worker parted by ";" are several answers, before words are
        compared; and categories count in the agreement alone, no question stays or goes by them.
        """
        said = _Said.by_worker(judgements, settings)
        agreeing, pairs = agreeing_pairs((person.words, frozenset(person.kinds)) for person in said)
        agreement = agreeing / pairs if pairs else None
        if settings.different_workers:
            shared = shared_words(person.words for person in said)
        else:
            shared = shared_words(words for person in said for words in person.contents)
        given = [Given(text, judgement.key) for judgement in judgements for text in _texts(judgement)]
        groups = merged(given, form=comparable if settings.merge_near_identical else str)
        value = Outcome(question=item.question, answers=_listed(item, groups)).model_dump()
        details = {
            "workers": len(said),
            "workers_with_answers": sum(1 for person in said if person.contents),
            "agreeing_pairs": agreeing,
            "pairs": pairs,
            "shared_words": sorted(shared),
        } | _for_the_expert(judgements, groups)
        if reason := _too_open(details["workers_with_answers"], bool(shared), settings):
            return Aggregate("rejected", value, agreement, f"too_open: {reason}", details)
        is_settled = agreement is not None and agreement >= settings.settled_from
        return Aggregate("settled" if is_settled else "disputed", value, agreement, "", details)


@dataclass
class _Said:
    """All that one worker says of a question: content words, per answer and together, and kinds of question."""

    contents: list[frozenset[str]] = field(default_factory=list)
    words: frozenset[str] = frozenset()
    kinds: set[str] = field(default_factory=set)

    @classmethod
    def by_worker(cls, judgements: list[Judgement], settings: Settings) -> list["_Said"]:
        people: dict[str, _Said] = defaultdict(cls)
        stop_words = frozenset(settings.stop_words)
        for judgement in judgements:
            person = people[judgement.worker]
            for text in _texts(judgement):
                content = content_words(text, stop_words=stop_words, stemming=settings.stemming)
                person.contents.append(content)
                person.words |= content
            person.kinds.add(KINDS.get(judgement.answer.category, ""))
        return list(people.values())


def _texts(judgement: Judgement) -> list[str]:
    """The real answers of a judgement: without "don't know", "?" and blanks."""
    return [text.strip() for text in judgement.answer.answers if text.strip() and not is_no_answer(text)]


def _for_the_expert(judgements: list[Judgement], groups: list[Merged]) -> dict:
    """What stands beside the answers on the review page: votes, raw wordings, no-answers, short versions."""
    no_answers = sorted(
        Given(text.strip(), j.key) for j in judgements for text in j.answer.answers if is_no_answer(text)
    )
    return {
        "votes": counted((judgement.answer.category for judgement in judgements), [value for value, _ in OPTIONS]),
        "no_answers": [{"text": given.text, "from_answer": given.key} for given in no_answers],
        "variants": {
            group.text: [{"text": given.text, "from_answer": given.key} for given in group.given]
            for group in groups
            if len({given.text for given in group.given}) > 1
        },
        "short_versions": {
            group.text: short for group in groups if is_wordy(group.text) and (short := short_version(group.text))
        },
    }


def _too_open(workers: int, is_shared: bool, settings: Settings) -> str:
    """Why the question is too open, in words; empty where it is not."""
    if workers < settings.fewest_workers:
        people = "1 worker" if workers == 1 else f"{workers} workers"
        return f"answers from {people}, at least {settings.fewest_workers} are needed"
    if not is_shared:
        whose = "of different workers " if settings.different_workers else ""
        return f"no two answers {whose}share a word"
    return ""


def _listed(item: Item, groups: list[Merged]) -> list[ListedAnswer]:
    """The workers' answers, and the key of the original, which the release keeps too."""
    listed = [ListedAnswer(text=group.text, from_answers=group.keys) for group in groups]
    if not item.key_text:
        return listed
    for answer in listed:
        if answer.text == item.key_text:
            answer.origin = "key"
            return listed
    return [*listed, ListedAnswer(text=item.key_text, origin="key")]
