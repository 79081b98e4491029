"""Carries a test along: takes trials in, decides them, pays them, tells their workers.

Every trial is paid, whatever its verdict: at once, or with the verdict where the programme waits for it. The
marketplace is told by grants (`annotation.workers.qualifying`), the worker by the words of the approval or, where
the trial is paid already, by a message. Each step leaves a row that the next run finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotation.events.actions import record
from annotation.hits.models import Assignment
from annotation.hits.paying import MOST_WORDS, THANKS, approve
from annotation.hits.queries import assignment_key
from annotation.projects.actions import Refused
from annotation.projects.models import Project
from annotation.providers import jobs as provider_jobs
from annotation.providers.actions import absorb, plan
from annotation.providers.models import Intent
from annotation.providers.queries import results
from annotation.trials.models import Grade, Programme, Trial, Verdict
from annotation.waking import wake
from annotation.workers import qualifying

TAKEN = [Assignment.State.SUBMITTED, Assignment.State.APPROVED]
STATES = {Verdict.PASS: Trial.State.PASSED, Verdict.FAIL: Trial.State.FAILED, Verdict.AGAIN: Trial.State.AGAIN}
RESULTS = {
    Trial.State.PASSED: "You passed the test. You may now do the HITs that ask for the qualification “{name}”.",
    Trial.State.FAILED: "You did not pass the test. It is paid all the same; thank you for your work.",
    Trial.State.AGAIN: "You did not pass the test yet. It is paid, and you may take it once more, with other items.",
}
ONE_TOO_MANY = (
    "This was one test more than a worker may take, so nobody reads it. "
    "It is paid, and changes nothing about the others."
)
MOST_MESSAGE = 4_000
MOST_SUBJECT = 200


def carry_on(*, project: Project) -> int:
    """What the clock does for a project's tests. Gives how many trials were taken in."""
    taken = take_in(project=project)
    pay_trials(project=project)
    tell_verdicts(project=project)
    for kind in ("notify", "answer_request"):
        # Nothing hangs on these: what failed stays in the ledger, among what a person should look at.
        absorb(intents=list(results(kind, project.pk).values_list("pk", flat=True)))
    return taken


def take_in(*, project: Project) -> int:
    """Makes a Trial of each trial that the marketplace confirmed, and notes there that its worker took the test."""
    rows = Assignment.objects.filter(hit__project=project, hit__trial_of__isnull=False, state__in=TAKEN)
    rows = rows.filter(~Exists(Trial.objects.filter(assignment=OuterRef("pk"))))
    count = 0
    for assignment in rows.select_related("hit__trial_of", "worker").order_by("submitted_at", "id"):
        count += _take(assignment)
    return count


@transaction.atomic
def _take(assignment: Assignment) -> bool:
    programme = Programme.objects.select_for_update().filter(qualification=assignment.hit.trial_of_id).first()
    if programme is None or Trial.objects.filter(assignment=assignment).exists():
        return False
    attempt = programme.trials.filter(worker=assignment.worker).count() + 1
    trial = Trial(programme=programme, worker=assignment.worker, assignment=assignment, attempt=attempt)
    if attempt > programme.most_attempts:
        # Begun beside another one, before that was known: paid like all, and read by nobody.
        trial.state, trial.feedback, trial.told = Trial.State.FAILED, ONE_TOO_MANY, "approval"
        trial.decided_at = timezone.now()
        if assignment.state == Assignment.State.SUBMITTED:
            approve(assignment=assignment, feedback=ONE_TOO_MANY)
    trial.save()
    project_id = assignment.hit.project_id
    record("trial.taken", subject=trial, project_id=project_id, worker=assignment.worker.pseudonym, attempt=attempt)
    qualifying.mark_as_taken(qualification=assignment.hit.trial_of, worker=assignment.worker)
    return True


def decide(*, trial: Trial, grades: Sequence[Grade]) -> None:
    """Gives a trial its verdict, in the graders' transaction: what the worker holds from now on, and what they read."""
    programme, verdict = trial.programme, grades[0].verdict
    shares = [sum(one.points.values()) / programme.most_points for one in grades]
    trial.state, trial.points = STATES[verdict], sum(shares) / len(shares)
    trial.feedback = "\n\n".join(dict.fromkeys(one.feedback for one in grades if one.feedback))
    trial.decided_at = timezone.now()
    trial.save(update_fields=["state", "points", "feedback", "decided_at"])
    _have_it_known(trial)
    record(
        "trial.decided",
        subject=trial,
        project_id=programme.stage.project_id,
        worker=trial.worker.pseudonym,
        verdict=verdict,
        points=round(trial.points, 3),
        graders=[f"user:{one.grader_id}" for one in grades],
    )
    tell(trial=trial)


def _have_it_known(trial: Trial) -> None:
    """What the marketplace is to know of the worker. Somebody who was given it by hand meanwhile keeps it."""
    qualification, worker = trial.programme.qualification, trial.worker
    standing = qualification.grants.filter(worker=worker, revoked_at=None).first()
    if trial.state == Trial.State.PASSED:
        value = max(1, round(100 * (trial.points or 0)))
        qualifying.grant(qualification=qualification, worker=worker, value=value, reason="passed the test")
    elif standing is not None and standing.value == 0 and trial.state == Trial.State.AGAIN:
        reason = "You may take the qualification test once more."
        qualifying.revoke(qualification=qualification, worker=worker, reason=reason, may_retake=True)


# --- Pay ------------------------------------------------------------------------------------------


def pay_trials(*, project: Project) -> int:
    """Wants trials approved whose time to wait for a verdict is over. Gives how many were asked for."""
    rows = (
        Trial.objects.filter(programme__stage__project=project, assignment__state=Assignment.State.SUBMITTED, told="")
        .filter(assignment__settlement="")
        .select_related("programme", "assignment__hit")
    )
    count = 0
    for trial in rows:
        waits = timedelta(hours=trial.programme.approve_after_hours)
        if (trial.assignment.submitted_at or trial.taken_at) + waits > timezone.now():
            continue
        if _is_asked_for(trial.assignment):
            continue  # under way, or refused: then it is among the problems that a person looks at
        approve(assignment=trial.assignment, feedback=THANKS)
        count += 1
    return count


def _is_asked_for(assignment: Assignment) -> bool:
    return Intent.objects.filter(key=assignment_key(assignment, "approve")).exists()


# --- Words ----------------------------------------------------------------------------------------


def words_to(trial: Trial) -> str:
    """What a worker reads of the verdict."""
    result = RESULTS[trial.state].format(name=trial.programme.qualification.name)
    return f"{result}\n\n{trial.feedback}".strip() if trial.feedback else result


def tell_verdicts(*, project: Project) -> int:
    """Tells workers what came of their trials, where that was not possible with the verdict."""
    rows = Trial.objects.filter(programme__stage__project=project, state__in=Trial.DECIDED, told="")
    return sum(tell(trial=trial) for trial in rows)


@transaction.atomic
def tell(*, trial: Trial) -> bool:
    """With the approval where it was not asked for yet; by a message once the trial is paid (before, none arrives).

    Counts as told once the marketplace has taken the words: it approves by itself in time, and then ours are not read.
    Gives whether something was done.
    """
    row = (
        Trial.objects.select_for_update(of=("self",))
        .select_related("assignment__hit", "programme__qualification", "programme__stage__project")
        .get(pk=trial.pk)
    )
    if row.told or not row.is_decided:
        return False
    words, assignment = words_to(row), row.assignment
    if assignment.state == Assignment.State.SUBMITTED and not _is_asked_for(assignment) and len(words) <= MOST_WORDS:
        try:
            approve(assignment=assignment, feedback=words)
        except Refused:
            return False
        return True
    if assignment.state not in (Assignment.State.APPROVED, Assignment.State.REJECTED):
        return False
    came_with_pay = _came_with_pay(assignment, words)
    if came_with_pay is None:
        return False
    if not came_with_pay:
        _send_message(row, words)
    row.told = "approval" if came_with_pay else "message"
    row.save(update_fields=["told"])
    return True


def _came_with_pay(assignment: Assignment, words: str) -> bool | None:
    """Whether the marketplace took these words with the approval; None while that is under way."""
    intent = Intent.objects.filter(key=assignment_key(assignment, "approve")).first()
    if intent is None or intent.request["feedback"] != words:
        return False
    if intent.state in (Intent.State.PLANNED, Intent.State.SENDING, Intent.State.UNKNOWN):
        return None
    # "already": approved before our call came, or the answer to our call was lost. Told twice is better than not.
    return intent.state == Intent.State.CONFIRMED and not intent.result.get("already")


def _send_message(trial: Trial, words: str) -> None:
    qualification = trial.programme.qualification
    plan(
        environment=qualification.environment,
        kind="notify",
        key=f"{qualification.environment}/trial/{trial.pk}/verdict",
        request={
            "worker": trial.worker_id,
            "subject": f"Your qualification test: {qualification.name}"[:MOST_SUBJECT],
            "text": words[:MOST_MESSAGE],
        },
        project_id=trial.programme.stage.project_id,
    )
    wake(provider_jobs.sweep)
