"""The board: all stages of a project side by side. Where items stand and for how long, where they fall out and why,
what later stages said of them. The page and the API read it here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import item_counts, task_type_of
from annotation.review.figures import reasons_of
from annotation.review.models import Feedback, Outcome

# In which states something is still to be done, in their order.
WAITING = (Item.State.OPEN, Item.State.OFFERED, Item.State.ANSWERED, Item.State.SETTLED)
FALLEN = (Item.State.EXCLUDED, Item.State.REJECTED)
MOST_REASONS = 12


@dataclass(frozen=True)
class Waiting:
    """The items of a stage that stand in one state and wait: how many, since when the oldest and the middle one."""

    state: str
    count: int
    oldest: datetime
    median: datetime
    oldest_item: int


@dataclass(frozen=True)
class Reason:
    """Why items fell out of a stage: a short name to count by, and an example in full."""

    code: str
    count: int
    example: str


@dataclass(frozen=True)
class FeedbackCount:
    """What one stage said of another: which kind, what came of it, how often."""

    said_at: str
    about: str
    kind: str
    effect: str
    count: int


@dataclass(frozen=True)
class Column:
    """One stage on the board. `went_on`: accepted items whose way into the next stage is made.

    `successors`: items that stand in the place of one that fell or was sent back. `gave`, `got`: feedback.
    """

    stage: Stage
    title: str
    total: int
    counts: dict[str, int]
    waiting: list[Waiting]
    accepted: int
    went_on: int
    fallen: int
    reasons: list[Reason]
    successors: int
    gave: list[FeedbackCount]
    got: list[FeedbackCount]


def board_of(project: Project) -> list[Column]:
    """A project's stages in their order."""
    counts, feedback = item_counts(project), feedback_counts(project)
    return [
        _column(
            stage,
            counts[stage.name],
            gave=[one for one in feedback if one.said_at == stage.name],
            got=[one for one in feedback if one.about == stage.name],
        )
        for stage in project.stages.order_by("position")
    ]


def _column(stage: Stage, counts: dict[str, int], **feedback: list[FeedbackCount]) -> Column:
    fallen = sum(counts[state] for state in FALLEN)
    gone_on = Outcome.objects.filter(stage=stage, state=Outcome.State.ACCEPTED, promoted_at__isnull=False)
    return Column(
        stage=stage,
        title=task_type_of(stage).title,
        # Set aside for a test: not on its way anywhere.
        total=sum(counts.values()) - counts[Item.State.TRIAL],
        counts=counts,
        waiting=[_waiting(stage, state, counts[state]) for state in WAITING if counts[state]],
        accepted=counts[Item.State.ACCEPTED],
        went_on=gone_on.count() if counts[Item.State.ACCEPTED] else 0,
        fallen=fallen,
        reasons=_reasons(stage.items.filter(state__in=FALLEN)) if fallen else [],
        successors=stage.items.filter(replaces__isnull=False).count(),
        **feedback,
    )


def _waiting(stage: Stage, state: str, count: int) -> Waiting:
    rows = stage.items.filter(state=state).order_by("state_since", "id")
    oldest, at = rows.values_list("pk", "state_since").first() or (0, stage.project.created_at)
    median = rows.values_list("state_since", flat=True)[(count - 1) // 2 : (count - 1) // 2 + 1]
    return Waiting(state, count, at, next(iter(median), at), oldest)


def _reasons(items: QuerySet[Item]) -> list[Reason]:
    """By code, the most frequent first; the rest of a long list is added up."""
    counts: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for reason, count in reasons_of(items):
        code = code_of(reason)
        counts[code] += count
        examples.setdefault(code, reason)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    found = [Reason(code, count, examples[code]) for code, count in ranked[:MOST_REASONS]]
    if rest := ranked[MOST_REASONS:]:
        found.append(Reason("others", sum(count for _, count in rest), f"{len(rest)} other reasons"))
    return found


def code_of(reason: str) -> str:
    """What stands before the colon ("too_open: …") where that is one word, or the reason itself."""
    code, colon, _ = reason.partition(":")
    return code if colon and code and " " not in code else reason


def feedback_counts(project: Project) -> list[FeedbackCount]:
    """What was said of earlier stages, by kind and by what came of it."""
    rows = Feedback.objects.filter(project=project).order_by()
    grouped = rows.values_list(
        "item__stage__name", "item__stage__position", "about__stage__name", "kind", "state", "effect"
    ).annotate(count=Count("id"))
    counted: dict[tuple, int] = defaultdict(int)
    for said_at, position, about, kind, state, effect, count in grouped:
        counted[position, said_at, about, kind, effect or state] += count
    return [FeedbackCount(*key[1:], count) for key, count in sorted(counted.items())]


# --- One item -------------------------------------------------------------------------------------


def feedback_on(items: Iterable[int]) -> QuerySet[Feedback]:
    """What was said of these items or at them, oldest first."""
    ids = list(items)
    rows = Feedback.objects.filter(about__in=ids) | Feedback.objects.filter(item__in=ids)
    return rows.select_related("item__stage", "about__stage", "successor__stage").order_by("id")


def newest_feedback(project: Project, limit: int = 20) -> QuerySet[Feedback]:
    rows = Feedback.objects.filter(project=project)
    return rows.select_related("item__stage", "about__stage", "successor__stage").order_by("-id")[:limit]
