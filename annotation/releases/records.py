"""The shapes of the lines under `raw/`, published as JSON Schema beside them."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FindingRecord(Record):
    """What a check said of an answer when it was submitted."""

    check: str
    field: str = Field(description="the part of the answer that it concerns; empty: all of it")
    level: Literal["block", "warn", "note"]
    version: int


class JudgementRecord(Record):
    """One worker's answer to one item, as given."""

    answer: dict[str, Any] = Field(description="see schema/<stage>.answer.json")
    corpus: str = Field(
        "", description="digest of the corpus that the page searched (manifest: corpora); left out: none"
    )
    findings: list[FindingRecord]
    item: str
    items_in_hit: int = Field(description="items that were answered together on one page")
    reward_cents: int = Field(description="for the whole page")
    seconds: int | None = Field(description="for the whole page, from opening to handing over")
    split: str
    stage: str
    worker: str = Field(description="pseudonym, the same within this project only", pattern=r"^w-[a-z2-7]+$")


class ReviewRecord(Record):
    """An expert's decision on what the answers to an item add up to."""

    decision: str
    is_blind: bool = Field(description="made without sight of the first decision; never changes the outcome")
    item: str
    operations: list[Any]
    reason: str
    reviewer: str = Field(description="pseudonym", pattern=r"^r-[0-9]+$")
    seconds: int | None
    split: str
    stage: str
    value: dict[str, Any]


class OutcomeRecord(Record):
    """What an accepted item's answers add up to (`value`), and what stands after review (`final`), with credit."""

    agreement: float | None
    final: dict[str, Any]
    is_disputed: bool
    item: str
    payload: dict[str, Any] = Field(description="what workers were asked about; see schema/<stage>.item.json")
    reviewers: list[str]
    split: str
    stage: str
    value: dict[str, Any]
    workers: list[str] = Field(description="whose answers it was made of")


class RejectedRecord(Record):
    """An item that was answered and dropped."""

    agreement: float | None
    by: Literal["rule", "expert"]
    code: str = Field(description="the reason as a short name, to count by")
    item: str
    payload: dict[str, Any]
    reason: str
    reviewers: list[str]
    split: str
    stage: str
    value: dict[str, Any] | None


class ExcludedRecord(Record):
    """An item that the pipeline's filter excluded before any worker saw it."""

    item: str
    payload: dict[str, Any]
    phrase: str = Field(description="what excluded it; several are parted by |")
    split: str
    stage: str


class AttemptRecord(Record):
    """What one solver answered to one question that a worker put to it, handed in or only tried."""

    answer: str = Field(description="empty: it had nothing to go by")
    is_handed_in: bool = Field(description="the question that the worker handed in; else one tried before")
    is_right: bool
    item: str
    right: str = Field(description="the right answer, which solvers are not told")
    score: float
    solver: str = Field(description="its group and its name")
    split: str
    stage: str
    text: str
    try_: int = Field(alias="try", description="counts the questions of this worker for this item, from 1")
    verdict: Literal["holds", "solved"] = Field(description="what all solvers together made of the question")
    version: str = Field(description="the solver's training, and how many questions it had learnt since")
    worker: str = Field(pattern=r"^w-[a-z2-7]+$")


RAW: dict[str, type[Record]] = {
    "judgements": JudgementRecord,
    "reviews": ReviewRecord,
    "outcomes": OutcomeRecord,
    "rejected": RejectedRecord,
    "excluded": ExcludedRecord,
}
# Beside them where solvers were asked.
WITH_SOLVERS: dict[str, type[Record]] = {"attempts": AttemptRecord}
