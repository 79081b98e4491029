"""What is asked of the solvers' work: what waits, what was rejected, who answered what."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet

from annotation.events.models import Event
from annotation.hits.models import Answer, Assignment
from annotation.projects.models import Item, Project, Stage
from annotation.solving.asking import policy_of
from annotation.solving.models import Attempt, Challenge, Lesson, SolverVersion

State = Challenge.State
# Whose work came in: a question that somebody only tried and took away again is not the project's.
CAME_IN = [Assignment.State.SUBMITTED, Assignment.State.APPROVED]


def unjudged(items: QuerySet[Item]) -> QuerySet[Item]:
    """Those of a stage's items that must wait: the solvers have not said all that they have to."""
    mine = OuterRef("pk")
    waiting = Challenge.objects.filter(item=mine, is_handed_in=True, state=State.WAITING)
    asked = Challenge.objects.filter(assignment=OuterRef("assignment_id"), item=OuterRef("item_id"), is_handed_in=True)
    unasked = Answer.objects.filter(item=mine, counts=True).exclude(Exists(asked))
    return items.filter(Exists(waiting) | Exists(unasked))


def verdicts(items: Collection[Item]) -> dict[int, str]:
    """What the solvers made of these items' answers, by answer id. Answers that nobody asked about are left out."""
    rows = Challenge.objects.filter(
        item__in=[item.pk for item in items], is_handed_in=True, assignment__answers__item=F("item")
    ).exclude(state=State.WAITING)
    return dict(rows.values_list("assignment__answers__id", "state"))


def challenges_of(item: Item) -> QuerySet[Challenge]:
    """What was put to the solvers about an item, oldest first, with their attempts."""
    return item.challenges.select_related("assignment__worker").prefetch_related("attempts").order_by("asked_at", "pk")


@dataclass(frozen=True)
class RejectedQuestion:
    """A question that the solvers answered. `is_handed_in`: it was the worker's last word; else one tried before."""

    item: int
    key: str
    split: str
    text: str
    right: str
    is_handed_in: bool
    worker: str


def _of_the_project(project: Project) -> QuerySet[Challenge]:
    """What was put to the solvers on pages that were handed in; trials of people who want to qualify are none."""
    rows = Challenge.objects.filter(
        item__project=project, assignment__state__in=CAME_IN, assignment__hit__trial_of=None
    )
    return rows.exclude(text="")


def was_challenged(project: Project) -> bool:
    """Whether solvers were ever asked in a project."""
    return _of_the_project(project).exclude(state=State.WAITING).exists()


def challenges_that_came_in(items: Collection[int]) -> Iterable[Challenge]:
    """What was put to the solvers about these items, and judged, with attempts and workers; in the order of asking."""
    rows = Challenge.objects.filter(
        item__in=items, assignment__state__in=CAME_IN, assignment__hit__trial_of=None
    ).exclude(text="")
    ordered = rows.exclude(state=State.WAITING).order_by("asked_at", "text")
    return ordered.select_related("assignment").prefetch_related("attempts")


def rejected_questions(project: Project, *, stage: str = "") -> list[RejectedQuestion]:
    """All questions of a project that the solvers answered, also those that were tried and changed, in a stable order.

    Each text counts once for an item. Left out is what was tried on a page that nobody handed in.
    """
    rows = _of_the_project(project).filter(state=State.SOLVED)
    if stage:
        rows = rows.filter(item__stage__name=stage)
    found: dict[tuple[str, str], RejectedQuestion] = {}
    names = ("item_id", "item__key", "item__split", "text", "right", "is_handed_in")
    ordered = rows.order_by("item__key", "-is_handed_in", "text", "pk")
    for *values, worker in ordered.values_list(*names, "assignment__worker__pseudonym"):
        found.setdefault((values[1], values[3]), RejectedQuestion(*values, worker))
    return sorted(found.values(), key=lambda each: (each.key, not each.is_handed_in, each.text))


# --- How the solvers do ---------------------------------------------------------------------------


@dataclass(frozen=True)
class SolverFacts:
    """One solver of a stage: its standing version, how often it was right, and what its newest training came to."""

    name: str
    learns: bool
    current: SolverVersion | None
    newest: SolverVersion | None
    asked: int
    right: int

    @property
    def short_name(self) -> str:
        return self.name.partition("/")[2]

    @property
    def share(self) -> float | None:
        return self.right / self.asked if self.asked else None


@dataclass(frozen=True)
class StageFacts:
    """How the solvers of a stage do, for the researcher's page."""

    groups: list[tuple[str, int, list[SolverFacts]]]
    counts: dict[str, int]
    held: int
    held_since: datetime | None
    outage: Event | None
    lessons: int
    lessons_since: int
    retrain_every: int

    @property
    def learns(self) -> bool:
        return any(each.learns for _, _, those in self.groups for each in those)


def facts_of(stage: Stage) -> StageFacts | None:
    """None where the stage has no solvers."""
    policy = policy_of(stage)
    if policy is None:
        return None
    rows = Attempt.objects.filter(challenge__item__stage=stage).order_by().values("solver")
    asked = {row["solver"]: row for row in rows.annotate(n=Count("id"), right=Count("id", filter=Q(is_right=True)))}
    versions: dict[str, list[SolverVersion]] = {}
    for version in SolverVersion.objects.filter(stage=stage).order_by("-number"):
        versions.setdefault(version.solver, []).append(version)
    groups = [
        (
            group.name,
            group.rejects_at,
            [
                SolverFacts(
                    name=seat,
                    learns=group.learns,
                    current=next((each for each in versions.get(seat, []) if each.is_current), None),
                    newest=next(iter(versions.get(seat, [])), None),
                    asked=asked.get(seat, {}).get("n", 0),
                    right=asked.get(seat, {}).get("right", 0),
                )
                for seat in group.seats
            ],
        )
        for group in policy.groups
    ]
    challenges = Challenge.objects.filter(item__stage=stage).exclude(text="")
    counts = dict.fromkeys(State.values, 0)
    counts.update(challenges.order_by().values_list("state").annotate(n=Count("id")))
    held = challenges.filter(state=State.WAITING, is_handed_in=True)
    lessons = Lesson.objects.filter(stage=stage, challenge__isnull=False)
    trained = SolverVersion.objects.filter(stage=stage, is_current=True).aggregate(last=Max("last_lesson"))["last"] or 0
    return StageFacts(
        groups=groups,
        counts=counts,
        held=held.count(),
        held_since=held.order_by("asked_at").values_list("asked_at", flat=True).first(),
        outage=Event.objects.filter(project_id=stage.project_id, verb="solvers.failed").order_by("-id").first(),
        lessons=lessons.count(),
        lessons_since=lessons.filter(pk__gt=trained).count(),
        retrain_every=policy.retrain_every,
    )
