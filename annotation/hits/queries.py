"""What is asked of HITs and assignments: money, times, answers."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from annotation.hits.models import HIT, Answer, Assignment
from annotation.prepared import Prepared
from annotation.projects.models import Item, Project, Stage
from annotation.projects.queries import stage_settings, task_type_of
from annotation.providers.models import Intent
from annotation.providers.queries import COMMITTING, committed_cents
from annotation.workers.models import Grant, Worker

# Work that is paid or will be.
PAYABLE = [Assignment.State.SUBMITTED, Assignment.State.APPROVED]


@dataclass(frozen=True)
class Spending:
    """A project's money in cents, fees included: cap = spent + reserved + free."""

    cap_cents: int
    spent_cents: int
    reserved_cents: int

    @property
    def committed_cents(self) -> int:
        return self.spent_cents + self.reserved_cents

    @property
    def free_cents(self) -> int:
        return self.cap_cents - self.committed_cents


def spending(project: Project) -> Spending:
    """Spent: approved work and bonuses. Reserved: what live HITs may cost and submitted work will.

    And what is being paid after all: a HIT that is out holds the money for its rejected work, of a closed one it was
    set free.
    """
    unit = F("reward_cents") + F("fee_cents")
    live = Q(state__in=[HIT.State.PLANNED, HIT.State.OFFERED])
    promised = project.hits.filter(live).aggregate(total=Sum(F("max_assignments") * unit))["total"] or 0
    work = project.hits.aggregate(
        spent=Sum(unit, filter=Q(assignments__state=Assignment.State.APPROVED)),
        owed_by_closed=Sum(unit, filter=~live & Q(assignments__state=Assignment.State.SUBMITTED)),
        spent_by_live=Sum(unit, filter=live & Q(assignments__state=Assignment.State.APPROVED)),
    )
    spent = (work["spent"] or 0) + committed_cents(project.pk, ["bonus"])
    reserved = promised - (work["spent_by_live"] or 0) + (work["owed_by_closed"] or 0) + _overrides_cents(project.pk)
    return Spending(project.budget_cap_cents, spent, reserved)


def _overrides_cents(project_id: int) -> int:
    """Money for rejections in closed HITs that are being turned round; once that is done, it is spent."""
    rows = Intent.objects.filter(
        project_id=project_id, kind="approve", cents__gt=0, state__in=COMMITTING, absorbed_at__isnull=True
    )
    by_work = {int(key.split("/")[2]): cents for key, cents in rows.values_list("key", "cents")}
    if not by_work:
        return 0
    closed = Assignment.objects.filter(pk__in=by_work, hit__state=HIT.State.CLOSED, state=Assignment.State.REJECTED)
    return sum(by_work[pk] for pk in closed.values_list("pk", flat=True))


# Nobody reads and answers in a twentieth of the expected time: a script did, or somebody pasted. And who took longer
# than the HIT allows had left it open.
QUICKEST_SHARE = 20
PLAUSIBLE = Q(
    seconds_spent__gt=0,
    seconds_spent__gte=F("hit__stage__expected_seconds_per_item") * F("hit__stage__items_per_hit") / QUICKEST_SHARE,
    seconds_spent__lte=F("hit__minutes_allowed") * 60,
)


@dataclass(frozen=True)
class Timings:
    """Plausible measured seconds a HIT, and what the reward comes to an hour. Quartiles over handed-over work."""

    count: int
    seconds_quartiles: tuple[float, float, float] | None
    hourly_cents_quartiles: tuple[int, int, int] | None


def timings(stage: Stage) -> Timings:
    rows = list(
        Assignment.objects.filter(PLAUSIBLE, hit__stage=stage, hit__trial_of=None, state__in=PAYABLE).values_list(
            "seconds_spent", "hit__reward_cents"
        )
    )
    if len(rows) < 2:
        return Timings(len(rows), None, None)
    seconds = statistics.quantiles([row[0] for row in rows], n=4, method="inclusive")
    hourly = statistics.quantiles([reward * 3_600 / spent for spent, reward in rows], n=4, method="inclusive")
    return Timings(len(rows), tuple(seconds), tuple(round(value) for value in hourly))


# Fewer measured times than this say less than the task type's own estimate.
ENOUGH_TIMES = 10


def hourly_cents(stage: Stage) -> int | None:
    """What the reward comes to an hour: by measured median time, else by the expected time an item."""
    measured = timings(stage)
    if measured.count >= ENOUGH_TIMES:
        seconds = measured.seconds_quartiles[1]
    else:
        seconds = stage.expected_seconds_per_item * stage.items_per_hit
    return round(stage.reward_cents * 3_600 / seconds) if seconds else None


def answers_of(item: Item) -> QuerySet[Answer]:
    """An item's answers that count, with their workers, oldest first."""
    return item.answers.filter(counts=True).select_related("assignment__worker").order_by("id")


def items_already_answered_by(worker: Worker, hit: HIT) -> bool:
    """Whether a worker has handed over an answer to any item of this HIT in another HIT."""
    return bool(_answered_elsewhere.all(hit.pk, worker.pk))


@Prepared
def _answered_elsewhere(hit: int, worker: int) -> QuerySet[Answer]:
    uncounted = [Assignment.State.SUPERSEDED, Assignment.State.QUARANTINED]
    rows = Answer.objects.filter(item__places__hit=hit, assignment__worker=worker)
    return rows.exclude(assignment__hit=hit).exclude(assignment__state__in=uncounted).values_list("pk")[:1]


def why_not_theirs(worker: Worker | None, hit: HIT) -> str:
    """Why a HIT's items are not for this worker (None: somebody new); empty where they are.

    `own_work`: made of an answer of theirs, and nobody judges their own. `reserved`: sent back to somebody else.
    """
    rows = _origins.all(hit.pk)
    made_of = [pk for origin, _ in rows for pk in origin or ()]
    reserved = [pk for _, those in rows for pk in those or ()]
    if not made_of and not reserved:
        return ""
    theirs = set(
        Answer.objects.filter(pk__in=made_of + reserved, assignment__worker=worker).values_list("pk", flat=True)
    )
    if reserved and theirs.isdisjoint(reserved):
        return "reserved"
    return "own_work" if not theirs.isdisjoint(made_of) else ""


def why_no_trial(worker: Worker, hit: HIT) -> str:
    """Why a worker may not take a trial; empty where they may.

    `trial_taken`: they hold the qualification, wait for a verdict, or had their tries. What was handed over is known
    here before the marketplace lists it and a grader's queue has it. `trial_open`: they have it open in another HIT,
    and its time is not over.
    """
    grant = Grant.objects.filter(qualification=hit.trial_of_id, worker=worker).first()
    if grant is not None and (grant.stands or not grant.may_retake):
        return "trial_taken"
    begun = [Assignment.State.OPEN, Assignment.State.HANDED_OVER]
    others = Assignment.objects.filter(worker=worker, hit__trial_of=hit.trial_of_id, state__in=begun).exclude(hit=hit)
    rows = list(others.values_list("state", "opened_at", "hit__minutes_allowed"))
    if any(state == Assignment.State.HANDED_OVER for state, _, _ in rows):
        return "trial_taken"
    now = timezone.now()
    return "trial_open" if any(opened + timedelta(minutes=minutes) > now for _, opened, minutes in rows) else ""


def has_enough_of(worker: Worker, hit: HIT) -> bool:
    """Whether a worker has as many answers in a HIT's stage, accepted or under way, as it takes from one person."""
    most = task_type_of(hit.stage).most_accepted(stage_settings(hit.stage))
    if not most:
        return False
    mine = Answer.objects.filter(assignment__worker=worker, item__stage=hit.stage_id)
    # This HIT's own: taking it once more may be the way to be paid.
    mine = mine.exclude(assignment__hit=hit).exclude(item__state=Item.State.REJECTED)
    mine = mine.filter(assignment__hit__trial_of=None)
    taken = mine.exclude(
        assignment__state__in=[
            Assignment.State.REJECTED,
            Assignment.State.SUPERSEDED,
            Assignment.State.QUARANTINED,
        ]
    )
    return taken.order_by()[:most].count() >= most


@Prepared
def _origins(hit: int) -> QuerySet[Item]:
    return Item.objects.filter(places__hit=hit).values_list("origin_answers", "reserved_for")


def progress(stage: Stage) -> dict[str, int]:
    """How many assignments stand where, the ones still wanted included."""
    counts = dict.fromkeys(Assignment.State.values, 0)
    rows = Assignment.objects.filter(hit__stage=stage, hit__trial_of=None).values("state").annotate(count=Count("id"))
    counts.update({row["state"]: row["count"] for row in rows})
    hits = stage.hits.filter(trial_of=None).exclude(state=HIT.State.REFUSED)
    offered = hits.aggregate(total=Sum("max_assignments"))["total"] or 0
    return {"offered": offered, **counts}


# --- Decisions on pay -----------------------------------------------------------------------------


def assignment_key(assignment: Assignment, what: str) -> str:
    """The ledger's name of what is wanted for an assignment: `approve`, `reject`, `bonus/<purpose>`, …"""
    return f"{assignment.hit.environment}/assignment/{assignment.pk}/{what}"


def calls_for(assignment: Assignment) -> list[Intent]:
    """What was asked of the marketplace for an assignment, oldest first."""
    keys = [assignment_key(assignment, what) for what in ("approve", "reject", "approve-after-all")]
    bonuses = Q(kind="bonus", key__startswith=assignment_key(assignment, "bonus/"))
    rows = Intent.objects.filter(project_id=assignment.hit.project_id)
    return sorted([*rows.filter(key__in=keys), *rows.filter(bonuses)], key=lambda intent: intent.pk)


def rejections_of(worker: Worker, project: Project, *, hours: int = 24) -> int:
    """How many of a worker's assignments this project rejected lately, or is rejecting."""
    since = timezone.now() - timedelta(hours=hours)
    mine = Assignment.objects.filter(worker=worker, hit__project=project)
    done = mine.filter(state=Assignment.State.REJECTED, decided_at__gte=since).count()
    undecided = mine.filter(state=Assignment.State.SUBMITTED).select_related("hit")
    keys = [assignment_key(assignment, "reject") for assignment in undecided]
    return done + Intent.objects.filter(key__in=keys, state__in=COMMITTING).count()


def unplaced(project: Project) -> QuerySet[Assignment]:
    """Work whose pay a person has to settle, and has not.

    In quarantine, for the marketplace never listed it; superseded, for it gave the assignment to somebody else; or
    submitted, because it was listed after all when it was settled already.
    """
    lost = Q(state=Assignment.State.SUPERSEDED) & Exists(Answer.objects.filter(assignment=OuterRef("pk")))
    quarantined = Q(state=Assignment.State.QUARANTINED)
    after_all = Q(state=Assignment.State.SUBMITTED) & ~Q(settlement="")
    mine = Assignment.objects.filter(hit__project=project)
    return mine.filter(after_all | (quarantined | lost) & Q(settlement=""))
