"""The shapes that every dataset is made of: TaskType, Check, Finding, StagePlan, Pipeline.

A TaskType is a kind of question to a worker. A Pipeline is the declared order of task types of one
dataset, with its ways in (`read`, `screen`), between stages (`promote`) and out (`release_rows`,
`statistics`). Both are classes with plain values in and out; nothing here knows of tables or pages.
"""

import json
import random
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from tasks.fields import Field, fields_of
from tasks.solvers.policy import Policy, Puzzle

Level = Literal["block", "warn", "note"]


class Shape(BaseModel):
    """Base of item, answer, outcome and settings shapes. Unknown keys are refused: they are typing errors."""

    model_config = ConfigDict(extra="forbid")


# --- Checks ---------------------------------------------------------------------------------------


class Context(dict):
    """What checks asked for under `needs`, gathered by the caller: `context["language"]`, …"""


@dataclass(frozen=True)
class Finding:
    """What one check says of one answer. `field` is where the page shows it; empty means the whole item.

    `part`: which entry of the field it concerns, counted from 1; 0 means the field as a whole. `may_wait`: what it
    misses is still to come while somebody types.
    """

    check: str
    level: Level
    message: str
    field: str = ""
    version: int = 1
    part: int = 0
    may_wait: bool = False


# What a check's function may say: a message, with its field and the part of it where they depend on the answer.
Message = str | tuple[str, str] | tuple[str, str, int]


@dataclass(frozen=True)
class Check:
    """A pure function over (item, answer, context) that returns a message for the worker, or None.

    The function bears the name of the fault that it finds (`copies_the_question`); that name is the
    check's name in examples, results and releases. `block` sends a submission back, `warn` asks for
    one confirmation, `note` only informs. `version` goes up when the verdict may change. A message
    may be a (field, message) pair where the field depends on the answer, and (field, message, part)
    where it concerns one of the field's entries; a list of messages is one finding each. `may_wait`: what
    it misses is usually still to come, and until somebody hands in the page says it without alarm.
    """

    function: Callable[[Any, Any, Context], Message | list[Message] | None]
    level: Level
    field: str = ""
    needs: tuple[str, ...] = ()
    live: bool = True
    version: int = 1
    may_wait: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    def run(self, item: BaseModel, answer: BaseModel, context: Context) -> list[Finding]:
        said = self.function(item, answer, context)
        return [self._finding(each) for each in (said if isinstance(said, list) else [said]) if each]

    def _finding(self, said: Message) -> Finding:
        where, message, *part = said if isinstance(said, tuple) else (self.field, said)
        return Finding(self.name, self.level, message, where, self.version, part[0] if part else 0, self.may_wait)


def run_checks(
    checks: Iterable[Check], item: BaseModel, answer: BaseModel, context: Context | None = None
) -> list[Finding]:
    """The findings of all checks, in their declared order. One caller for live check, gate and re-check alike."""
    gathered = context if context is not None else Context()
    return [finding for check in checks for finding in check.run(item, answer, gathered)]


# --- Task types -----------------------------------------------------------------------------------


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


# --- Ways in --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadOption:
    """What a reader of source files may be told besides the file. `choices`: value and label; empty: free text."""

    name: str
    label: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()


SPLIT_OPTION = ReadOption("split", "Split", "Only where the file’s name does not say it: train, dev or test.")


@dataclass(frozen=True)
class SourceItem:
    """An item as a source file gives it. `key` is stable across imports; `split` is where it is released.

    `from_answers`: the stored answers that a promoted item was made of; their workers never get it.
    """

    key: str
    payload: dict
    split: str = ""
    from_answers: tuple[int, ...] = ()


@dataclass(frozen=True)
class SourceProblem:
    """Why a line of a source file can't be taken. `line` counts from 1; 0 means the file as a whole."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}" if self.line else f"{self.file}: {self.reason}"


@dataclass(frozen=True)
class Screened:
    """An item of a file with why it is excluded before any HIT (`reason` empty: it is not). `id` is the file's own."""

    id: str
    key: str
    reason: str


# --- Pipelines ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StagePlan:
    """One stage of a pipeline: a task type, who does it, and how its outcomes are reviewed.

    `review`: every outcome goes to an expert ("all"), only disputed ones ("disputed"), or none.
    `blind_share`: part of the outcomes that a second expert decides without seeing the first decision.
    """

    name: str
    task_type: str
    crowd: bool = True
    review: Literal["all", "disputed", "none"] = "all"
    blind_share: float = 0.1
    overrides: dict = field(default_factory=dict)


Effect = Literal["drop", "author", "expert", "again", "keep"]


@dataclass(frozen=True)
class FeedbackRule:
    """What happens to an earlier item when later workers object to it.

    `drop`: it falls, with all that came of it; `author`: its workers get it back, with the reason; `again`: others
    do it anew; `expert`: it waits for an expert, with the reason; `keep`: it stays as it is, and the record
    tells. `share`: the part of the later item's workers who must say the same. `tries`: how often one thing may be
    sent back, before it is dropped instead.
    """

    effect: Effect = "keep"
    share: float = 0.5
    tries: int = 1


@dataclass(frozen=True)
class Follower:
    """An item of a later stage that was promoted from an accepted one: what became of it.

    `outcome` is None while it is not accepted. `reviews`: `{"reviewer", "decision", "value", "is_blind"}`.
    """

    key: str
    outcome: dict | None
    judgements: list[dict] = field(default_factory=list)
    reviews: list[dict] = field(default_factory=list)


@dataclass(frozen=True)
class Accepted:
    """An accepted item on its way into a release: what came in, what the experts made of it, who said what.

    `outcomes` and `judgements` are by stage name; `judgements[stage]` is a list of
    `{"worker", "answer", …}` with release pseudonyms, each with `is_taken` where the outcome says which of them it was
    taken from. `followers`, by stage name, are the items of stages after the released one that were made of it.
    """

    key: str
    split: str
    item: dict
    outcomes: dict[str, dict]
    judgements: dict[str, list[dict]] = field(default_factory=dict)
    followers: dict[str, list[Follower]] = field(default_factory=dict)


# The code of what a writer tried, and changed because the solvers in the loop answered it.
TRIED = "tried"


@dataclass(frozen=True)
class Rejected:
    """A rejected item on its way into a release: `value` is what its answers added up to, `code` the reason's name.

    Where the code is `TRIED`, nothing was handed in: `value` is `{"text", "right"}`, what the solvers were asked.
    """

    key: str
    split: str
    item: dict
    value: dict
    code: str
    judgements: list[dict] = field(default_factory=list)


class ReleaseProblem(ValueError):
    """Why no rows can be made of what was accepted, in words: the release is refused."""


@dataclass(frozen=True)
class Figure:
    """One number of a release's statistics: value with its interval, count and method, in a table's cell."""

    table: str
    row: str
    column: str
    value: float | int | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    method: str = ""


class Pipeline:
    """The declared order of task types of one dataset, with its ways in, between and out.

    One class in `tasks/<dataset>/pipeline.py`; `name` is the folder's name. `Settings` are the
    project's choices where the paper leaves one, each with a default.
    """

    name: ClassVar[str] = ""
    folder: ClassVar[Path]
    title: ClassVar[str]
    description: ClassVar[str]
    Settings: ClassVar[type[BaseModel]] = Shape
    Row: ClassVar[type[BaseModel]]
    stages: ClassVar[list[StagePlan]]
    # Whether `replacement` says what is offered where an item of the first stage fell.
    replaces_fallen: ClassVar[bool] = False
    # The stage whose accepted items are released; empty: the last one.
    released: ClassVar[str] = ""
    # The stage whose rejected items are released, too, as `rejected_rows` says; empty: none.
    released_rejections: ClassVar[str] = ""
    # What `read` takes as `options`, for the import page and command.
    read_options: ClassVar[tuple[ReadOption, ...]] = ()
    # For the dataset card: where the source texts come from and under which licence.
    licence: ClassVar[str] = ""
    sources: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    # Of the texts, as codes of BCP 47, and of the task, as the Hugging Face Hub names it.
    languages: ClassVar[list[str]] = ["en"]
    task_categories: ClassVar[list[str]] = ["question-answering"]

    def read(self, path: Path, options: Mapping[str, str]) -> Iterator[SourceItem | SourceProblem]:
        """Items of the first stage from a source file, or the reasons why a line is none."""
        raise TypeError(f"{self.name} does not say how its source files are read")

    def spread(self, source: SourceItem, settings: BaseModel) -> list[SourceItem]:
        """The items of the first stage that one item of a source file makes: itself, or several to be done."""
        return [source]

    def screen(self, payload: dict, settings: BaseModel) -> str:
        """Why an item is excluded before any HIT (empty: it is not)."""
        return ""

    def screen_file(self, path: Path, settings: BaseModel) -> Iterator[Screened | SourceProblem]:
        """Every item of a file with why it is excluded: the filter alone, without a project."""
        for found in self.read(path, {}):
            if isinstance(found, SourceProblem):
                yield found
            else:
                yield Screened(found.key, found.key, self.screen(found.payload, settings))

    def promote(
        self, stage: str, key: str, item: dict, outcome: dict, settings: BaseModel, *, split: str = ""
    ) -> list[tuple[str, SourceItem]]:
        """What an accepted outcome of `stage` becomes in later stages: (stage name, item) pairs."""
        return []

    def keeps_authors_away(self, settings: BaseModel) -> bool:
        """Whether who had a hand in an item is kept from those that are made of it in later stages."""
        return False

    def on_feedback(self, kind: str, settings: BaseModel) -> FeedbackRule:
        """What feedback of this kind does."""
        return FeedbackRule()

    def replacement(self, fallen: SourceItem, taken: Collection[str], settings: BaseModel) -> SourceItem | None:
        """The item to offer instead of one of the first stage that fell, under a key that is not `taken`.

        `taken` are the keys of all items that were ever offered for the same thing, by `family`. None: no other one.
        """
        return None

    def family(self, item: SourceItem) -> str:
        """What the keys of items for the same thing begin with ("Cactus/" of "Cactus/3"); empty: it is alone."""
        return ""

    def split_rule(self, settings: BaseModel) -> str:
        """How rows get their splits, in sentences for the release's documents."""
        return "Items keep the split of their source."

    def held_back(self, accepted: Iterable[Accepted], settings: BaseModel) -> str:
        """Why accepted items make no row yet, in words for the researcher; empty: each makes one."""
        return ""

    def release_rows(self, accepted: Iterable[Accepted], settings: BaseModel) -> dict[str, list[dict]]:
        """Rows in the dataset's published format, by split, in a stable order. Raises `ReleaseProblem`."""
        raise TypeError(f"{self.name} does not say what it releases")

    def rejected_rows(
        self, rejected: Iterable[Rejected], accepted: Iterable[Accepted], settings: BaseModel
    ) -> dict[str, list[dict]]:
        """Rows, by split, of the rejected items of the stage `released_rejections`."""
        return {}

    def cited(self, rows: Mapping[str, list[dict]]) -> set[str]:
        """The ids of the corpus's paragraphs that rows cite, where their texts are released beside them."""
        return set()

    def published_paragraphs(self, paragraphs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """These paragraphs, by id, in the dataset's own files. Each has id, title, section, headers, number, text."""
        return {}

    def published_files(self, rows: Mapping[str, list[dict]]) -> dict[str, Any]:
        """The same rows in the dataset's own files, by name, where those are no JSON Lines: each one JSON value."""
        return {}

    def statistics(self, rows: Mapping[str, list[dict]], accepted: list[Accepted], settings: BaseModel) -> list[Figure]:
        """The paper's tables over a release's rows."""
        return []

    @property
    def released_stage(self) -> str:
        return self.released or self.stages[-1].name

    def stage(self, name: str) -> StagePlan:
        for plan in self.stages:
            if plan.name == name:
                return plan
        raise LookupError(f"{self.name} has no stage {name!r}; it has {', '.join(plan.name for plan in self.stages)}")


# --- Scoring --------------------------------------------------------------------------------------


class ScoringProblem(ValueError):
    """Why predictions can't be scored, in words: which file, what was expected, what was found."""


class Scorer:
    """How predictions for a dataset are scored against its released rows. One class in `tasks/<dataset>/scoring.py`.

    `name` is the folder's name.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str]
    example: ClassVar[str] = ""

    def add_options(self, parser: ArgumentParser) -> None:
        """Options of this dataset's command line beside `--gold` and `--predictions`."""

    def score(self, gold: Path, predictions: Path, **options: Any) -> dict:
        """The scores, with their intervals and counts, as one JSON value. Raises `ScoringProblem`."""
        raise TypeError(f"{self.name} does not say how predictions are scored")

    def told(self, result: Mapping[str, Any]) -> str:
        """The same for people, a line a figure."""
        return "\n".join(f"{name}: {value}" for name, value in result.items())


def problems_of(error: ValidationError) -> str:
    """A pydantic error in one readable line: `category: Input should be '1' or '2' (found 'x'); …`."""
    parts = []
    for fault in error.errors(include_url=False):
        place = ".".join(str(step) for step in fault["loc"]) or "value"
        found = repr(fault.get("input"))
        parts.append(f"{place}: {fault['msg']} (found {found[:60]})")
    return "; ".join(parts)
