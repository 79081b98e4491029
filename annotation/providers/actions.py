"""The ledger's own moves: plan what is wanted, call it off, try again what was refused, say that a result was taken."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.events.actions import current_actor, record
from annotation.providers.models import Intent
from annotation.providers.queries import FINISHED

# What may be asked for once more after a definite no. A refused HIT is no more: its items are offered in another.
REPEATABLE = {
    *("approve", "reject", "bonus", "expire_hit"),
    *("create_qualification", "answer_request", "notify"),
}
# Where doing it twice does little harm, and not doing it may: a person may send again what may have arrived.
HARMLESS_TWICE = {"notify"}
HELD = {"grant", "revoke"}
# What either was done or was not, and nothing more: a person who looked can say which.
TELLABLE = {*("approve", "reject", "bonus", "expire_hit"), *("answer_request", "notify")}


class NotAgain(ValueError):
    """Why a call can't be tried again, called off or told of; the message is for the person who asked."""


def plan(
    *, environment: str, kind: str, key: str, request: Mapping[str, Any], cents: int = 0, project_id: int | None = None
) -> Intent:
    """Writes down a wanted effect, in the caller's transaction. The same key again gives the intent there is."""
    intent, _ = Intent.objects.get_or_create(key=key, defaults=_fields(environment, kind, request, cents, project_id))
    return intent


def plan_all(rows: list[dict]) -> list[Intent]:
    """Many intents in one write; keys must be new."""
    return Intent.objects.bulk_create(
        [
            Intent(
                key=row["key"],
                **_fields(row["environment"], row["kind"], row["request"], row.get("cents", 0), row.get("project_id")),
            )
            for row in rows
        ],
        batch_size=500,
    )


def _fields(environment: str, kind: str, request: Mapping, cents: int, project_id: int | None) -> dict:
    return {
        "environment": environment,
        "kind": kind,
        "request": dict(request),
        "request_hash": _hash_of(request),
        "cents": cents,
        "project_id": project_id,
        "due_at": timezone.now(),
        "asked_by": current_actor(),
    }


def _hash_of(request: Mapping) -> str:
    return hashlib.sha256(json.dumps(request, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def withdraw(*, intent: Intent) -> bool:
    """Calls off what was never sent. Gives False where it is too late."""
    changed = Intent.objects.filter(pk=intent.pk, state=Intent.State.PLANNED).update(
        state=Intent.State.WITHDRAWN, absorbed_at=timezone.now()
    )
    return bool(changed)


@transaction.atomic
def try_again(*, intent: Intent, request: Mapping[str, Any] | None = None) -> Intent:
    """Lets a refused call be made again, due now; `request` puts it in other words. Raises NotAgain.

    Token and first sending stay as they are: what is sent more than once is looked up before, and after
    20 hours an unclear answer is settled by reading alone.
    """
    standing = _refused(intent)
    refusal = standing.error
    standing.state, standing.error, standing.result = Intent.State.PLANNED, "", {}
    standing.due_at, standing.absorbed_at, standing.lease_until = timezone.now(), None, None
    standing.asked_by = current_actor()
    if request is not None:
        standing.request, standing.request_hash = dict(request), _hash_of(request)
    standing.save()
    record("intent.tried_again", subject=standing, project_id=standing.project_id, kind=standing.kind, error=refusal)
    return standing


@transaction.atomic
def call_off(*, intent: Intent, reason: str) -> Intent:
    """Ends a refused call for good: it is no longer wanted, and nothing happened. Raises NotAgain."""
    standing = _refused(intent)
    standing.state, standing.absorbed_at = Intent.State.WITHDRAWN, timezone.now()
    standing.save(update_fields=["state", "absorbed_at"])
    record("intent.called_off", subject=standing, project_id=standing.project_id, kind=standing.kind, reason=reason)
    return standing


@transaction.atomic
def settle(*, intent: Intent, is_done: bool, reason: str) -> Intent:
    """A person looked what became of a call that was lost sight of for good. Raises NotAgain.

    What was done is taken in as if the marketplace had said so; what was not counts as refused, and can be
    tried again or called off.
    """
    standing = Intent.objects.select_for_update().get(pk=intent.pk)
    if fault := why_not_told(standing, is_done=is_done):
        raise NotAgain(fault)
    standing.result = {"told_by": current_actor()}
    if is_done:
        standing.state, standing.error, standing.absorbed_at = Intent.State.CONFIRMED, "", None
    else:
        standing.state, standing.error = Intent.State.REFUSED, f"somebody looked, and it was not done: {reason}"
    standing.save(update_fields=["state", "result", "error", "absorbed_at"])
    about = {"kind": standing.kind, "is_done": is_done, "reason": reason}
    record("intent.told", subject=standing, project_id=standing.project_id, **about)
    return standing


def why_not_told(intent: Intent, *, is_done: bool) -> str:
    """Why no person can say that a call was done, or was not; empty where one can."""
    if intent.state != Intent.State.ABSENT:
        return f"only of a call that was never seen there a person says what became of it; this one is {intent.state}"
    if intent.kind in HELD:
        return "what a worker holds is asked for anew on the qualification's own page"
    if is_done and intent.kind == "create_hit":
        return "its items are offered in other HITs already: take this one off the market there, then say it is not"
    if is_done and intent.kind not in TELLABLE:
        return "what it made can't be taken in by hand: have it made again"
    return ""


def _refused(intent: Intent) -> Intent:
    """The row as it stands, held until the transaction ends, where it was definitely refused."""
    standing = Intent.objects.select_for_update().get(pk=intent.pk)
    if fault := why_not_again(standing):
        raise NotAgain(fault)
    return standing


def why_not_again(intent: Intent) -> str:
    """Why a call can't be tried again or called off; empty where it can."""
    if intent.kind in HELD:
        return "what a worker holds is asked for anew on the qualification's own page"
    if intent.kind not in REPEATABLE:
        return "a HIT is never offered by the same call again: its items wait to be published in another one"
    if intent.state == Intent.State.ABSENT and intent.kind in HARMLESS_TWICE:
        return ""
    unsettled = "nobody knows yet whether this call took effect; it is looked up and settled by itself"
    unsent = "" if intent.first_sent_at else "this call was called off before it was ever sent"
    why = {
        Intent.State.UNKNOWN: unsettled,
        Intent.State.SENDING: unsettled,
        Intent.State.ABSENT: "this call left and may have taken effect: sending it again could do it twice",
        Intent.State.WITHDRAWN: unsent,
        Intent.State.REFUSED: "",
    }
    return why.get(intent.state, f"only a refused call can be tried again; this one is {intent.state}")


def absorb(*, intents: list[int]) -> None:
    """Marks results as taken by the room that asked for them, in that room's transaction."""
    Intent.objects.filter(pk__in=intents, state__in=FINISHED).update(absorbed_at=timezone.now())
