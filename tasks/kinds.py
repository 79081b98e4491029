"""Task types: kinds of questions to a worker, with what their answers add up to and what they say of earlier work."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from tasks.checking import Check
from tasks.fields import Field, fields_of
from tasks.shape import Shape
from tasks.solvers.policy import Policy, Puzzle


@dataclass(frozen=True)
class Judgement:
    """One worker's answer to one item, as aggregation sees it: who, by pseudonym, and what.

    `solvers` is what the solvers in the loop made of it: "holds", "solved", or "" where none were asked.
    """

    worker: str
    answer: Any
    key: int = 0
    solvers: Literal["holds", "solved", ""] = ""


# In `Aggregate.details`.
TAKEN_FROM = "taken_from"


@dataclass(frozen=True)
class Aggregate:
    """What an item's judgements add up to.

    `settled`: they agree, ready to be accepted; `disputed`: an expert must look; `rejected`: a rule of
    the pipeline drops the item, with `reason`. `value` has the task type's Outcome shape. `agreement`
    is between 0 and 1, or None when it can't be told; the expert's queue is ordered by it, least first.
    `more_answers`: nothing is decided yet; the item is offered again for so many further answers.
    `details`: what else experts are told; under `TAKEN_FROM`, where some of the judgements alone made the value, their
    keys.
    """

    state: Literal["settled", "disputed", "rejected"]
    value: dict
    agreement: float | None = None
    reason: str = ""
    details: dict = field(default_factory=dict)
    more_answers: int = 0


@dataclass(frozen=True)
class Said:
    """What one answer of a later stage says of the work of an earlier one: "the answer is wrong".

    `kind`: a name that the pipeline has a rule for ("answer_incorrect"). `about`: the task type of the earlier stage
    ("strategyqa.question"); empty: the stage that the item comes from. `step`: which part is meant, counted
    from 1 (0: the whole). `answer`: the `key` of the judgement that says so.
    """

    kind: str
    about: str = ""
    reason: str = ""
    step: int = 0
    answer: int = 0


@dataclass(frozen=True)
class Suggestion:
    """A text that a page offers while somebody types, and what kind of text it is ("noun phrase")."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Example:
    """A line of `examples.jsonl`: the worker's preview, the contract test, the demo and the documentation.

    `finding` names the check that must object; without it the answer is a good one. `shown`: part of
    the instructions that workers read, under `title`, with `note` beside it.
    """

    item: dict
    answer: dict
    finding: str = ""
    title: str = ""
    note: str = ""
    shown: bool = False


@dataclass(frozen=True)
class StageDefaults:
    """What a new Stage of this task type starts with; all of it can be changed per project without code."""

    reward_cents: int = 50
    answers_per_item: int = 5
    items_per_hit: int = 5
    minutes_allowed: int = 60
    expected_seconds_per_item: int = 60
    lifetime_days: int = 14
    auto_approval_hours: int = 72


@dataclass(frozen=True)
class Criterion:
    """One question of a rubric, by which graders read a qualification test. `levels`: what 0, 1, 2 … points mean."""

    name: str
    question: str
    levels: tuple[str, ...] = ("no", "in part", "yes")

    @property
    def most(self) -> int:
        return len(self.levels) - 1


# For every task type that brings no rubric of its own.
USUAL_RUBRIC = (
    Criterion(
        "right",
        "Are the answers right?",
        ("several are wrong", "one is wrong, or right in part only", "all are right"),
    ),
    Criterion(
        "follows_instructions",
        "Does the worker do what the instructions ask?",
        ("misses the point of the task", "overlooks a rule or two", "does what they ask"),
    ),
    Criterion(
        "care",
        "Is it written with care, in words that others can use?",
        ("careless or copied", "usable after some editing", "usable as it is"),
    ),
)


# What an expert may reject for, by the code that is kept. For every task type that names no reasons of its own.
USUAL_REASONS = {
    "wrong": "Wrong: it doesn’t hold",
    "faulty": "Unclear or faulty",
}
# For those whose outcome is a question.
QUESTION_REASONS = {
    "unclear": "Unclear, faulty or outdated question",
    "unsuitable": "Unsuitable: private, offensive or no question at all",
}


class TaskType:
    """A kind of question to a worker. One class in `tasks/<dataset>/<task type>/task.py`.

    Subclasses set the class attributes and `aggregate`; `name` and `folder` are given by the registry
    from where the class lies. Every field of `Answer` has a default, so that a half-typed draft is an
    Answer too: what is missing is said by checks.
    """

    name: ClassVar[str] = ""
    folder: ClassVar[Path]
    title: ClassVar[str]
    description: ClassVar[str]
    keywords: ClassVar[str] = ""
    Item: ClassVar[type[BaseModel]]
    Answer: ClassVar[type[BaseModel]]
    Outcome: ClassVar[type[BaseModel]]
    Settings: ClassVar[type[BaseModel]] = Shape
    checks: ClassVar[list[Check]] = []
    review_checks: ClassVar[list[Check]] = []
    defaults: ClassVar[StageDefaults] = StageDefaults()
    # The field of the item whose value `draw` chooses when the item is first offered; empty: none.
    draws: ClassVar[str] = ""
    # By what graders read a qualification test in this form.
    rubric: ClassVar[tuple[Criterion, ...]] = USUAL_RUBRIC
    # Why experts reject what it gave, by code; the same code means the same in every task type.
    reasons: ClassVar[Mapping[str, str]] = USUAL_REASONS
    # What `prepare` works out once per item before anybody opens it, with its version ("phrases/1"); empty: nothing.
    prepares: ClassVar[str] = ""
    # Whether its page searches the project's corpus; its answers then carry which corpus that was.
    searches_corpus: ClassVar[bool] = False
    # The item's field that gets the texts of `paragraphs_of` from the project's corpus when the item comes into
    # being, by id, each with title, section and text; empty: none.
    quotes: ClassVar[str] = ""

    def aggregate(self, item: BaseModel, judgements: list[Judgement], settings: BaseModel) -> Aggregate:
        """What the judgements add up to. Must not depend on their order."""
        raise TypeError(f"{self.name} does not say how its answers add up")

    def feedback(self, item: BaseModel, judgements: list[Judgement]) -> list[Said]:
        """What the judgements say of earlier stages' work, one entry an answer and kind. The pipeline rules on it."""
        return []

    def paragraphs_of(self, item: BaseModel) -> list[str]:
        """The ids of the corpus's paragraphs that an item quotes."""
        return []

    def label(self, item: BaseModel) -> str:
        """One line that names an item in lists."""
        raise TypeError(f"{self.name} does not say how its items are named")

    def facts(self, item: BaseModel) -> dict[str, str]:
        """An item in readable parts, by their names, as experts see it. Empty: its fields as they are."""
        return {}

    def shown_to_workers(self, item: BaseModel) -> dict:
        """The part of an item that may leave the server: never a key or an expected answer."""
        return item.model_dump()

    def answer_from_form(self, form: Mapping[str, list[str]]) -> BaseModel:
        """An Answer from a plain form's fields. Raises pydantic's ValidationError where a value has the wrong shape."""
        return self.Answer.model_validate({name: kind.parse(form.get(name, [])) for name, kind in self.fields.items()})

    def draw(self, item: BaseModel, so_far: Mapping[str, int], rng: random.Random) -> BaseModel | None:
        """The item with its field `draws` chosen, or None where it stays as it is. Called once, before any worker.

        `so_far`: how often each value stands in the items of the stage that were offered and did not fall.
        """
        return None

    def puzzle(self, item: BaseModel, answer: BaseModel) -> Puzzle | None:
        """What the solvers in the loop are asked about an answer; None: nothing (yet)."""
        return None

    def policy(self, settings: BaseModel) -> Policy | None:
        """Which solvers are asked and when an answer is rejected for them; None: no solvers in this stage."""
        return None

    def written(self, answer: BaseModel) -> str:
        """The text of an answer that no other answer of the project should nearly repeat; empty: none."""
        return ""

    def most_accepted(self, settings: BaseModel) -> int:
        """How many of a worker's answers a stage takes, rejected ones not counted; 0: any number."""
        return 0

    def prepare(self, item: BaseModel, read: Callable[[str], Any] | None) -> dict:
        """What `suggest` needs of an item, as JSON. `read`: from text to a language pipeline's Doc; None: no model."""
        raise TypeError(f"{self.name} prepares nothing")

    def suggest(
        self, item: BaseModel, prepared: dict, field: str, typed: str, asked: Mapping[str, str]
    ) -> list[Suggestion]:
        """What a field offers for what is typed so far, best first. `asked`: what else the page's widget tells."""
        return []

    @property
    def fields(self) -> dict[str, Field]:
        return fields_of(self.Answer)

    def examples(self) -> list[Example]:
        path = self.folder / "examples.jsonl"
        return [Example(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
