"""Pipelines: the declared order of task types of a dataset, with what goes in, between stages, and out."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from tasks.shape import Shape
from tasks.sources import ReadOption, Screened, SourceItem, SourceProblem


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
