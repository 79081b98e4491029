"""Carries intents out: send, classify what came back, settle the unknown by reading.

Only here does a call that changes something leave the house. Many dispatchers may run: a row is
claimed by a conditional update, with a lease. `sending` is committed before the first byte leaves,
so a process that dies in between leaves a row whose lease runs out and which becomes `unknown`.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string

from annotation.events.actions import acting_as, record
from annotation.providers import mturk, people
from annotation.providers.actions import plan
from annotation.providers.base import HITOffer, Provider, Refused, RemoteHIT, RuledOut, Throttled, Unclear
from annotation.providers.models import Intent

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=3)
# What one intent takes at most in the ordinary: no call begins with less of the lease left.
LONGEST_CALL = timedelta(minutes=1)
BATCH = 20
CLAIMED = ["state", "attempts", "first_sent_at", "last_sent_at"]
# The marketplace remembers tokens for 24 hours; we stop trusting them well before.
TOKEN_LIFE = timedelta(hours=20)
MOST_ATTEMPTS = 8
LOOK_AFTER = timedelta(seconds=30)
# A list may lag: only two looks, this long after the last send and apart, count as "not there".
ABSENT_AFTER = timedelta(hours=1)

UNREADABLE = "sent, but no answer came, and the marketplace keeps no list of it: it may have arrived; a person decides"

Send = Callable[[Provider, Intent], dict]
# None: nothing there to read. Such a call is never made twice by itself. Raises RuledOut where what is there
# excludes that the call took effect.
Look = Callable[[Provider, Intent], dict | None]


def dispatch(*, project_id: int | None = None, most: int = 10_000) -> int:
    """Carries out what is due, in batches, until nothing is or `most` intents were tried. Gives how many were."""
    tried = 0
    owner = get_random_string(12)
    began = timezone.now()
    expire_leases()
    while tried < most:
        claimed = _claim(owner, project_id, min(BATCH, most - tried), began)
        if not claimed:
            break
        with acting_as("dispatcher"):
            for intent in claimed:
                (_carry_out if _is_in_time(intent) else _put_back)(intent)
            _save(owner, claimed)
        tried += len(claimed)
    return tried


def expire_leases() -> int:
    """Rows whose dispatcher died in mid-call: what became of them is unknown."""
    now = timezone.now()
    return Intent.objects.filter(state=Intent.State.SENDING, lease_until__lt=now).update(
        state=Intent.State.UNKNOWN, due_at=now, error="the process that sent it died before it saw an answer"
    )


def _claim(owner: str, project_id: int | None, count: int, began: datetime) -> list[Intent]:
    now = timezone.now()
    with transaction.atomic():
        due = Intent.objects.filter(state__in=[Intent.State.PLANNED, Intent.State.UNKNOWN], due_at__lte=now)
        if project_id is not None:
            due = due.filter(project_id=project_id)
        rows = list(due.select_for_update(skip_locked=True).order_by("due_at", "id")[:count])
        for intent in rows:
            intent.as_claimed = {name: getattr(intent, name) for name in CLAIMED}
            intent.was_unknown = intent.state == Intent.State.UNKNOWN
            # A listing that one of this dispatch's looks began is good for all that were due before it.
            intent.listed_since = max(began, intent.due_at)
            intent.lease_owner, intent.lease_until = owner, now + LEASE
            intent.state = Intent.State.SENDING
            intent.attempts += 1
            intent.sends_again = not intent.was_unknown or _token_lives(intent, now)
            if not intent.was_unknown:
                intent.first_sent_at = intent.first_sent_at or now
                intent.last_sent_at = now
        Intent.objects.bulk_update(rows, [*CLAIMED, "lease_owner", "lease_until"])
    return rows


def _token_lives(intent: Intent, now: datetime) -> bool:
    return intent.first_sent_at is None or now - intent.first_sent_at < TOKEN_LIFE


def _is_in_time(intent: Intent) -> bool:
    """Whether a call may still begin: it must end before the lease does, or another dispatcher takes it up."""
    return timezone.now() < intent.lease_until - LONGEST_CALL


def _put_back(intent: Intent) -> None:
    """A claimed row that was not tried: as if it had never been claimed."""
    for name, value in intent.as_claimed.items():
        setattr(intent, name, value)


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
    except RuledOut as shown:
        intent.state, intent.error = Intent.State.REFUSED, str(shown)
        intent.result = {"code": shown.code, "status": shown.status}
    except Refused as refusal:
        if intent.was_unknown:
            # A no to this look, or to this sending, says nothing of the first one.
            _wait(intent, Intent.State.UNKNOWN, now, str(refusal))
        else:
            intent.state, intent.error = Intent.State.REFUSED, str(refusal)
            intent.result = {"code": refusal.code}
    except Unclear as unclear:
        _wait(intent, Intent.State.UNKNOWN, now, str(unclear))
    except Exception as fault:
        # A fault of our own after the call left says nothing about what happened there.
        log.exception("intent %s", intent.pk)
        _wait(intent, Intent.State.UNKNOWN, now, f"{type(fault).__name__}: {fault}")
    return intent


def _wait(intent: Intent, state: str, now: datetime, error: str) -> Intent:
    pause = min(LOOK_AFTER * 2 ** min(10, max(0, intent.attempts - 1)), timedelta(hours=1))
    if state == Intent.State.PLANNED:
        pause = min(timedelta(seconds=2 ** min(10, intent.attempts)), timedelta(minutes=5))
    intent.state, intent.error = state, error
    intent.due_at = now + pause * random.uniform(0.8, 1.2)
    return intent


def _not_found(intent: Intent, now: datetime) -> Intent:
    """The token is dead and the marketplace does not list it: twice so, well after the last send, means absent."""
    looks = intent.result.get("looks", [])
    if intent.listed_since - (intent.last_sent_at or now) >= ABSENT_AFTER:
        looks = [*looks, now.isoformat()]
    intent.result = {"looks": looks}
    if len(looks) >= 2:
        intent.state, intent.error = Intent.State.ABSENT, "sent, but never seen in the marketplace; a person decides"
        return intent
    intent.state = Intent.State.UNKNOWN
    intent.due_at = now + timedelta(minutes=15)
    return intent


# What the log tells of the ledger: its troubles. What went well shows in the room that asked for it.
VERBS = {
    Intent.State.REFUSED: "intent.refused",
    Intent.State.UNKNOWN: "intent.unknown",
    Intent.State.ABSENT: "intent.unknown",
}
SAVED = [*CLAIMED, "result", "error", "due_at", "lease_until"]


@transaction.atomic
def _save(owner: str, intents: list[Intent]) -> None:
    """Writes down what became of a batch, but for rows that another dispatcher took up since: it finds out itself."""
    held = Intent.objects.select_for_update().filter(pk__in=[intent.pk for intent in intents], lease_owner=owner)
    # Where only the lease ran out, what we know is more than the row says.
    known = set(held.filter(state__in=[Intent.State.SENDING, Intent.State.UNKNOWN]).values_list("pk", flat=True))
    for intent in intents:
        intent.lease_until = None
        if intent.pk not in known:
            log.error("intent %s was taken up by another dispatcher while this one carried it out", intent.pk)
        elif (verb := VERBS.get(intent.state)) and intent.state != intent.as_claimed["state"]:
            record(verb, subject=intent, project_id=intent.project_id, kind=intent.kind, error=intent.error)
    Intent.objects.bulk_update([intent for intent in intents if intent.pk in known], SAVED)


# --- What each kind sends, and how it is found again ----------------------------------------------


def _found_or_refused(send: Send, look: Look) -> tuple[Send, Look]:
    """Where the marketplace says no, it may be because that is so already, whoever did it: then it is done."""

    def sent(provider: Provider, intent: Intent) -> dict:
        try:
            return send(provider, intent)
        except Throttled:
            raise
        except Refused:
            if found := look(provider, intent):
                return found
            raise

    return sent, look


def _send_create_hit(provider: Provider, intent: Intent) -> dict:
    hit = provider.create_hit(HITOffer(**intent.request), token=intent.token)
    return _hit_result(hit)


def _look_for_hit(provider: Provider, intent: Intent) -> dict | None:
    found = provider.find_hits(intent.request["annotation"], since=intent.listed_since)
    if not found:
        return None
    # Never two HITs for one intent: workers could do the same work twice. The one that somebody works on stays, or
    # the older; on the other nobody starts any more, and who has started is paid by the marketplace's own clock.
    # Listed newest first, which tells apart those of the same second.
    kept, *doubles = sorted(reversed(found), key=lambda hit: (not hit.taken, hit.created_at or timezone.now()))
    for double in doubles:
        log.error("two HITs carry the annotation %s: %s is taken off", double.annotation, double.hit_id)
        key = f"{intent.environment}/double/{double.hit_id}/expire"
        plan(
            environment=intent.environment,
            kind="expire_hit",
            key=key,
            request={"hit_id": double.hit_id},
            project_id=intent.project_id,
        )
        record("hit.doubled", subject=intent, project_id=intent.project_id, kept=kept.hit_id, expired=double.hit_id)
    return _hit_result(kept)


def _hit_result(hit: RemoteHIT) -> dict:
    return {"hit_id": hit.hit_id, "expires_at": hit.expires_at.isoformat() if hit.expires_at else None}


def _send_approve(provider: Provider, intent: Intent) -> dict:
    request = intent.request
    try:
        provider.approve(
            request["assignment_id"], feedback=request.get("feedback", ""), override=request.get("override", False)
        )
    except Refused as refusal:
        if "InvalidAssignmentState" in refusal.code and not _status(provider, intent):
            # Submitted a moment ago and not yet to be decided on: the marketplace's lists lag.
            raise Throttled(refusal.code, str(refusal)) from refusal
        raise
    return {"status": "Approved"}


def _send_reject(provider: Provider, intent: Intent) -> dict:
    provider.reject(intent.request["assignment_id"], reason=intent.request["reason"])
    return {"status": "Rejected"}


def _status(provider: Provider, intent: Intent) -> str:
    """What the marketplace shows of the assignment; empty where it is not to be decided on (yet)."""
    try:
        return provider.get_assignment(intent.request["assignment_id"]).status
    except Refused as refusal:
        if "InvalidAssignmentState" in refusal.code or "DoesNotExist" in refusal.code:
            return ""
        raise


def _look_for_approval(provider: Provider, intent: Intent) -> dict | None:
    """Already in the wanted state counts as done, whoever did it (the marketplace approves by itself in time)."""
    status = _status(provider, intent)
    if status == "Rejected" and not intent.request.get("override"):
        raise RuledOut(status, "the marketplace shows this work as rejected")
    return {"status": status, "already": True} if status == "Approved" else None


def _look_for_rejection(provider: Provider, intent: Intent) -> dict | None:
    status = _status(provider, intent)
    if status == "Approved":
        raise RuledOut(status, "the marketplace shows this work as approved")
    return {"status": status, "already": True} if status == "Rejected" else None


def _send_bonus(provider: Provider, intent: Intent) -> dict:
    request = intent.request
    # Whom to pay is what the marketplace says now, never what our row says.
    worker_id = provider.get_assignment(request["assignment_id"]).worker_id
    if intent.attempts > 1 and (found := _look_for_bonus(provider, intent)):
        return found
    provider.send_bonus(
        request["assignment_id"],
        worker_id=worker_id,
        cents=request["cents"],
        reason=request["reason"],
        token=intent.token,
    )
    return {"cents": request["cents"]}


def _look_for_bonus(provider: Provider, intent: Intent) -> dict | None:
    for bonus in provider.list_bonuses(intent.request["assignment_id"]):
        if bonus.reason == intent.request["reason"] and bonus.cents == intent.request["cents"]:
            return {"cents": bonus.cents, "already": True}
    return None


def _send_expire(provider: Provider, intent: Intent) -> dict:
    provider.expire_hit(intent.request["hit_id"])
    return {"expired": True}


def _look_for_expiry(provider: Provider, intent: Intent) -> dict | None:
    hit = provider.get_hit(intent.request["hit_id"])
    return {"expired": True} if hit.expires_at and hit.expires_at <= timezone.now() else None


KINDS: dict[str, tuple[Send, Look | None]] = {
    "create_hit": (_send_create_hit, _look_for_hit),
    "approve": _found_or_refused(_send_approve, _look_for_approval),
    "reject": _found_or_refused(_send_reject, _look_for_rejection),
    "bonus": _found_or_refused(_send_bonus, _look_for_bonus),
    "expire_hit": _found_or_refused(_send_expire, _look_for_expiry),
    "create_qualification": (people.send_create, people.look_for_type),
    "grant": (people.send_grant, people.look_for_grant),
    "revoke": _found_or_refused(people.send_revoke, people.look_for_revocation),
    "answer_request": _found_or_refused(people.send_answer, people.look_for_answer),
    "notify": (people.send_message, None),
}
