"""Lays down on disk what was gathered: the lines under `raw/`, the ratings, the accepted items; and counts them.

Asks no database. What is written of an item is a matter of that item and of its stage's task type alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from django.utils.text import slugify

from annotation.projects.models import Item
from annotation.releases.accepted import AcceptedItems
from annotation.releases.agreement import Ratings, rated_fields
from annotation.releases.gathering import Gathered
from annotation.releases.records import RAW, WITH_SOLVERS
from annotation.releases.spool import Spool
from annotation.review.board import code_of
from annotation.review.models import Review
from annotation.solving.queries import RejectedQuestion
from tasks.base import TAKEN_FROM, TRIED, Accepted, Follower, TaskType
from tasks.fields import fields_of

# What a release says of one judgement of an accepted item.
SAID = ("worker", "answer", "seconds")
# Where an entry of an answer list names the stored answers that it comes from.
ANSWER_IDS = "from_answers"


class LineWriter:
    """Writes the lines of one release. `kinds`: each stage's task type, by the stage's name."""

    def __init__(
        self,
        folder: Path,
        scratch: Path,
        kinds: Mapping[str, TaskType],
        *,
        released_rejections: str = "",
        with_solvers: bool = False,
    ):
        self._kinds, self._released_rejections = kinds, released_rejections
        names = RAW | WITH_SOLVERS if with_solvers else RAW
        self._raw = {name: Spool(folder / "raw" / f"{name}.jsonl") for name in names}
        self.accepted = AcceptedItems(scratch)
        self.rejections = Spool(scratch / "rejections.jsonl")
        self._workers: set[str] = set()
        self._reviewers: set[str] = set()
        self._rejected: dict[str, int] = defaultdict(int)
        self._excluded: dict[str, int] = defaultdict(int)
        self._ratings = {
            (stage, name): Ratings(stage, name, scratch / f"{stage}.{name}.csv")
            for stage, kind in kinds.items()
            for name in rated_fields(kind)
        }
        self._decisions = {stage: Ratings(stage, "decision", scratch / f"{stage}.decision.csv") for stage in kinds}

    def close(self) -> None:
        """No more lines come; what there is can be read."""
        for spool in (*self._raw.values(), self.accepted, self.rejections):
            spool.close()
        for rating in (*self._ratings.values(), *self._decisions.values()):
            rating.close()

    # --- Counts ------------------------------------------------------------------------------

    @property
    def counts(self) -> dict[str, int]:
        """Lines by file."""
        return {name: len(spool) for name, spool in self._raw.items()}

    @property
    def workers(self) -> int:
        return len(self._workers)

    @property
    def reviewers(self) -> int:
        return len(self._reviewers)

    @property
    def rejected_by_code(self) -> dict[str, int]:
        return dict(sorted(self._rejected.items()))

    @property
    def excluded_by_phrase(self) -> dict[str, int]:
        return dict(sorted(self._excluded.items()))

    @property
    def ratings(self) -> list[Ratings]:
        """Those that hold any."""
        return [rating for rating in (*self._ratings.values(), *self._decisions.values()) if len(rating)]

    # --- Lines -------------------------------------------------------------------------------

    def write(self, item: Gathered) -> None:
        """The lines of an item that is excluded, rejected or accepted."""
        if item.state == Item.State.EXCLUDED:
            self._write_excluded(item)
        else:
            self._write_judged(item)

    def _write_excluded(self, item: Gathered) -> None:
        for phrase in item.reason.split("|"):
            self._excluded[phrase] += 1
        self._raw["excluded"].append(
            {
                "item": item.key,
                "split": item.split,
                "stage": item.stage,
                "payload": item.payload,
                "phrase": item.reason,
            }
        )

    def _write_judged(self, item: Gathered) -> None:
        where = {"item": item.key, "split": item.split, "stage": item.stage}
        for attempt in item.attempts:
            self._raw["attempts"].append({**where, **attempt})
        givers = {judgement["id"]: judgement["worker"] for judgement in item.judgements}
        credit = [name for name, kind in fields_of(self._kinds[item.stage].Outcome).items() if kind.lists_answers]
        for judgement in item.judgements:
            self._workers.add(judgement["worker"])
            self._raw["judgements"].append({**where, **{k: v for k, v in judgement.items() if k != "id"}})
        for review in item.reviews:
            self._reviewers.add(review["reviewer"])
            self._raw["reviews"].append({**where, **review, "value": _credited(review["value"], credit, givers)})
        self._rate(item)
        shared = {
            **where,
            "payload": item.payload,
            "agreement": _rounded(item.outcome["agreement"]) if item.outcome else None,
            "value": _credited(item.outcome["value"], credit, givers) if item.outcome else None,
            "reviewers": list(dict.fromkeys(r["reviewer"] for r in item.reviews if not r["is_blind"])),
        }
        if item.state == Item.State.REJECTED:
            self._write_rejected(item, shared)
        elif item.outcome:
            contributors = {givers[pk] for pk in item.outcome["contributors"] if pk in givers}
            self._raw["outcomes"].append(
                {
                    **shared,
                    "final": _credited(item.outcome["final"], credit, givers),
                    "is_disputed": item.outcome["is_disputed"],
                    "workers": sorted(contributors),
                }
            )

    def _write_rejected(self, item: Gathered, shared: dict) -> None:
        said_no = any(r["decision"] == Review.Decision.REJECT and not r["is_blind"] for r in item.reviews)
        reason = item.reason or (item.outcome or {}).get("reason", "")
        code = reason_code(reason)
        self._rejected[code] += 1
        self._raw["rejected"].append({**shared, "by": "expert" if said_no else "rule", "code": code, "reason": reason})
        if item.outcome and item.stage == self._released_rejections:
            self.rejections.append(
                {
                    "key": item.key,
                    "split": item.split,
                    "item": item.payload,
                    "value": item.outcome["final"],
                    "code": code,
                    "judgements": _said(item),
                }
            )

    def write_tried(self, question: RejectedQuestion, payload: dict) -> None:
        """What a writer tried and changed, among the rejections that the pipeline releases. `payload`: the item's."""
        self.rejections.append(
            {
                "key": question.key,
                "split": question.split,
                "item": payload,
                "value": {"text": question.text, "right": question.right},
                "code": TRIED,
                "judgements": [{"worker": question.worker}],
            }
        )

    def _rate(self, item: Gathered) -> None:
        for name in rated_fields(self._kinds[item.stage]):
            self._ratings[item.stage, name].add(
                item.key, [(judgement["worker"], judgement["answer"].get(name)) for judgement in item.judgements]
            )
        self._decisions[item.stage].add(item.key, [(review["reviewer"], review["decision"]) for review in item.reviews])

    # --- Accepted items ----------------------------------------------------------------------

    def write_accepted(self, lineage: list[Gathered], followers: list[Gathered]) -> None:
        """An item of the released stage, as `accepted_of` takes it."""
        self.accepted.append(accepted_of(lineage, followers))


def accepted_of(lineage: list[Gathered], followers: list[Gathered]) -> Accepted:
    """An item of the released stage as pipelines see it. `lineage`: itself, then what it was made of.

    `followers`: what came of it in later stages.
    """
    after: dict[str, list[Follower]] = defaultdict(list)
    for follower in followers:
        after[follower.stage].append(_follower(follower))
    return Accepted(
        key=lineage[0].key,
        split=lineage[0].split,
        item=lineage[-1].payload,
        outcomes={step.stage: step.outcome["final"] for step in lineage},
        judgements={step.stage: _said(step) for step in lineage},
        followers=after,
    )


def _follower(item: Gathered) -> Follower:
    is_accepted = item.state == Item.State.ACCEPTED and item.outcome
    said = ("reviewer", "decision", "value", "is_blind")
    return Follower(
        key=item.key,
        outcome=item.outcome["final"] if is_accepted else None,
        judgements=_said(item),
        reviews=[{name: review[name] for name in said} for review in item.reviews],
    )


def _said(item: Gathered) -> list[dict]:
    """Who said what of an item; of several whose words were not all taken, whose were."""
    named = item.outcome["details"].get(TAKEN_FROM, ()) if item.outcome else ()
    taken = {given["id"] for given in item.judgements}.intersection(named)
    return [
        {name: given[name] for name in SAID} | ({"is_taken": given["id"] in taken} if taken else {})
        for given in item.judgements
    ]


def reason_code(reason: str) -> str:
    """A short name to count by, fit for a file: what the board counts by, in small letters and digits."""
    return slugify(code_of(reason))[:60].strip("-_") or "no-reason-given"


def _credited(value: dict, fields: list[str], givers: dict[int, str]) -> dict:
    """The value with workers' pseudonyms where its answer lists name stored answers by their ids."""
    if not fields:
        return value
    return value | {name: [_credit(entry, givers) for entry in value[name]] for name in fields if value.get(name)}


def _credit(entry: dict, givers: dict[int, str]) -> dict:
    kept = {name: part for name, part in entry.items() if name != ANSWER_IDS}
    return kept | {"workers": sorted({givers[pk] for pk in entry.get(ANSWER_IDS, []) if pk in givers})}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
