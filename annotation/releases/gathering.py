"""Reads a project's items with all that was said of them, a few hundred at a time. Writes nothing.

Order is by stage, key and pseudonym: no row id, collation or database has a say in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from django.db.models import Min

from annotation.checking.models import CheckResult
from annotation.hits.models import Answer, HITItem
from annotation.projects.models import Item, Project, Stage
from annotation.review.models import Outcome, Review
from annotation.review.queries import standing_decisions
from annotation.solving.queries import (
    RejectedQuestion,
    challenges_that_came_in,
    rejected_questions,
    was_challenged,
)
from annotation.workers.models import Worker
from annotation.workers.queries import release_pseudonym

ITEMS_AT_ONCE = 500
OUTCOME_PARTS = ("value", "final", "agreement", "is_disputed", "contributors", "details", "reason", "state")


@dataclass
class Gathered:
    """One item with all that was said of it."""

    id: int
    key: str
    split: str
    payload: dict
    state: str
    reason: str
    origin_id: int | None
    stage: str
    outcome: dict | None = None
    judgements: list[dict] = field(default_factory=list)
    reviews: list[dict] = field(default_factory=list)
    attempts: list[dict] = field(default_factory=list)


class Gatherer:
    """A project's items, as one state of the database has them. People appear under their releases' pseudonyms."""

    def __init__(self, project: Project):
        self.project = project
        self.stages = list(project.stages.order_by("position"))
        self.was_challenged = was_challenged(project)
        self._stage_names = {stage.pk: stage.name for stage in self.stages}
        self._workers = self._named_workers()
        self._reviewers = self._named_reviewers()
        self._hit_sizes = self._sized_hits()

    # --- Names -------------------------------------------------------------------------------

    def _named_workers(self) -> dict[int, str]:
        rows = Worker.objects.filter(assignments__hit__project=self.project).distinct().values_list("id", "pseudonym")
        return {pk: release_pseudonym(self.project, pseudonym) for pk, pseudonym in rows}

    def _named_reviewers(self) -> dict[int, str]:
        """r-1 is who reviewed first."""
        rows = Review.objects.filter(outcome__project=self.project).order_by()
        first = rows.values_list("reviewer").annotate(first=Min("id")).order_by("first")
        return {reviewer: f"r-{number}" for number, (reviewer, _) in enumerate(first, start=1)}

    def _sized_hits(self) -> dict[int, int]:
        sizes: dict[int, int] = defaultdict(int)
        rows = HITItem.objects.filter(hit__project=self.project).order_by().values_list("hit_id", flat=True)
        for hit in rows.iterator(chunk_size=5_000):
            sizes[hit] += 1
        return sizes

    # --- Items -------------------------------------------------------------------------------

    def chunks(self, stage: Stage) -> Iterator[list[Gathered]]:
        """A stage's items by key, a few hundred at a time. Sorted here: databases collate differently."""
        states = [Item.State.ACCEPTED, Item.State.REJECTED, Item.State.EXCLUDED]
        rows = Item.objects.filter(stage=stage, state__in=states).order_by().values_list("key", "id")
        ids = [pk for _, pk in sorted(rows.iterator(chunk_size=5_000))]
        for start in range(0, len(ids), ITEMS_AT_ONCE):
            yield self.gather(ids[start : start + ITEMS_AT_ONCE])

    def gather(self, ids: list[int]) -> list[Gathered]:
        """These items, in this order."""
        rows = Item.objects.filter(pk__in=ids).values_list(
            "id", "key", "split", "payload", "state", "reason", "origin_id", "stage_id"
        )
        items = {row[0]: Gathered(*row[:-1], self._stage_names[row[-1]]) for row in rows}
        self._add_outcomes(items)
        self._add_judgements(items)
        if self.was_challenged:
            self._add_attempts(items)
        return [items[pk] for pk in ids]

    def _add_outcomes(self, items: dict[int, Gathered]) -> None:
        names = ("id", "item_id", *OUTCOME_PARTS)
        by_outcome = {}
        for row in Outcome.objects.filter(item_id__in=list(items)).order_by().values_list(*names):
            item = by_outcome[row[0]] = items[row[1]]
            item.outcome = dict(zip(names[2:], row[2:], strict=True))
        reviews = standing_decisions().filter(outcome_id__in=list(by_outcome)).order_by("id")
        fields = ("outcome_id", "reviewer_id", "decision", "reason", "operations", "value", "is_blind", "seconds")
        for outcome, reviewer, *values in reviews.values_list(*fields):
            review = dict(zip(fields[2:], values, strict=True)) | {"reviewer": self._reviewers[reviewer]}
            by_outcome[outcome].reviews.append(review)

    def _add_judgements(self, items: dict[int, Gathered]) -> None:
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
                    "worker": self._workers[worker],
                    "answer": data,
                    "seconds": seconds,
                    "items_in_hit": self._hit_sizes[hit],
                    "reward_cents": reward,
                    "findings": findings.get((assignment, item), []),
                }
            )
        for item in items.values():
            item.judgements.sort(key=lambda judgement: (judgement["worker"], judgement["id"]))

    def _add_attempts(self, items: dict[int, Gathered]) -> None:
        tries: dict[tuple[int, str], int] = defaultdict(int)
        for challenge in challenges_that_came_in(list(items)):
            worker = self._workers[challenge.assignment.worker_id]
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

    def _findings(self, items: dict[int, Gathered]) -> dict[tuple[int, int], list[dict]]:
        findings = defaultdict(list)
        rows = CheckResult.objects.filter(item_id__in=list(items), source=CheckResult.Source.GATE).order_by()
        names = ("check", "version", "level", "field")
        columns = ("check_name", "version", "level", "field")
        for assignment, item, *values in rows.values_list("assignment_id", "item_id", *columns):
            findings[assignment, item].append(dict(zip(names, values, strict=True)))
        for found in findings.values():
            found.sort(key=lambda finding: (finding["check"], finding["version"], finding["field"]))
        return findings

    # --- What came before and after ----------------------------------------------------------

    def _lineages(self, items: list[Gathered]) -> list[list[Gathered]]:
        """For each item: itself, the item it was promoted from, and so on up to the source item."""
        lineages = [[item] for item in items]
        while origins := {line[-1].origin_id for line in lineages if line[-1].origin_id}:
            item_of = dict(Outcome.objects.filter(pk__in=list(origins)).order_by().values_list("pk", "item_id"))
            found = {item.id: item for item in self.gather(sorted(set(item_of.values())))}
            grown = [line for line in lineages if line[-1].origin_id in item_of]
            if not grown:
                break
            for line in grown:
                line.append(found[item_of[line[-1].origin_id]])
        return lineages

    def with_lineages(self, items: list[Gathered]) -> Iterator[tuple[list[Gathered], list[Gathered]]]:
        """The accepted ones of these items of the released stage: what each was made of, and what came of it."""
        accepted = [item for item in items if item.state == Item.State.ACCEPTED and item.outcome]
        followers = self._followers(accepted)
        for lineage in self._lineages(accepted):
            yield lineage, followers.get(lineage[0].id, [])

    def _followers(self, items: list[Gathered]) -> dict[int, list[Gathered]]:
        """The items of later stages that were made of these, by item id, in the order of their keys."""
        if all(item.stage == self.stages[-1].name for item in items):
            return {}
        origins = dict(
            Outcome.objects.filter(item_id__in=[item.id for item in items]).order_by().values_list("pk", "item_id")
        )
        ids = Item.objects.filter(origin_id__in=list(origins)).order_by().values_list("pk", flat=True)
        found: dict[int, list[Gathered]] = defaultdict(list)
        for follower in sorted(self.gather(list(ids)), key=lambda one: (one.stage, one.key)):
            found[origins[follower.origin_id]].append(follower)
        return found

    def tried(self, stage: str) -> Iterator[tuple[RejectedQuestion, dict]]:
        """What writers at a stage tried and changed because the solvers answered it, each with its item's payload."""
        questions = [each for each in rejected_questions(self.project, stage=stage) if not each.is_handed_in]
        for start in range(0, len(questions), ITEMS_AT_ONCE):
            some = questions[start : start + ITEMS_AT_ONCE]
            items = Item.objects.filter(pk__in={each.item for each in some})
            payloads = dict(items.order_by().values_list("id", "payload"))
            for each in some:
                worker = release_pseudonym(self.project, each.worker)
                yield replace(each, worker=worker), payloads[each.item]
