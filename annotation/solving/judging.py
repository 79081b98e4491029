"""Asks the solvers of a stage, and keeps what they answered. Runs in a job: see `jobs.py`."""

from __future__ import annotations

import logging
from datetime import timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotation.events.actions import record
from annotation.events.models import Event
from annotation.projects.models import Stage
from annotation.solving import seats, training
from annotation.solving.asking import policy_of
from annotation.solving.files import Damaged
from annotation.solving.models import Attempt, Challenge

log = logging.getLogger(__name__)
State = Challenge.State
# The log tells of an outage once, not at every question.
TELL_AGAIN_AFTER = timedelta(hours=1)
# A page that nobody has open any more waits for no verdict.
PAGE_IS_GONE_AFTER = timedelta(hours=2)
MESSAGE_IS_LATE_AFTER = timedelta(seconds=5)


def judge(challenge_pk: int) -> str:
    """Ask every solver of the policy about a question that waits, and keep all of it at once. Gives where it stands.

    A solver that fails leaves the question waiting: it is held, and asked about again by the sweep, after those that
    were not tried as lately. So does one that takes too long; that is raised.
    """
    rows = Challenge.objects.select_related("item__stage__project")
    challenge = rows.filter(pk=challenge_pk, state=State.WAITING).first()
    if challenge is None:
        return ""
    stage = challenge.item.stage
    policy = policy_of(stage)
    if policy is None:  # the solvers were dismissed meanwhile
        return _keep(challenge, State.HOLDS, [])
    try:
        attempts = _attempts(challenge, seats.seated(stage, policy))
    except SoftTimeLimitExceeded:
        _put_back(challenge_pk)
        raise
    except Damaged as fault:
        training.replace_damaged(stage=stage, reason=str(fault))
        return _put_back(challenge_pk)
    except Exception as fault:
        log.exception("the solvers of stage %s could not be asked", stage.pk)
        tell_outage(stage, str(fault) or type(fault).__name__)
        return _put_back(challenge_pk)
    verdict = policy.verdict({attempt.solver: attempt.is_right for attempt in attempts})
    return _keep(challenge, verdict, attempts)


def _attempts(challenge: Challenge, bench: dict[str, seats.Seat]) -> list[Attempt]:
    made = []
    for name, seat in bench.items():
        guess = seat.solver.answer(challenge.text)
        made.append(
            Attempt(
                challenge=challenge,
                solver=name,
                version=seat.version,
                answer=guess.answer,
                score=round(guess.score, 6),
                is_right=guess.answer == challenge.right,
            )
        )
    return made


def _put_back(challenge_pk: int) -> str:
    Challenge.objects.filter(pk=challenge_pk).update(tried_at=timezone.now())
    return str(State.WAITING)


@transaction.atomic
def _keep(challenge: Challenge, state: str, attempts: list[Attempt]) -> str:
    """Whoever is first has the word; another job that asked meanwhile changes nothing."""
    now = timezone.now()
    if Challenge.objects.filter(pk=challenge.pk, state=State.WAITING).update(state=state, judged_at=now):
        Attempt.objects.bulk_create(attempts)
    return str(state)


def tell_outage(stage: Stage, reason: str) -> None:
    """A line in the project's log, once an hour."""
    lately = Event.objects.filter(
        project_id=stage.project_id, verb="solvers.failed", at__gt=timezone.now() - TELL_AGAIN_AFTER
    )
    if not lately.exists():
        record("solvers.failed", subject=stage, project_id=stage.project_id, reason=reason[:500])


def overdue():
    """Questions that wait although their message should have come: handed in, or on a page that may still be open.

    Those that were never tried come first, so that none which takes too long stands in the way of others.
    """
    now = timezone.now()
    rows = Challenge.objects.filter(state=State.WAITING, asked_at__lt=now - MESSAGE_IS_LATE_AFTER)
    open_page = rows.filter(asked_at__gt=now - PAGE_IS_GONE_AFTER)
    return (rows.filter(is_handed_in=True) | open_page).order_by(F("tried_at").asc(nulls_first=True), "asked_at")
