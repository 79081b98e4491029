"""Reads all that a release says from the database, as of one moment, and lays it down on disk.

One read transaction sees one state of the database while people go on working. Item by item the
lines of `raw/` are written as they are read; only counts and names stay in memory. Nothing here
depends on row ids, collation or the database in use: order is by stage, key and pseudonym.
"""

from __future__ import annotations

import contextlib
import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, Min
from django.utils.text import slugify

from annotation.checking.models import CheckResult
from annotation.events.models import Event
from annotation.hits.models import Answer, Assignment, HITItem
from annotation.hits.queries import timings
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.projects.queries import pipeline_of, task_type_of
from annotation.releases.agreement import Ratings, rated_fields
from annotation.releases.corpora import corpora_of
from annotation.releases.queries import released_stage
from annotation.releases.records import RAW, WITH_SOLVERS
from annotation.releases.spool import Spool
from annotation.review import figures
from annotation.review.models import Outcome, Review
from annotation.review.queries import blind_agreement
from annotation.solving.queries import challenges_that_came_in, rejected_questions, was_challenged
from annotation.trials.report import reports_of
from annotation.workers.models import Worker
from annotation.workers.queries import release_pseudonym
from tasks.base import TRIED, Accepted, Follower, TaskType
from tasks.fields import fields_of

ITEMS_AT_ONCE = 500
# How SQLite reads for us: no file mapped into memory, 4 MB of pages kept.
READ_ONCE = {"mmap_size": 0, "cache_size": -4_000}
# What a release says of one judgement of an accepted item.
SAID = ("worker", "answer", "seconds")
# Where an entry of an answer list names the stored answers that it comes from.
ANSWER_IDS = "from_answers"


@dataclass(frozen=True)
class StageFacts:
    """A stage as it stood, with what its workers read and what checked their answers."""

    name: str
    task_type: str
    title: str
    description: str
    crowd: bool
    review: str
    blind_share: float
    settings: dict
    terms: dict
    corpora: list[dict]
    changes: list[dict]
    checks: list[dict]
    instructions: dict[str, str]
    shapes: dict[str, dict]
    times: dict
    pay: dict
    agreement: dict


@dataclass
class Snapshot:
    """All of a project that its release says. The long lists are on disk."""

    slug: str
    name: str
    pipeline: str
    settings: dict
    contact_people: list[str]
    position: int
    at: datetime
    collected: tuple[date, date] | None
    stages: list[StageFacts]
    funnel: list[dict]
    experts: list[dict]
    accepted: Sequence[Accepted]
    workers: int
    reviewers: int
    counts: dict[str, int] = field(default_factory=dict)
    rejected_by_code: dict[str, int] = field(default_factory=dict)
    excluded_by_phrase: dict[str, int] = field(default_factory=dict)
    ratings: list[Ratings] = field(default_factory=list)
    qualifications: list[dict] = field(default_factory=list)
    rejections: Sequence[dict] = ()


class StoredAccepted(Accepted):
    """An accepted item whose parts are read from disk whenever they are asked for.

    So a pipeline may keep all accepted items at hand, and the memory holds none of their texts.
    """

    def __init__(self, key: str, split: str, parts: Mapping[str, Spool], place: int):
        for name, value in {"key": key, "split": split, "_parts": parts, "_place": place}.items():
            object.__setattr__(self, name, value)

    @property
    def item(self) -> dict:
        return self._parts["item"][self._place]

    @property
    def outcomes(self) -> dict[str, dict]:
        return self._parts["outcomes"][self._place]

    @property
    def judgements(self) -> dict[str, list[dict]]:
        return self._parts["judgements"][self._place]

    @property
    def followers(self) -> dict[str, list[Follower]]:
        stored = self._parts["followers"][self._place]
        return {stage: [Follower(**one) for one in several] for stage, several in stored.items()}


class AcceptedItems(Sequence):
    """The accepted items, in order; their parts lie on disk."""

    def __init__(self, scratch: Path):
        self.parts = {
            name: Spool(scratch / f"{name}.jsonl") for name in ("item", "outcomes", "judgements", "followers")
        }
        self._names: list[tuple[str, str]] = []

    def append(self, item: Accepted) -> None:
        self._names.append((item.key, item.split))
        for name, spool in self.parts.items():
            value = getattr(item, name)
            if name == "followers":
                value = {stage: [asdict(one) for one in several] for stage, several in value.items()}
            spool.append(value)

    def close(self) -> None:
        for spool in self.parts.values():
            spool.close()

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        key, split = self._names[index]
        return StoredAccepted(key, split, self.parts, range(len(self))[index])


@contextlib.contextmanager
def one_state_of_the_database() -> Iterator[None]:
    """A transaction that sees one state from first read to last, and keeps no writer waiting."""
    frozen = _frozen_sqlite if connection.vendor == "sqlite" else _frozen_postgresql
    with frozen(is_outermost=not connection.in_atomic_block):
        yield


@contextlib.contextmanager
def _frozen_postgresql(*, is_outermost: bool) -> Iterator[None]:
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextlib.contextmanager
def _frozen_sqlite(*, is_outermost: bool) -> Iterator[None]:
    """A deferred transaction, where our writing ones lock at once. Each page is read once: no memory is kept for it."""
    with connection.cursor() as cursor:
        before = {name: cursor.execute(f"PRAGMA {name}").fetchone() for name in READ_ONCE}
        for name, value in READ_ONCE.items():
            cursor.execute(f"PRAGMA {name}={value:d}")
        mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode
            for name, found in before.items():
                if found:  # a database in memory has nothing to map
                    cursor.execute(f"PRAGMA {name}={found[0]:d}")


@contextlib.contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Rows of plain values hold no cycles, and looking for some costs a third of the reading."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def take(project: Project, folder: Path, scratch: Path) -> Snapshot:
    """Reads a project into a Snapshot. Lines for people go under `folder/raw`, our own under `scratch`."""
    with one_state_of_the_database():
        project = Project.objects.get(pk=project.pk)
        return _Reader(project, folder, scratch).read()


def position_of(project: Project) -> tuple[int, datetime]:
    """The project's newest event, and when it happened. Building a release changes nothing that it holds."""
    newest = (
        Event.objects.filter(project_id=project.pk)
        .exclude(verb__startswith="release.")
        .order_by("-id")
        .values_list("id", "at")
        .first()
    )
    return newest or (0, project.created_at)


@dataclass
class _Gathered:
    """One item with all that was said of it."""

    id: int
    key: str
    split: str
    payload: dict
    state: str
    reason: str
    origin_id: int | None
    stage_id: int
    outcome: dict | None = None
    judgements: list[dict] = field(default_factory=list)
    reviews: list[dict] = field(default_factory=list)
    attempts: list[dict] = field(default_factory=list)
    rejected_by_expert: bool = False


class _Reader:
    def __init__(self, project: Project, folder: Path, scratch: Path):
        self.project = project
        self.stages = list(project.stages.order_by("position"))
        self.kinds: dict[int, TaskType] = {stage.pk: task_type_of(stage) for stage in self.stages}
        self.names = {stage.pk: stage.name for stage in self.stages}
        self.released, self.released_rejections = released_stage(project).name, pipeline_of(project).released_rejections
        names = RAW | WITH_SOLVERS if was_challenged(project) else RAW
        self.raw = {name: Spool(folder / "raw" / f"{name}.jsonl") for name in names}
        self.accepted = AcceptedItems(scratch)
        self.rejections = Spool(scratch / "rejections.jsonl")
        self.workers = self._workers()
        self.reviewers = self._reviewers()
        self.hit_sizes = self._hit_sizes()
        self.seen_workers: set[str] = set()
        self.seen_reviewers: set[str] = set()
        self.rejected: dict[str, int] = defaultdict(int)
        self.excluded: dict[str, int] = defaultdict(int)
        self.ratings = {
            (stage.pk, name): Ratings(stage.name, name, scratch / f"{stage.name}.{name}.csv")
            for stage in self.stages
            for name in rated_fields(self.kinds[stage.pk])
        }
        self.decisions = {
            stage.pk: Ratings(stage.name, "decision", scratch / f"{stage.name}.decision.csv") for stage in self.stages
        }

    def read(self) -> Snapshot:
        with _no_search_for_cycles():
            self._write_tried()
            for stage in self.stages:
                for items in self._chunks(stage):
                    self._write(stage, items)
        for spool in (*self.raw.values(), self.accepted, self.rejections):
            spool.close()
        ratings = [*self.ratings.values(), *self.decisions.values()]
        for rating in ratings:
            rating.close()
        position, at = position_of(self.project)
        return Snapshot(
            slug=self.project.slug,
            name=self.project.name,
            pipeline=self.project.pipeline,
            settings=self.project.settings,
            contact_people=self._owners(),
            position=position,
            at=at,
            collected=self._collected(),
            stages=[self._facts(stage) for stage in self.stages],
            funnel=[asdict(step) for step in figures.funnel(self.project)],
            experts=_expert_agreement(self.project),
            accepted=self.accepted,
            workers=len(self.seen_workers),
            reviewers=len(self.seen_reviewers),
            counts={name: len(spool) for name, spool in self.raw.items()},
            rejected_by_code=dict(sorted(self.rejected.items())),
            excluded_by_phrase=dict(sorted(self.excluded.items())),
            ratings=[rating for rating in ratings if len(rating)],
            qualifications=_qualifications(self.project),
            rejections=self.rejections,
        )

    # --- Names -------------------------------------------------------------------------------

    def _workers(self) -> dict[int, str]:
        rows = Worker.objects.filter(assignments__hit__project=self.project).distinct().values_list("id", "pseudonym")
        return {pk: release_pseudonym(self.project, pseudonym) for pk, pseudonym in rows}

    def _reviewers(self) -> dict[int, str]:
        """r-1 is who reviewed first."""
        rows = Review.objects.filter(outcome__project=self.project).order_by()
        first = rows.values_list("reviewer").annotate(first=Min("id")).order_by("first")
        return {reviewer: f"r-{number}" for number, (reviewer, _) in enumerate(first, start=1)}

    def _hit_sizes(self) -> dict[int, int]:
        sizes: dict[int, int] = defaultdict(int)
        rows = HITItem.objects.filter(hit__project=self.project).order_by().values_list("hit_id", flat=True)
        for hit in rows.iterator(chunk_size=5_000):
            sizes[hit] += 1
        return sizes

    def _owners(self) -> list[str]:
        """Names that people gave for themselves; account names may be addresses and stay out."""
        owners = Membership.objects.filter(project=self.project, role=Membership.Role.OWNER).select_related("user")
        return sorted(name for owner in owners if (name := owner.user.get_full_name().strip()) and "@" not in name)

    # --- Items -------------------------------------------------------------------------------

    def _chunks(self, stage: Stage) -> Iterator[list[_Gathered]]:
        """A stage's items by key, a few hundred at a time. Sorted here: databases collate differently."""
        states = [Item.State.ACCEPTED, Item.State.REJECTED, Item.State.EXCLUDED]
        rows = Item.objects.filter(stage=stage, state__in=states).order_by().values_list("key", "id")
        ids = [pk for _, pk in sorted(rows.iterator(chunk_size=5_000))]
        for start in range(0, len(ids), ITEMS_AT_ONCE):
            yield self._gather(ids[start : start + ITEMS_AT_ONCE])

    def _gather(self, ids: list[int]) -> list[_Gathered]:
        rows = Item.objects.filter(pk__in=ids).values_list(
            "id", "key", "split", "payload", "state", "reason", "origin_id", "stage_id"
        )
        items = {row[0]: _Gathered(*row) for row in rows}
        self._add_outcomes(items)
        self._add_judgements(items)
        if "attempts" in self.raw:
            self._add_attempts(items)
        return [items[pk] for pk in ids]

    def _add_outcomes(self, items: dict[int, _Gathered]) -> None:
        names = ("id", "item_id", "value", "final", "agreement", "is_disputed", "contributors", "reason", "state")
        by_outcome = {}
        for row in Outcome.objects.filter(item_id__in=list(items)).order_by().values_list(*names):
            item = by_outcome[row[0]] = items[row[1]]
            item.outcome = dict(zip(names[2:], row[2:], strict=True))
        reviews = Review.objects.filter(outcome_id__in=list(by_outcome), undone_at=None).order_by("id")
        fields = ("outcome_id", "reviewer_id", "decision", "reason", "operations", "value", "is_blind", "seconds")
        for outcome, reviewer, *values in reviews.values_list(*fields):
            review = dict(zip(fields[2:], values, strict=True)) | {"reviewer": self.reviewers[reviewer]}
            by_outcome[outcome].reviews.append(review)

    def _add_judgements(self, items: dict[int, _Gathered]) -> None:
        findings = self._findings(items)
        rows = Answer.objects.filter(item_id__in=list(items), counts=True).order_by()
        rows = rows.values_list(
            "id",
            "item_id",
            "data",
            "assignment_id",
            "assignment__worker_id",
            "assignment__seconds_spent",
            "assignment__hit_id",
            "assignment__hit__reward_cents",
            "assignment__corpus_digest",
        )
        for pk, item, data, assignment, worker, seconds, hit, reward, corpus in rows:
            items[item].judgements.append(
                ({"corpus": corpus} if corpus else {})
                | {
                    "id": pk,
                    "worker": self.workers[worker],
                    "answer": data,
                    "seconds": seconds,
                    "items_in_hit": self.hit_sizes[hit],
                    "reward_cents": reward,
                    "findings": findings.get((assignment, item), []),
                }
            )
        for item in items.values():
            item.judgements.sort(key=lambda judgement: (judgement["worker"], judgement["id"]))

    def _add_attempts(self, items: dict[int, _Gathered]) -> None:
        tries: dict[tuple[int, str], int] = defaultdict(int)
        for challenge in challenges_that_came_in(list(items)):
            worker = self.workers[challenge.assignment.worker_id]
            tries[challenge.item_id, worker] += 1
            items[challenge.item_id].attempts += [
                {
                    "worker": worker,
                    "try": tries[challenge.item_id, worker],
                    "text": challenge.text,
                    "right": challenge.right,
                    "verdict": challenge.state,
                    "is_handed_in": challenge.is_handed_in,
                    "solver": attempt.solver,
                    "version": attempt.version,
                    "answer": attempt.answer,
                    "score": attempt.score,
                    "is_right": attempt.is_right,
                }
                for attempt in sorted(challenge.attempts.all(), key=lambda each: each.solver)
            ]

    def _findings(self, items: dict[int, _Gathered]) -> dict[tuple[int, int], list[dict]]:
        findings = defaultdict(list)
        rows = CheckResult.objects.filter(item_id__in=list(items), source=CheckResult.Source.GATE).order_by()
        names = ("check", "version", "level", "field")
        columns = ("check_name", "version", "level", "field")
        for assignment, item, *values in rows.values_list("assignment_id", "item_id", *columns):
            findings[assignment, item].append(dict(zip(names, values, strict=True)))
        for found in findings.values():
            found.sort(key=lambda finding: (finding["check"], finding["version"], finding["field"]))
        return findings

    def _write_tried(self) -> None:
        """What writers tried and changed because the solvers answered it, where the pipeline releases rejections."""
        if not self.released_rejections:
            return
        for tried in rejected_questions(self.project, stage=self.released_rejections):
            if not tried.is_handed_in:
                self.rejections.append(
                    {
                        "key": tried.key,
                        "split": tried.split,
                        "item": tried.payload,
                        "value": {"text": tried.text, "right": tried.right},
                        "code": TRIED,
                        "judgements": [{"worker": release_pseudonym(self.project, tried.worker)}],
                    }
                )

    # --- Lines -------------------------------------------------------------------------------

    def _write(self, stage: Stage, items: list[_Gathered]) -> None:
        for item in items:
            if item.state == Item.State.EXCLUDED:
                self._write_excluded(stage, item)
            else:
                self._write_judged(stage, item)
        if stage.name == self.released:
            accepted = [item for item in items if item.state == Item.State.ACCEPTED and item.outcome]
            followers = self._followers(accepted)
            for item, lineage in zip(accepted, self._lineages(accepted), strict=True):
                self._write_accepted(item, lineage, followers.get(item.id, {}))

    def _write_excluded(self, stage: Stage, item: _Gathered) -> None:
        for phrase in item.reason.split("|"):
            self.excluded[phrase] += 1
        self.raw["excluded"].append(
            {
                "item": item.key,
                "split": item.split,
                "stage": stage.name,
                "payload": item.payload,
                "phrase": item.reason,
            }
        )

    def _write_judged(self, stage: Stage, item: _Gathered) -> None:
        where = {"item": item.key, "split": item.split, "stage": stage.name}
        for attempt in item.attempts:
            self.raw["attempts"].append({**where, **attempt})
        givers = {judgement["id"]: judgement["worker"] for judgement in item.judgements}
        credit = [name for name, kind in fields_of(self.kinds[stage.pk].Outcome).items() if kind.lists_answers]
        for judgement in item.judgements:
            self.seen_workers.add(judgement["worker"])
            self.raw["judgements"].append({**where, **{k: v for k, v in judgement.items() if k != "id"}})
        for review in item.reviews:
            self.seen_reviewers.add(review["reviewer"])
            self.raw["reviews"].append({**where, **review, "value": _credited(review["value"], credit, givers)})
        self._rate(stage, item)
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
            self.raw["outcomes"].append(
                {
                    **shared,
                    "final": _credited(item.outcome["final"], credit, givers),
                    "is_disputed": item.outcome["is_disputed"],
                    "workers": sorted(contributors),
                }
            )

    def _write_rejected(self, item: _Gathered, shared: dict) -> None:
        said_no = any(r["decision"] == Review.Decision.REJECT and not r["is_blind"] for r in item.reviews)
        reason = item.reason or (item.outcome or {}).get("reason", "")
        code = reason_code(reason)
        self.rejected[code] += 1
        self.raw["rejected"].append({**shared, "by": "expert" if said_no else "rule", "code": code, "reason": reason})
        if item.outcome and shared["stage"] == self.released_rejections:
            self.rejections.append(
                {
                    "key": item.key,
                    "split": item.split,
                    "item": item.payload,
                    "value": item.outcome["final"],
                    "code": code,
                    "judgements": [{name: given[name] for name in SAID} for given in item.judgements],
                }
            )

    def _rate(self, stage: Stage, item: _Gathered) -> None:
        for name in rated_fields(self.kinds[stage.pk]):
            self.ratings[stage.pk, name].add(
                item.key, [(judgement["worker"], judgement["answer"].get(name)) for judgement in item.judgements]
            )
        self.decisions[stage.pk].add(item.key, [(review["reviewer"], review["decision"]) for review in item.reviews])

    def _lineages(self, items: list[_Gathered]) -> list[list[_Gathered]]:
        """For each item: itself, the item it was promoted from, and so on up to the source item."""
        lineages = [[item] for item in items]
        while origins := {line[-1].origin_id for line in lineages if line[-1].origin_id}:
            item_of = dict(Outcome.objects.filter(pk__in=list(origins)).order_by().values_list("pk", "item_id"))
            found = {item.id: item for item in self._gather(sorted(set(item_of.values())))}
            grown = [line for line in lineages if line[-1].origin_id in item_of]
            if not grown:
                break
            for line in grown:
                line.append(found[item_of[line[-1].origin_id]])
        return lineages

    def _followers(self, items: list[_Gathered]) -> dict[int, dict[str, list[Follower]]]:
        """What later stages made of these items, by item and stage. Only where a stage before the last is released."""
        if self.released == self.stages[-1].name:
            return {}
        origins = dict(
            Outcome.objects.filter(item_id__in=[item.id for item in items]).order_by().values_list("pk", "item_id")
        )
        ids = Item.objects.filter(origin_id__in=list(origins)).order_by().values_list("pk", flat=True)
        found: dict[int, dict[str, list[Follower]]] = defaultdict(lambda: defaultdict(list))
        for follower in sorted(self._gather(list(ids)), key=lambda one: (one.stage_id, one.key)):
            name = self.names[follower.stage_id]
            found[origins[follower.origin_id]][name].append(self._follower(follower))
        return found

    def _follower(self, item: _Gathered) -> Follower:
        is_accepted = item.state == Item.State.ACCEPTED and item.outcome
        said = ("reviewer", "decision", "value", "is_blind")
        return Follower(
            key=item.key,
            outcome=item.outcome["final"] if is_accepted else None,
            judgements=[{name: given[name] for name in SAID} for given in item.judgements],
            reviews=[{name: review[name] for name in said} for review in item.reviews],
        )

    def _write_accepted(self, item: _Gathered, lineage: list[_Gathered], followers: dict[str, list[Follower]]) -> None:
        self.accepted.append(
            Accepted(
                key=item.key,
                split=item.split,
                item=lineage[-1].payload,
                outcomes={self.names[step.stage_id]: step.outcome["final"] for step in lineage},
                judgements={
                    self.names[step.stage_id]: [{name: given[name] for name in SAID} for given in step.judgements]
                    for step in lineage
                },
                followers=followers,
            )
        )

    # --- Facts -------------------------------------------------------------------------------

    def _facts(self, stage: Stage) -> StageFacts:
        kind = self.kinds[stage.pk]
        times = timings(stage)
        return StageFacts(
            name=stage.name,
            task_type=stage.task_type,
            title=kind.title,
            description=kind.description,
            crowd=stage.crowd,
            review=stage.review,
            blind_share=stage.blind_share,
            settings=kind.Settings.model_validate(stage.settings).model_dump(mode="json"),
            terms={name: getattr(stage, name) for name in TERMS},
            corpora=corpora_of(stage),
            changes=self._changes(stage),
            checks=_checks(kind) + self._past_checks(stage, kind),
            instructions=_instructions(kind),
            shapes={name: getattr(kind, name.title()).model_json_schema() for name in ("item", "answer", "outcome")},
            times={"assignments": times.count, "seconds_a_hit": times.seconds_quartiles},
            pay=asdict(figures.hourly_pay(self.project, stage)),
            agreement=asdict(figures.agreement(stage)),
        )

    def _changes(self, stage: Stage) -> list[dict]:
        """What was changed in the stage's settings while it ran, by the day."""
        rows = Event.objects.filter(project_id=self.project.pk, verb="stage.changed", subject=f"stage:{stage.pk}")
        return [
            {"on": at.date().isoformat(), "changed": data.get("changed", {})}
            for at, data in rows.order_by("id").values_list("at", "data")
        ]

    def _past_checks(self, stage: Stage, kind: TaskType) -> list[dict]:
        """Versions that stored findings name and the code no longer has."""
        now = {(check.name, check.version) for check in kind.checks}
        rows = CheckResult.objects.filter(item__stage=stage, source=CheckResult.Source.GATE).order_by()
        then = set(rows.values_list("check_name", "version", "level").distinct())
        return [
            {"name": name, "version": version, "level": level, "past": True}
            for name, version, level in sorted(then)
            if (name, version) not in now
        ]

    def _collected(self) -> tuple[date, date] | None:
        work = Assignment.objects.filter(hit__project=self.project, hit__trial_of=None, submitted_at__isnull=False)
        span = work.aggregate(first=Min("submitted_at"), last=Max("submitted_at"))
        return (span["first"].date(), span["last"].date()) if span["first"] else None


TERMS = (
    "reward_cents",
    "answers_per_item",
    "items_per_hit",
    "minutes_allowed",
    "lifetime_days",
    "auto_approval_hours",
    "requirements",
)


def _qualifications(project: Project) -> list[dict]:
    """What came of the project's qualification tests: counts, and nobody's name."""
    reports = [report.as_dict() for report in reports_of(project)]
    return [{name: value for name, value in report.items() if name != "graders"} for report in reports]


def _expert_agreement(project: Project) -> list[dict]:
    """How far two experts agree who decided on the same outcomes, one of them blindly."""
    found = blind_agreement(project)
    measured = [
        ("decisions of two experts", "share of equal ones", found.decisions),
        ("decisions of two experts", "Cohen's kappa", found.decisions_kappa),
        ("answers kept by two experts", "share of equal ones", found.answers),
        ("answers kept by two experts", "Cohen's kappa", found.answers_kappa),
    ]
    return [
        {"stage": "", "field": what, "measure": measure, **interval._asdict()}
        for what, measure, interval in measured
        if interval.n
    ]


def _checks(kind: TaskType) -> list[dict]:
    return [
        {"name": check.name, "version": check.version, "level": check.level, "past": False} for check in kind.checks
    ]


def _instructions(kind: TaskType) -> dict[str, str]:
    names = ("form.html", "examples.jsonl")
    return {name: (kind.folder / name).read_text("utf-8") for name in names if (kind.folder / name).exists()}


def reason_code(reason: str) -> str:
    """A short name to count by: what stands before the colon ("too_open: …"), or the reason's own words."""
    code, colon, _ = reason.partition(":")
    words = code if colon and " " not in code else reason
    return slugify(words)[:60].strip("-_") or "no-reason-given"


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
