"""The numbers of a project, each computed in one place: the researcher's page, the API and a release's
statistics all read them here.

Figures are plain values over what is stored now. A release reads them inside its own snapshot.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Avg, CharField, Count, Exists, F, Min, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Cast, Floor, Substr
from django.utils import timezone

from annotation.hits.models import Answer, Assignment
from annotation.hits.queries import PAYABLE, PLAUSIBLE
from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import item_counts
from annotation.review.models import Outcome, Review
from annotation.review.queries import standing_decisions
from annotation.workers.queries import release_pseudonym

BINS = 10
NO_REASON = "no reason given"
RATE_WINDOW = timedelta(hours=24)
LEAST_RATE_HOURS = 0.25

WORKED_ON = [
    Item.State.OFFERED,
    Item.State.ANSWERED,
    Item.State.SETTLED,
    Item.State.ACCEPTED,
    Item.State.REJECTED,
]
HANDED_IN = [Assignment.State.SUBMITTED, Assignment.State.APPROVED, Assignment.State.REJECTED]


# --- The funnel -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One step of the way from source question to release.

    `reached`: items that came this far. `lost`: dropped for good before this step, with the `reasons`
    (most frequent first). `waiting`: still on their way to it.
    """

    stage: str
    name: str
    label: str
    reached: int
    lost: int = 0
    lost_label: str = ""
    waiting: int = 0
    reasons: tuple[tuple[str, int], ...] = ()


def funnel(project: Project, released: int | None = None) -> list[Step]:
    """The way of a project's items, stage by stage. `released`: how many a release holds, where there is one.

    A rejection is an expert's when a review that stands says so; otherwise a rule of the pipeline made it.
    """
    steps: list[Step] = []
    states, returned = _state_counts(project), _returned_to_open(project)
    rejected = project.items.filter(state=Item.State.REJECTED)
    by_expert = _reasons_by_stage(rejected_by_expert(rejected))
    unanswered = _reasons_by_stage(rejected.filter(outcome=None))
    for stage in project.stages.order_by("position"):
        steps += _stage_steps(stage, states[stage.pk], by_expert[stage.pk], unanswered[stage.pk], returned[stage.pk])
    if released is not None and steps:
        waiting = max(0, steps[-1].reached - released)
        steps.append(Step(steps[-1].stage, "released", "In the newest release", released, waiting=waiting))
    return steps


def _stage_steps(
    stage: Stage, states: dict[str, int], by_expert: dict[str, int], unanswered: dict[str, int], returned: int
) -> list[Step]:
    # Trial items are set aside: no collection, no loss.
    total = sum(states.values()) - states["trial"]
    excluded, accepted, rejected = (states[state] for state in ("excluded", "accepted", "rejected"))
    expert = sum(by_expert.values())
    # Taken back before their answers added up to anything, as what they were made of went.
    taken_back = sum(unanswered.values()) if stage.crowd else 0
    by_rule = rejected - expert - taken_back
    worked_on = sum(states[state] for state in WORKED_ON) - taken_back
    answered = worked_on - states["offered"]
    agreed = answered - states["answered"] - by_rule
    is_first = stage.position == 0
    steps = [Step(stage.name, "entered", "Source questions" if is_first else f"Came to {stage.name}", total)]
    if is_first or excluded:
        steps.append(
            Step(
                stage.name,
                "kept",
                "Kept by the filter",
                total - excluded,
                lost=excluded,
                lost_label="excluded by the filter",
                reasons=_phrases(stage) if excluded else (),
            )
        )
    if stage.crowd:
        offered = worked_on + returned
        steps += [
            Step(
                stage.name,
                "offered",
                "Offered to workers",
                offered,
                lost=taken_back,
                lost_label="taken back before their answers added up",
                waiting=total - excluded - taken_back - offered,
                reasons=_ranked(unanswered),
            ),
            Step(stage.name, "answered", "Answered in full", answered, waiting=offered - answered),
        ]
    steps += [
        Step(
            stage.name,
            "agreed",
            "Answers add up",
            agreed,
            lost=by_rule,
            lost_label="rejected by rule",
            waiting=states["answered"] if stage.crowd else total - excluded - answered,
            reasons=_rule_reasons(stage, by_expert, unanswered if stage.crowd else {}) if by_rule else (),
        ),
        Step(
            stage.name,
            "accepted",
            "Accepted",
            accepted,
            lost=expert,
            lost_label="rejected by an expert",
            waiting=states["settled"],
            reasons=_ranked(by_expert),
        ),
    ]
    return steps


def reasons_of(items: QuerySet[Item]) -> tuple[tuple[str, int], ...]:
    """Why items are excluded or rejected, the most frequent reason first."""
    rows = items.order_by().values_list("reason").annotate(count=Count("id"))
    return _ranked(dict(rows))


def _phrases(stage: Stage) -> tuple[tuple[str, int], ...]:
    """The filter's phrases with how many items each excludes; an item with several counts under each."""
    counts: Counter[str] = Counter()
    for reason, count in reasons_of(stage.items.filter(state=Item.State.EXCLUDED)):
        counts.update(dict.fromkeys(reason.split("|"), count))
    return _ranked(counts)


def rejected_by_expert(items: QuerySet[Item]) -> QuerySet[Item]:
    """Those of the items that an expert's review, not a rule, rejected."""
    return items.filter(state=Item.State.REJECTED).filter(_expert_says_no("outcome"))


def _expert_says_no(outcome: str) -> Exists:
    rejections = standing_decisions().filter(decision=Review.Decision.REJECT, is_blind=False)
    return Exists(rejections.filter(outcome_id=OuterRef(outcome)))


def _state_counts(project: Project) -> dict[int, dict[str, int]]:
    by_name = item_counts(project)
    return {pk: by_name[name] for pk, name in project.stages.values_list("id", "name")}


def _reasons_by_stage(items: QuerySet[Item]) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for stage_id, reason, count in items.order_by().values_list("stage_id", "reason").annotate(Count("id")):
        counts[stage_id][reason] = count
    return counts


def _returned_to_open(project: Project) -> dict[int, int]:
    """Open items that a HIT offered once and that came back without all their answers."""
    been_out = project.items.filter(state=Item.State.OPEN).filter(
        Exists(Item.hits.through.objects.filter(item_id=OuterRef("pk")))
    )
    rows = been_out.order_by().values_list("stage_id").annotate(Count("id"))
    return defaultdict(int, dict(rows))


def _rule_reasons(stage: Stage, *others: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """Why a stage's items are rejected, less those that count elsewhere."""
    counts = Counter(dict(reasons_of(stage.items.filter(state=Item.State.REJECTED))))
    for other in others:
        counts.subtract({reason or NO_REASON: count for reason, count in other.items()})
    return _ranked(counts)


def _ranked(counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    kept = [(reason or NO_REASON, count) for reason, count in counts.items() if count > 0]
    return tuple(sorted(kept, key=lambda pair: (-pair[1], pair[0])))


# --- Agreement ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How far workers agree, over a stage's outcomes: counts in ten equal bins from 0 to 1."""

    bins: tuple[int, ...]
    count: int
    mean: float | None
    disputed: int


def agreement(stage: Stage) -> Agreement:
    told = Outcome.objects.filter(stage=stage, agreement__isnull=False)
    bins = [0] * BINS
    # A hair is added so that 0.3 * 10 = 2.9999… falls where it belongs.
    rows = told.order_by().values_list(Floor(F("agreement") * BINS + 1e-9)).annotate(Count("id"))
    for number, count in rows:
        bins[min(max(int(number), 0), BINS - 1)] += count
    mean = told.aggregate(mean=Avg("agreement"))["mean"]
    disputed = Outcome.objects.filter(stage=stage, is_disputed=True).count()
    return Agreement(tuple(bins), sum(bins), mean, disputed)


# --- Answers over time, progress ------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """How far a stage's collection is, in answers that count; `hours_left` at the measured rate, where one is known."""

    stage: Stage
    wanted: int
    collected: int
    per_hour: float | None

    @property
    def remaining(self) -> int:
        return max(0, self.wanted - self.collected)

    @property
    def hours_left(self) -> float | None:
        if not self.remaining:
            return 0.0
        return self.remaining / self.per_hour if self.per_hour else None

    @property
    def share(self) -> float:
        return self.collected / self.wanted if self.wanted else 0.0

    def as_dict(self) -> dict[str, str | int | float | None]:
        """As the API and the command `status` tell it."""
        return {
            "stage": self.stage.name,
            "wanted": self.wanted,
            "collected": self.collected,
            "per_hour": self.per_hour,
            "hours_left": self.hours_left,
        }


def progress(stage: Stage, now: datetime | None = None) -> Progress:
    """Answers wanted and collected. Items that are through want no more than they have."""
    now = now or timezone.now()
    counted = Answer.objects.filter(item__stage=stage, counts=True)
    collected = counted.count()
    wanting = stage.items.filter(state__in=[Item.State.OPEN, Item.State.OFFERED]).aggregate(
        items=Count("id"), extra=Sum("extra_answers")
    )
    there = counted.filter(item__state__in=[Item.State.OPEN, Item.State.OFFERED]).count()
    remaining = max(0, wanting["items"] * stage.answers_per_item + (wanting["extra"] or 0) - there)
    return Progress(stage, collected + remaining, collected, _rate(counted, now))


def _rate(answers: QuerySet[Answer], now: datetime) -> float | None:
    """Answers an hour over the last day, or since the first of them where that is later."""
    recent = answers.filter(created_at__gt=now - RATE_WINDOW).aggregate(count=Count("id"), first=Min("created_at"))
    if not recent["count"]:
        return None
    hours = max((now - recent["first"]).total_seconds() / 3600, LEAST_RATE_HOURS)
    return recent["count"] / hours


def answers_by_hour(project: Project, since: datetime) -> list[tuple[datetime, int]]:
    """Answers handed in, by the hour (UTC), from the first hour that has any to the last, empty ones included."""
    rows = (
        Answer.objects.filter(item__project=project, created_at__gte=since)
        .exclude(item__state=Item.State.TRIAL)
        .order_by()
        # The same text on both databases, and far faster than a date function on SQLite.
        .annotate(hour=Substr(Cast("created_at", CharField()), 1, 13))
        .values_list("hour")
        .annotate(Count("id"))
    )
    counts = {datetime.strptime(f"{hour} +0000", "%Y-%m-%d %H %z"): count for hour, count in rows}
    if not counts:
        return []
    hours, hour, last = [], min(counts), max(counts)
    while hour <= last:
        hours.append((hour, counts.get(hour, 0)))
        hour += timedelta(hours=1)
    return hours


# --- Pay, workers, the queue ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pay:
    """What workers earn an hour, in cents, from plausible times: quartiles over assignments.

    `left_out`: how many were measured too quick or too slow for anybody who works.
    """

    count: int
    low: int | None
    median: int | None
    high: int | None
    below_floor: int
    seconds_per_item: float | None
    left_out: int = 0


def hourly_pay(project: Project, stage: Stage | None = None) -> Pay:
    """From the time between opening a HIT's page and handing it over, as the quote takes it."""
    timed = Assignment.objects.filter(
        hit__project=project, hit__trial_of=None, state__in=PAYABLE, seconds_spent__isnull=False
    )
    if stage is not None:
        timed = timed.filter(hit__stage=stage)
    done = timed.filter(PLAUSIBLE)
    rows = list(done.order_by().values_list("hit__reward_cents", "seconds_spent"))
    left_out = timed.count() - len(rows)
    if not rows:
        return Pay(0, None, None, None, 0, None, left_out)
    pays = [reward * 3600 / seconds for reward, seconds in rows]
    low, median, high = quartiles(pays)
    items = Answer.objects.filter(assignment__in=done).count()
    spent = sum(seconds for _, seconds in rows)
    below = sum(pay < project.wage_floor_cents for pay in pays)
    each = spent / items if items else None
    return Pay(len(pays), round(low), round(median), round(high), below, each, left_out)


def quartiles(values: Iterable[float]) -> tuple[float, float, float]:
    ordered = sorted(values)
    if len(ordered) == 1:
        return ordered[0], ordered[0], ordered[0]
    low, median, high = statistics.quantiles(ordered, n=4, method="inclusive")
    return low, median, high


@dataclass(frozen=True)
class WorkerCount:
    """One worker's part in a project, by the pseudonym of its releases."""

    pseudonym: str
    assignments: int
    approved: int
    rejected: int
    seconds: float | None
    hourly_cents: int | None

    @property
    def waiting(self) -> int:
        return self.assignments - self.approved - self.rejected


def workers_of(project: Project, limit: int | None = None) -> list[WorkerCount]:
    """Who worked and how much, busiest first. Time is the mean of an assignment, pay that of all plausible time."""
    handed_in = Q(state__in=[*HANDED_IN, Assignment.State.HANDED_OVER])
    rows = (
        Assignment.objects.filter(handed_in, hit__project=project)
        .order_by()
        .values_list("worker__pseudonym")
        .annotate(
            total=Count("id"),
            approved=Count("id", filter=Q(state=Assignment.State.APPROVED)),
            rejected=Count("id", filter=Q(state=Assignment.State.REJECTED)),
            timed=Count("seconds_spent"),
            seconds=Sum("seconds_spent"),
            plausible=Sum("seconds_spent", filter=PLAUSIBLE),
            reward=Sum("hit__reward_cents", filter=PLAUSIBLE),
        )
        .order_by("-total", "worker__pseudonym")
    )
    return [
        WorkerCount(
            pseudonym=release_pseudonym(project, name),
            assignments=total,
            approved=approved,
            rejected=rejected,
            seconds=seconds / timed if seconds else None,
            hourly_cents=round(reward * 3600 / plausible) if plausible else None,
        )
        for name, total, approved, rejected, timed, seconds, plausible, reward in (rows[:limit] if limit else rows)
    ]


def oldest_unreviewed(project: Project) -> Outcome | None:
    """The outcome that has waited longest for an expert."""
    return (
        Outcome.objects.filter(project=project, state=Outcome.State.PENDING)
        .select_related("item", "stage")
        .order_by("settled_at")
        .first()
    )
