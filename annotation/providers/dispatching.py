"""Carries intents out: send, classify what came back, settle the unknown by reading.

Only here does a call that changes something leave the house. Many dispatchers may run: a row is
claimed by a conditional update, with a lease. `sending` is committed before the first byte leaves,
so a process that dies in between leaves a row whose lease runs out and which becomes `unknown`.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string

from annotation.events.actions import acting_as, record
from annotation.providers import mturk, people
from annotation.providers.base import HITOffer, Provider, Refused, Throttled, Unclear
from annotation.providers.models import Intent

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=3)
BATCH = 20
# The marketplace remembers tokens for 24 hours; we stop trusting them well before.
TOKEN_LIFE = timedelta(hours=20)
MOST_ATTEMPTS = 8
LOOK_AFTER = timedelta(seconds=30)
# A list may lag: only two looks, this long after the last send and apart, count as "not there".
ABSENT_AFTER = timedelta(hours=1)

UNREADABLE = "sent, but no answer came, and the marketplace keeps no list of it: it may have arrived; a person decides"

Send = Callable[[Provider, Intent], dict]
# None: nothing there to read. Such a call is never made twice by itself.
Look = Callable[[Provider, Intent], dict | None]


def dispatch(*, project_id: int | None = None, most: int = 10_000) -> int:
    """Carries out what is due, in batches, until nothing is or `most` intents were tried. Gives how many were."""
    tried = 0
    owner = get_random_string(12)
    expire_leases()
    while tried < most:
        claimed = _claim(owner, project_id, min(BATCH, most - tried))
        if not claimed:
            break
        with acting_as("dispatcher"):
            done = [_carry_out(intent) for intent in claimed]
            _save(done)
        tried += len(claimed)
    return tried


def expire_leases() -> int:
    """Rows whose dispatcher died in mid-call: what became of them is unknown."""
    now = timezone.now()
    return Intent.objects.filter(state=Intent.State.SENDING, lease_until__lt=now).update(
        state=Intent.State.UNKNOWN, due_at=now, error="the process that sent it died before it saw an answer"
    )


def _claim(owner: str, project_id: int | None, count: int) -> list[Intent]:
    now = timezone.now()
    with transaction.atomic():
        due = Intent.objects.filter(state__in=[Intent.State.PLANNED, Intent.State.UNKNOWN], due_at__lte=now)
        if project_id is not None:
            due = due.filter(project_id=project_id)
        rows = list(due.select_for_update(skip_locked=True).order_by("due_at", "id")[:count])
        for intent in rows:
            intent.was_unknown = intent.state == Intent.State.UNKNOWN
            intent.lease_owner, intent.lease_until = owner, now + LEASE
            intent.state = Intent.State.SENDING
            intent.attempts += 1
            intent.sends_again = not intent.was_unknown or _token_lives(intent, now)
            if not intent.was_unknown:
                intent.first_sent_at = intent.first_sent_at or now
                intent.last_sent_at = now
        Intent.objects.bulk_update(
            rows, ["state", "lease_owner", "lease_until", "attempts", "first_sent_at", "last_sent_at"]
        )
    return rows


def _token_lives(intent: Intent, now) -> bool:
    return intent.first_sent_at is None or now - intent.first_sent_at < TOKEN_LIFE


def _carry_out(intent: Intent) -> Intent:
    """One intent, one call or one look; the row is changed in memory and saved by the caller."""
    send, look = KINDS[intent.kind]
    now = timezone.now()
    intent.error = ""
    try:
        provider = mturk.connect(intent.environment)
        if intent.was_unknown and look is None:
            intent.state, intent.error = Intent.State.ABSENT, UNREADABLE
            return intent
        if intent.was_unknown:
            found = look(provider, intent)
            if found is not None:
                intent.state, intent.result = Intent.State.CONFIRMED, found
                return intent
            if not intent.sends_again:
                return _not_found(intent, now)
            if intent.attempts > MOST_ATTEMPTS:
                return _wait(intent, Intent.State.UNKNOWN, now, "tried often enough; a person should look")
            intent.last_sent_at = now
        intent.result = send(provider, intent)
        intent.state = Intent.State.CONFIRMED
    except Throttled as throttled:
        # Definitely not done; but what was unknown before stays unknown.
        state = Intent.State.UNKNOWN if intent.was_unknown else Intent.State.PLANNED
        _wait(intent, state, now, str(throttled))
    except Refused as refusal:
        intent.state, intent.error = Intent.State.REFUSED, str(refusal)
        intent.result = {"code": refusal.code}
    except Unclear as unclear:
        _wait(intent, Intent.State.UNKNOWN, now, str(unclear))
    except Exception as fault:
        # A fault of our own after the call left says nothing about what happened there.
        log.exception("intent %s", intent.pk)
        _wait(intent, Intent.State.UNKNOWN, now, f"{type(fault).__name__}: {fault}")
    return intent


def _wait(intent: Intent, state: str, now, error: str) -> Intent:
    pause = min(LOOK_AFTER * 2 ** max(0, intent.attempts - 1), timedelta(hours=1))
    if state == Intent.State.PLANNED:
        pause = min(timedelta(seconds=2**intent.attempts), timedelta(minutes=5))
    intent.state, intent.error = state, error
    intent.due_at = now + pause * random.uniform(0.8, 1.2)
    return intent


def _not_found(intent: Intent, now) -> Intent:
    """The token is dead and the marketplace does not list it: twice so, well after the last send, means absent."""
    looks = intent.result.get("looks", [])
    if now - (intent.last_sent_at or now) >= ABSENT_AFTER:
        looks = [*looks, now.isoformat()]
    intent.result = {"looks": looks}
    if len(looks) >= 2:
        intent.state, intent.error = Intent.State.ABSENT, "sent, but never seen in the marketplace; a person decides"
        return intent
    intent.state = Intent.State.UNKNOWN
    intent.due_at = now + timedelta(minutes=15)
    return intent


VERBS = {
    Intent.State.CONFIRMED: "intent.confirmed",
    Intent.State.REFUSED: "intent.refused",
    Intent.State.UNKNOWN: "intent.unknown",
    Intent.State.ABSENT: "intent.unknown",
}
SAVED = ["state", "result", "error", "due_at", "last_sent_at", "lease_until"]


@transaction.atomic
def _save(intents: list[Intent]) -> None:
    for intent in intents:
        intent.lease_until = None
        # What went well shows in the room that asked for it; the ledger's own events are its troubles.
        if intent.state in VERBS and intent.state != Intent.State.CONFIRMED:
            record(
                VERBS[intent.state], subject=intent, project_id=intent.project_id, kind=intent.kind, error=intent.error
            )
    Intent.objects.bulk_update(intents, SAVED)


# --- What each kind sends, and how it is found again ----------------------------------------------


def _send_create_hit(provider: Provider, intent: Intent) -> dict:
    hit = provider.create_hit(HITOffer(**intent.request), token=intent.token)
    return _hit_result(hit)


def _look_for_hit(provider: Provider, intent: Intent) -> dict | None:
    found = [hit for hit in provider.list_hits() if hit.annotation == intent.request["annotation"]]
    for double in found[1:]:
        # Never two HITs for one intent: workers could do the same work twice.
        log.error("two HITs carry the annotation %s; expiring the younger", double.annotation)
        provider.expire_hit(double.hit_id)
    return _hit_result(found[0]) if found else None


def _hit_result(hit) -> dict:
    result = asdict(hit)
    result["expires_at"] = hit.expires_at.isoformat() if hit.expires_at else None
    return result


def _send_approve(provider: Provider, intent: Intent) -> dict:
    request = intent.request
    try:
        provider.approve(
            request["assignment_id"], feedback=request.get("feedback", ""), override=request.get("override", False)
        )
    except Throttled:
        raise
    except Refused as refusal:
        if found := _look_for_status(provider, intent, "Approved"):
            return found
        if _status(provider, intent) == "" and "InvalidAssignmentState" in refusal.code:
            # Submitted a moment ago and not yet to be decided on: the marketplace's lists lag.
            raise Throttled(refusal.code, str(refusal)) from refusal
        raise
    return {"status": "Approved"}


def _send_reject(provider: Provider, intent: Intent) -> dict:
    try:
        provider.reject(intent.request["assignment_id"], reason=intent.request["reason"])
    except Throttled:
        raise
    except Refused:
        if found := _look_for_status(provider, intent, "Rejected"):
            return found
        raise
    return {"status": "Rejected"}


def _status(provider: Provider, intent: Intent) -> str:
    try:
        return provider.get_assignment(intent.request["assignment_id"]).status
    except Refused:
        return ""


def _look_for_status(provider: Provider, intent: Intent, wanted: str) -> dict | None:
    """Already in the wanted state counts as done, whoever did it (the marketplace approves by itself in time)."""
    return {"status": wanted, "already": True} if _status(provider, intent) == wanted else None


def _look_for_approval(provider: Provider, intent: Intent) -> dict | None:
    return _look_for_status(provider, intent, "Approved")


def _look_for_rejection(provider: Provider, intent: Intent) -> dict | None:
    return _look_for_status(provider, intent, "Rejected")


def _send_bonus(provider: Provider, intent: Intent) -> dict:
    request = intent.request
    # Whom to pay is what the marketplace says now, never what our row says.
    worker_id = provider.get_assignment(request["assignment_id"]).worker_id
    if intent.attempts > 1 and (found := _look_for_bonus(provider, intent)):
        return found
    try:
        provider.send_bonus(
            request["assignment_id"],
            worker_id=worker_id,
            cents=request["cents"],
            reason=request["reason"],
            token=intent.token,
        )
    except Throttled:
        raise
    except Refused:
        if found := _look_for_bonus(provider, intent):
            return found
        raise
    return {"cents": request["cents"]}


def _look_for_bonus(provider: Provider, intent: Intent) -> dict | None:
    for bonus in provider.list_bonuses(intent.request["assignment_id"]):
        if bonus.reason == intent.request["reason"] and bonus.cents == intent.request["cents"]:
            return {"cents": bonus.cents, "already": True}
    return None


def _send_expire(provider: Provider, intent: Intent) -> dict:
    try:
        provider.expire_hit(intent.request["hit_id"])
    except Throttled:
        raise
    except Refused:
        if found := _look_for_expiry(provider, intent):
            return found
        raise
    return {"expired": True}


def _look_for_expiry(provider: Provider, intent: Intent) -> dict | None:
    hit = provider.get_hit(intent.request["hit_id"])
    return {"expired": True} if hit.expires_at and hit.expires_at <= timezone.now() else None


def _send_delete(provider: Provider, intent: Intent) -> dict:
    try:
        provider.delete_hit(intent.request["hit_id"])
    except Throttled:
        raise
    except Refused:
        if found := _look_for_deletion(provider, intent):
            return found
        raise
    return {"deleted": True}


def _look_for_deletion(provider: Provider, intent: Intent) -> dict | None:
    try:
        hit = provider.get_hit(intent.request["hit_id"])
    except Throttled:
        raise
    except Refused as refusal:
        return {"deleted": True} if "DoesNotExist" in refusal.code else None
    return {"deleted": True} if hit.status == "Disposed" else None


KINDS: dict[str, tuple[Send, Look | None]] = {
    "create_hit": (_send_create_hit, _look_for_hit),
    "approve": (_send_approve, _look_for_approval),
    "reject": (_send_reject, _look_for_rejection),
    "bonus": (_send_bonus, _look_for_bonus),
    "expire_hit": (_send_expire, _look_for_expiry),
    "delete_hit": (_send_delete, _look_for_deletion),
    "create_qualification": (people.send_create, people.look_for_type),
    "grant": (people.send_grant, people.look_for_grant),
    "revoke": (people.send_revoke, people.look_for_revocation),
    "answer_request": (people.send_answer, people.look_for_answer),
    "notify": (people.send_message, None),
}
