"""What is asked of outcomes and reviews: the expert's queue, what comes next, how far two experts agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from annotation.projects.models import Project, Stage
from annotation.projects.queries import holding, in_order, projects_of, task_type_of
from annotation.review.models import Outcome, Review
from annotation.review.operations import BadOperation, parts_of
from tasks.fields import AnswerList
from tasks.metrics.agreement import cohen
from tasks.metrics.intervals import Interval, mean

Show = Literal["pending", "blind", "accepted", "rejected", "mine"]
ORDER = ("-doubt", "id")


def queue(user: Any, project: Project, *, show: Show = "pending", stage: Stage | None = None) -> QuerySet[Outcome]:
    """Outcomes in the order of the queue, the least agreed first and those of unknown agreement before all.

    `blind`: those that want a second decision, and that this person did not decide. `accepted` and
    `rejected` leave those out, so that the first decision stays unseen. `mine`: what they decided.
    """
    rows = Outcome.objects.filter(project=project)
    if stage is not None:
        rows = rows.filter(stage=stage)
    match show:
        case "blind":
            rows = rows.filter(wants_blind_review=True).exclude(state=Outcome.State.PENDING).exclude(_decided_by(user))
        case "mine":
            # Not `_decided_by`: from a person's few reviews to their outcomes, not through all outcomes.
            decided = Review.objects.filter(reviewer=user, undone_at=None)
            rows = rows.filter(pk__in=decided.values("outcome"))
        case "pending":
            rows = rows.filter(state=Outcome.State.PENDING)
        case _:
            rows = rows.filter(state=show).exclude(Q(wants_blind_review=True) & ~_decided_by(user))
    return rows.order_by(*ORDER)


def after_place(rows: QuerySet[Outcome], doubt: float, number: int) -> QuerySet[Outcome]:
    """The part of a queue behind a place in it. Two conditions, so that the index is entered at the place."""
    return rows.filter(doubt__lte=doubt).exclude(doubt=doubt, id__lte=number)


def first_of(rows: QuerySet[Outcome], count: int, *, search: str = "") -> list[Outcome]:
    """The first rows of a queue; with `search`, the first whose item's key or any text of its payload holds it."""
    return in_order(rows, holding(rows, search, item="item__"), count) if search else list(rows[:count])


def _decided_by(user: Any) -> Exists:
    return Exists(Review.objects.filter(outcome=OuterRef("pk"), reviewer=user, undone_at=None))


def is_blind_for(user: Any, outcome: Outcome) -> bool:
    """Whether this person meets the outcome as its second, blind reviewer: then the first decision is not shown."""
    if not outcome.wants_blind_review or outcome.state == Outcome.State.PENDING:
        return False
    return not outcome.reviews.filter(reviewer=user, undone_at=None).exists()


def next_outcome(
    user: Any,
    *,
    project: Project,
    after: Outcome | None = None,
    show: Show = "pending",
    stage: Stage | None = None,
) -> Outcome | None:
    """What to decide next: behind `after`, then from the queue's beginning. What a colleague has open is left out."""
    rows = queue(user, project, show="blind" if show == "blind" else "pending", stage=stage)
    free = rows.exclude(Q(held_by__isnull=False, held_until__gt=timezone.now()) & ~Q(held_by=user))
    if after is None:
        return free.first()
    behind = after_place(free, after.doubt, after.pk).first()
    return behind or free.exclude(pk=after.pk).first()


@dataclass(frozen=True)
class QueueCounts:
    """How many outcomes of a project wait, want this person's blind decision, and are decided."""

    pending: int = 0
    blind: int = 0
    accepted: int = 0
    rejected: int = 0

    @property
    def done(self) -> int:
        return self.accepted + self.rejected

    @property
    def total(self) -> int:
        return self.pending + self.done

    @property
    def share_done(self) -> float:
        return self.done / self.total if self.total else 0.0


def counts_of(user: Any, projects: Iterable[Project]) -> dict[int, QueueCounts]:
    """The queue's counts by project id."""
    ids = [project.pk for project in projects]
    found: dict[int, dict[str, int]] = {number: {} for number in ids}
    rows = Outcome.objects.filter(project__in=ids).order_by().values("project_id", "state").annotate(count=Count("id"))
    for row in rows:
        found[row["project_id"]][row["state"]] = row["count"]
    waiting = Outcome.objects.filter(project__in=ids, wants_blind_review=True).exclude(state=Outcome.State.PENDING)
    for row in waiting.order_by().values("project_id").annotate(count=Count("id")):
        found[row["project_id"]]["blind"] = row["count"]
    # Subtracting a person's own is cheaper than asking of each one whether it is theirs.
    own = Review.objects.filter(
        reviewer=user, undone_at=None, outcome__project__in=ids, outcome__wants_blind_review=True
    ).exclude(outcome__state=Outcome.State.PENDING)
    for row in own.order_by().values("outcome__project_id").annotate(count=Count("outcome", distinct=True)):
        found[row["outcome__project_id"]]["blind"] -= row["count"]
    return {number: QueueCounts(**counts) for number, counts in found.items()}


def last_decisions(user: Any, limit: int = 10) -> list[Review]:
    """A person's newest decisions, the ones taken back too."""
    newest = Review.objects.filter(reviewer=user).order_by("-id").values_list("pk", flat=True)[:limit]
    rows = Review.objects.filter(pk__in=list(newest), outcome__project__in=projects_of(user))
    rows = rows.select_related("outcome__item", "outcome__stage")
    # The long values are not shown in a list.
    return list(rows.defer("value", "before", "outcome__value", "outcome__final", "outcome__details").order_by("-id"))


# --- Two experts ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlindAgreement:
    """How far second, blind decisions agree with the first: on accept or reject, and on the answers kept.

    Shares and Cohen's kappa with intervals; kept answers are compared where both accepted.
    """

    outcomes: int
    decisions: Interval
    decisions_kappa: Interval
    answers: Interval
    answers_kappa: Interval


def standing_decisions() -> QuerySet[Review]:
    """Of each outcome the decision that stands, and the blind one beside it, oldest first.

    Deciding again leaves the earlier decision on record, not taken back: the newest is the one that stands. A blind
    decision of somebody who has decided openly as well is no second opinion, and is left out.
    """
    kept = Review.objects.filter(outcome=OuterRef("outcome"), undone_at=None)
    again = kept.filter(is_blind=OuterRef("is_blind"), pk__gt=OuterRef("pk"))
    own = kept.filter(is_blind=False, reviewer=OuterRef("reviewer"))
    return Review.objects.filter(~Exists(again), undone_at=None).exclude(Q(is_blind=True) & Exists(own))


def blind_pairs(project: Project, newest: int | None = None) -> list[tuple[Review, Review]]:
    """(decision that stands, blind decision) of each outcome that has both.

    `newest`: only so many of the last blind decisions.
    """
    rows = standing_decisions().filter(outcome__project=project, is_blind=True).select_related("outcome__stage")
    blind = list(rows.order_by("-id")[:newest])
    firsts: dict[int, Review] = {}
    for chunk in _chunks([review.outcome_id for review in blind]):
        for review in standing_decisions().filter(outcome__in=chunk, is_blind=False):
            firsts[review.outcome_id] = review
    return [(firsts[review.outcome_id], review) for review in reversed(blind) if review.outcome_id in firsts]


def _chunks(ids: list[int], size: int = 500) -> Iterable[list[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))


def blind_agreement(project: Project, newest: int | None = None) -> BlindAgreement:
    pairs = blind_pairs(project, newest)
    decisions = [(first.decision, second.decision) for first, second in pairs]
    kept = [
        answers
        for first, second in pairs
        if first.decision == second.decision == Review.Decision.ACCEPT
        for answers in zip(kept_answers(second.outcome, first), kept_answers(second.outcome, second), strict=False)
    ]
    return BlindAgreement(
        outcomes=len(pairs),
        decisions=mean([one == other for one, other in decisions]),
        decisions_kappa=cohen(decisions),
        answers=mean([one == other for one, other in kept]),
        answers_kappa=cohen(kept),
    )


def kept_answers(outcome: Outcome, review: Review) -> list[bool]:
    """Which of the workers' answers a review kept, in the outcome's order; empty where its value has changed since."""
    shape = task_type_of(outcome.stage).Outcome
    try:
        parts = parts_of(shape, outcome.value, review.operations)
    except BadOperation:
        return []
    return [
        not entry["removed"]
        for part in parts.values()
        if isinstance(part.kind, AnswerList)
        for entry in part.working[: len(part.original)]
    ]
