"""Makes qualifications, says who holds them, and has the marketplace follow.

What is wanted is a row; what the marketplace is told is an intent, one a worker at a time. Where a call's
outcome is unknown, the ledger reads the worker's value there before it sends anything again: nobody is granted
twice, and no late answer undoes a newer wish.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.events.actions import current_actor, record
from annotation.projects.actions import Refused
from annotation.projects.models import Project, Stage
from annotation.providers import jobs as provider_jobs
from annotation.providers.actions import absorb, plan
from annotation.providers.models import Intent
from annotation.providers.queries import results
from annotation.waking import wake
from annotation.workers.models import Grant, Qualification, Worker

MOST_VALUE = 100
MOST_REASON = 1_000
MOST_DESCRIPTION = 2_000
KEYWORDS = "qualification test"


# --- Qualifications -------------------------------------------------------------------------------


@transaction.atomic
def make_qualification(*, project: Project, name: str, description: str) -> Qualification:
    """Makes a qualification and wants its type made at the project's marketplace."""
    name, description = " ".join(name.split()), description.strip()
    if not name or len(name) > 120:
        raise Refused(f"a qualification's name has 1 to 120 characters, found {len(name)}; workers read it")
    if not description or len(description) > MOST_DESCRIPTION:
        raise Refused(f"its description has 1 to {MOST_DESCRIPTION:,} characters, found {len(description):,}")
    if project.qualifications.filter(name=name).exists():
        raise Refused(f"{project.slug} has a qualification {name!r} already")
    try:
        with transaction.atomic():
            made = Qualification.objects.create(
                project=project, environment=project.environment, name=name, description=description
            )
    except IntegrityError:
        raise Refused(f"{project.slug} has a qualification {name!r} already") from None
    plan(
        environment=made.environment,
        kind="create_qualification",
        key=f"{made.environment}/qualification/{made.pk}/create",
        request={"name": made.marketplace_name, "description": made.description, "keywords": KEYWORDS},
        project_id=project.pk,
    )
    record("qualification.made", subject=made, project_id=project.pk, name=name)
    wake(provider_jobs.sweep)
    return made


@transaction.atomic
def require(*, qualification: Qualification, stage: Stage) -> None:
    """Has a stage's HITs ask for a qualification from now on. HITs that are out keep what they asked for."""
    if stage.project.environment != qualification.environment:
        raise Refused(
            f"{qualification.name!r} is of the marketplace {qualification.environment!r}, "
            f"the stage is published at {stage.project.environment!r}"
        )
    if not stage.crowd:
        raise Refused(f"{stage.name} is the experts': no marketplace offers its items")
    if not stage.qualifications.filter(pk=qualification.pk).exists():
        stage.qualifications.add(qualification)
        about = {"qualification": qualification.pk, "name": qualification.name}
        record("qualification.required", subject=stage, project_id=stage.project_id, **about)


@transaction.atomic
def no_longer_require(*, qualification: Qualification, stage: Stage) -> None:
    if stage.qualifications.filter(pk=qualification.pk).exists():
        stage.qualifications.remove(qualification)
        about = {"qualification": qualification.pk, "name": qualification.name}
        record("qualification.not_required", subject=stage, project_id=stage.project_id, **about)


# --- Who holds them -------------------------------------------------------------------------------


@transaction.atomic
def grant(*, qualification: Qualification, worker: Worker, value: int, reason: str = "") -> Grant:
    """Gives a worker a value in a qualification. The same again changes nothing."""
    if not 0 <= value <= MOST_VALUE:
        raise Refused(f"a value in a qualification is between 0 and {MOST_VALUE}, found {value}")
    if worker.environment != qualification.environment:
        raise Refused("this worker works at another marketplace")
    row = _locked(qualification, worker)
    if row.generation and row.stands and row.value == value and not row.problem:
        return row
    row.value, row.reason = value, _words(reason)
    row.granted_by, row.granted_at = current_actor(), timezone.now()
    row.revoked_at, row.revoked_by, row.revoked_reason, row.may_retake = None, "", "", False
    _wish(row)
    record("grant.made", subject=row, project_id=qualification.project_id, worker=worker.pseudonym, value=value)
    return row


@transaction.atomic
def mark_as_taken(*, qualification: Qualification, worker: Worker) -> Grant:
    """Notes at the marketplace that a worker took the test: the value 0, unless they hold the qualification."""
    row = Grant.objects.filter(qualification=qualification, worker=worker).first()
    if row is not None and row.stands:
        return row
    return grant(qualification=qualification, worker=worker, value=0, reason="took the qualification test")


@transaction.atomic
def revoke(*, qualification: Qualification, worker: Worker, reason: str, may_retake: bool = False) -> Grant:
    """Takes a qualification from a worker, who reads the reason. HITs that they have open they may finish."""
    words = _words(reason)
    if not words:
        raise Refused("taking a qualification away needs a reason; the worker reads it")
    row = Grant.objects.select_for_update().filter(qualification=qualification, worker=worker).first()
    if row is None or not row.stands:
        raise Refused("this worker does not hold the qualification")
    row.revoked_at, row.revoked_by, row.revoked_reason = timezone.now(), current_actor(), words
    row.may_retake = may_retake
    _wish(row)
    about = {"worker": worker.pseudonym, "reason": words, "may_retake": may_retake}
    record("grant.revoked", subject=row, project_id=qualification.project_id, **about)
    return row


@transaction.atomic
def send_again(*, grant: Grant) -> Grant:
    """Wants what the marketplace refused asked for once more."""
    row = Grant.objects.select_for_update().get(pk=grant.pk)
    if not row.problem:
        raise Refused("the marketplace has not refused this")
    _wish(row)
    return row


def _locked(qualification: Qualification, worker: Worker) -> Grant:
    fresh = {"value": 0, "granted_by": current_actor(), "granted_at": timezone.now()}
    row, _ = Grant.objects.get_or_create(qualification=qualification, worker=worker, defaults=fresh)
    return Grant.objects.select_for_update().get(pk=row.pk)


def _words(text: str) -> str:
    words = text.strip()
    if len(words) > MOST_REASON:
        raise Refused(f"a reason has at most {MOST_REASON:,} characters, found {len(words):,}")
    return words


def _wish(row: Grant) -> None:
    row.generation += 1
    row.problem = ""
    row.save()
    _follow(row)


def _follow(row: Grant) -> None:
    """Plans the call for the newest wish, unless an earlier one is under way or the type is not there yet."""
    qualification = row.qualification
    if row.sent_generation > row.settled_generation or row.settled_generation >= row.generation:
        return
    if not qualification.type_id:
        return
    if row.stands:
        kind, said = "grant", {"value": row.value}
    else:
        kind, said = "revoke", {"reason": row.revoked_reason}
    row.sent_generation = row.generation
    row.save(update_fields=["sent_generation"])
    plan(
        environment=qualification.environment,
        kind=kind,
        key=f"{qualification.environment}/grant/{row.pk}/{row.generation}",
        request={"type_id": qualification.type_id, "worker": row.worker_id, **said},
        project_id=qualification.project_id,
    )
    wake(provider_jobs.sweep)


# --- What became of it ----------------------------------------------------------------------------


def absorb_qualifications(*, project: Project) -> int:
    """Takes in what became of a project's qualification types and grants, and plans what they waited for."""
    taken = 0
    for kind, take in (("create_qualification", _take_type), ("grant", _take_grant), ("revoke", _take_grant)):
        while count := _absorb_some(project, kind, take):
            taken += count
    return taken


@transaction.atomic
def _absorb_some(project: Project, kind: str, take) -> int:
    rows = list(results(kind, project.pk).select_for_update()[:200])
    for intent in rows:
        take(intent)
    absorb(intents=[intent.pk for intent in rows])
    return len(rows)


def _take_type(intent: Intent) -> None:
    made = Qualification.objects.select_for_update().get(pk=int(intent.key.split("/")[2]))
    if intent.state == Intent.State.CONFIRMED:
        made.state, made.type_id, made.error = Qualification.State.READY, intent.result["type_id"], ""
        record("qualification.offered", subject=made, project_id=made.project_id)
    else:
        made.state, made.error = Qualification.State.REFUSED, intent.error
        record("qualification.refused", subject=made, project_id=made.project_id, error=intent.error)
    made.save(update_fields=["state", "type_id", "error"])
    for row in made.grants.select_related("qualification").select_for_update(of=("self",)):
        row.qualification = made
        _follow(row)


def _take_grant(intent: Intent) -> None:
    _, _, number, generation = intent.key.split("/")
    row = Grant.objects.select_related("qualification", "worker").select_for_update(of=("self",)).get(pk=int(number))
    row.settled_generation = int(generation)
    about = {"subject": row, "project_id": intent.project_id, "worker": row.worker.pseudonym}
    if intent.state == Intent.State.CONFIRMED:
        row.value_there = intent.request.get("value")
        row.problem = ""
        record("grant.confirmed", value=row.value_there, **about)
    else:
        row.problem = intent.error
        record("grant.refused", error=intent.error, **about)
    row.save(update_fields=["settled_generation", "value_there", "problem"])
    _follow(row)
