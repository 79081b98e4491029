"""Trains solvers: ordered when enough was accepted, done in a job, swapped in at once or not at all.

Nothing waits for a training. Until it is done, and where it fails, the version before it goes on answering.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from annotation.events.actions import record
from annotation.projects.models import Item, Project, Stage
from annotation.solving import files, seats
from annotation.solving.asking import policy_of, stages_with_solvers
from annotation.solving.models import Challenge, Lesson, SolverVersion
from annotation.waking import wake
from tasks.solvers.base import Lesson as Told

log = logging.getLogger(__name__)
State = SolverVersion.State
UNDER_WAY = (State.ORDERED, State.TRAINING)
# A claim older than this is a dead worker's: classifiers take hours, all others seconds.
TAKES_AT_MOST = timedelta(hours=4)
LIGHT_TAKES_AT_MOST = timedelta(minutes=15)
# A training that failed is tried again after this.
AGAIN_AFTER = timedelta(hours=1)
LESSONS_AT_ONCE = 1_000


# --- Lessons --------------------------------------------------------------------------------------


def take_lessons(*, project: Project) -> int:
    """Makes lessons of the questions that were accepted since, and orders trainings that are due. Gives how many."""
    taken = 0
    for stage in stages_with_solvers(project):
        rows = Challenge.objects.filter(
            item__stage=stage,
            item__state=Item.State.ACCEPTED,
            is_handed_in=True,
            state=Challenge.State.HOLDS,
            lesson=None,
        ).exclude(text="")
        fresh = list(rows.order_by("judged_at", "pk")[:LESSONS_AT_ONCE])
        Lesson.objects.bulk_create(
            Lesson(stage=stage, challenge=each, text=each.text, answer=each.right) for each in fresh
        )
        taken += len(fresh)
        order_due(stage=stage)
    return taken


def give_lessons(*, stage: Stage, lessons: Iterable[Told]) -> int:
    """Gives a stage's solvers something better to begin with than what comes with us, in place of what it had."""
    rows = [Lesson(stage=stage, text=each.text, answer=each.answer) for each in lessons]
    with transaction.atomic():
        Lesson.objects.filter(stage=stage, challenge=None).delete()
        Lesson.objects.bulk_create(rows, batch_size=500)
        record("solvers.taught", subject=stage, project_id=stage.project_id, lessons=len(rows))
    return len(rows)


# --- Ordering -------------------------------------------------------------------------------------


def order_due(*, stage: Stage) -> list[SolverVersion]:
    """Orders a training of each learning solver that has had enough new lessons."""
    policy = policy_of(stage)
    if policy is None:
        return []
    made = []
    for name, (_, learns) in policy.seats.items():
        if not learns:
            continue
        newest = SolverVersion.objects.filter(stage=stage, solver=name).order_by("-number").first()
        if newest and newest.state in UNDER_WAY:
            continue
        if newest and newest.state == State.FAILED and newest.finished_at > timezone.now() - AGAIN_AFTER:
            continue
        current = SolverVersion.objects.filter(stage=stage, solver=name, is_current=True).first()
        since = Lesson.objects.filter(
            stage=stage, challenge__isnull=False, pk__gt=current.last_lesson if current else 0
        ).count()
        if since >= policy.retrain_every:
            made += order(stage=stage, solvers=[name])
    return made


def order(*, stage: Stage, solvers: Iterable[str]) -> list[SolverVersion]:
    """Orders a training of these solvers; one that is under way already is not ordered twice."""
    from annotation.solving.jobs import train

    made = []
    for name in solvers:
        rows = SolverVersion.objects.filter(stage=stage, solver=name)
        number = (rows.aggregate(most=Max("number"))["most"] or 0) + 1
        try:
            with transaction.atomic():
                version = SolverVersion.objects.create(stage=stage, solver=name, number=number)
        except IntegrityError:  # ordered by somebody else in this moment, or under way
            continue
        record("solver.training_ordered", subject=stage, project_id=stage.project_id, solver=name, number=number)
        wake(train, version.pk)
        made.append(version)
    return made


def learners(stage: Stage) -> list[str]:
    """The solvers of a stage that learn from accepted questions."""
    policy = policy_of(stage)
    return [name for name, (_, learns) in policy.seats.items() if learns] if policy else []


# --- Training -------------------------------------------------------------------------------------


def train(version_pk: int) -> str:
    """Train an ordered version and make it the current one. Gives its state; empty where it is none of our business."""
    if not _claim(version_pk):
        return ""
    version = SolverVersion.objects.select_related("stage__project").get(pk=version_pk)
    try:
        lessons, last_lesson = _lessons_for(version)
        solver = files.new_solver(_kind_of(version), seats.search_of(version.stage.project))
        solver.train(lessons)
        folder, digest = files.save(solver, version)
    except Exception as fault:
        log.exception("the training of %s failed", version)
        _fail(version, str(fault) or type(fault).__name__)
        return State.FAILED
    facts = {"lessons": len(lessons), "last_lesson": last_lesson, "folder": folder, "digest": digest}
    return State.READY if _swap_in(version, **facts) else ""


def _claim(version_pk: int) -> bool:
    rows = SolverVersion.objects.filter(pk=version_pk, state=State.ORDERED)
    return bool(rows.update(state=State.TRAINING, claimed_at=timezone.now()))


def _kind_of(version: SolverVersion) -> str:
    policy = policy_of(version.stage)
    if policy is None or version.solver not in policy.seats:
        raise LookupError(f"the stage has no solver {version.solver} any more")
    return policy.seats[version.solver][0]


def _lessons_for(version: SolverVersion) -> tuple[list[Told], int]:
    """What a solver begins with, and for a learning one what is accepted by now, with the last lesson's id."""
    stage = version.stage
    policy = policy_of(stage)
    lessons = seats.beginning(stage)
    if policy is None or not policy.seats.get(version.solver, ("", False))[1]:
        return lessons, 0
    rows = Lesson.objects.filter(stage=stage, challenge__isnull=False)
    last = rows.aggregate(last=Max("pk"))["last"] or 0
    # An acceptance that was taken back since is not learnt again.
    standing = rows.filter(pk__lte=last, challenge__item__state=Item.State.ACCEPTED).order_by("pk")
    return [*lessons, *(Told(text, answer) for text, answer in standing.values_list("text", "answer"))], last


@transaction.atomic
def _swap_in(version: SolverVersion, **facts: object) -> bool:
    """From one moment to the next: there is always one current version, and never a moment without.

    False: it took so long that it was given up, and a newer one may be there.
    """
    if not SolverVersion.objects.select_for_update().filter(pk=version.pk, state=State.TRAINING).exists():
        return False
    same = SolverVersion.objects.filter(stage=version.stage_id, solver=version.solver)
    same.filter(is_current=True).update(is_current=False)
    SolverVersion.objects.filter(pk=version.pk).update(
        state=State.READY, is_current=True, finished_at=timezone.now(), error="", **facts
    )
    record(
        "solver.trained",
        subject=version.stage,
        project_id=version.stage.project_id,
        solver=version.solver,
        number=version.number,
        lessons=facts["lessons"],
        digest=facts["digest"],
    )
    return True


@transaction.atomic
def _fail(version: SolverVersion, reason: str) -> None:
    SolverVersion.objects.filter(pk=version.pk).update(
        state=State.FAILED, finished_at=timezone.now(), error=reason[:2_000]
    )
    record(
        "solver.training_failed",
        subject=version.stage,
        project_id=version.stage.project_id,
        solver=version.solver,
        number=version.number,
        reason=reason[:500],
    )


def replace_damaged(*, stage: Stage, reason: str) -> None:
    """A version's files are gone or others: its solver begins again from its lessons, and a training is ordered."""
    for version in SolverVersion.objects.filter(stage=stage, is_current=True):
        try:
            files.sound(version)
        except files.Damaged as fault:
            with transaction.atomic():
                SolverVersion.objects.filter(pk=version.pk).update(is_current=False, state=State.FAILED)
                _fail(version, str(fault))
            order(stage=stage, solvers=[version.solver])
    log.warning("stage %s: %s", stage.pk, reason)


def give_up_dead() -> int:
    """Trainings whose worker died: they count as failed, and are ordered again when they are due."""
    now = timezone.now()
    is_old = Q(claimed_at__lt=now - LIGHT_TAKES_AT_MOST) & ~Q(solver__contains="/transformer:")
    dead = SolverVersion.objects.filter(is_old | Q(claimed_at__lt=now - TAKES_AT_MOST), state=State.TRAINING)
    count = 0
    for version in dead.select_related("stage"):
        _fail(version, "its worker ended before it was done")
        count += 1
    return count


def forgotten() -> list[int]:
    """Ordered trainings whose message may be lost."""
    late = timezone.now() - timedelta(seconds=30)
    return list(
        SolverVersion.objects.filter(state=State.ORDERED, ordered_at__lt=late).values_list("pk", flat=True)[:20]
    )
