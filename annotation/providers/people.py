"""What is asked of a marketplace about its workers: qualifications, who holds them, messages.

An intent names a worker by our own number. The marketplace's id of that person is taken from the vault
at the last moment before a call, so that it stands in no intent; the room that keeps the vault says how.
"""

from __future__ import annotations

from collections.abc import Callable

from annotation.providers.base import Provider, Refused, Unclear
from annotation.providers.models import Intent

_vault: Callable[[int], str | None] | None = None


def keep_vault(lookup: Callable[[int], str | None]) -> None:
    """Says how a worker's number becomes the marketplace's id; None for one that is not known (any more)."""
    global _vault  # noqa: PLW0603 - set once, when the room of workers starts
    _vault = lookup


def _worker_id(intent: Intent) -> str:
    found = _vault(intent.request["worker"]) if _vault else None
    if not found:
        raise Refused("NotSent", f"the vault knows no marketplace id of worker {intent.request['worker']}")
    return found


# --- Qualification types --------------------------------------------------------------------------


def send_create(provider: Provider, intent: Intent) -> dict:
    request = intent.request
    try:
        type_id = provider.create_qualification(
            name=request["name"], description=request["description"], keywords=request["keywords"]
        )
    except Refused as refusal:
        if not refusal.code.endswith("QualificationTypeAlreadyExists"):
            raise
        # Its name ends in a reference that nobody else gives: an earlier call took effect.
        try:
            found = look_for_type(provider, intent)
        except Refused as unread:
            raise Unclear(f"{request['name']} exists, but the marketplace shows no list: {unread}") from unread
        if found:
            return found
        raise Unclear(f"the marketplace says that {request['name']} exists, but does not list it") from refusal
    return {"type_id": type_id}


def look_for_type(provider: Provider, intent: Intent) -> dict | None:
    type_id = provider.find_qualification(intent.request["name"])
    return {"type_id": type_id, "already": True} if type_id else None


# --- Who holds them -------------------------------------------------------------------------------


def send_grant(provider: Provider, intent: Intent) -> dict:
    request = intent.request
    provider.grant(request["type_id"], worker_id=_worker_id(intent), value=request["value"])
    return {"value": request["value"]}


def look_for_grant(provider: Provider, intent: Intent) -> dict | None:
    value = provider.score(intent.request["type_id"], worker_id=_worker_id(intent))
    return {"value": value, "already": True} if value == intent.request["value"] else None


def send_revoke(provider: Provider, intent: Intent) -> dict:
    provider.revoke(intent.request["type_id"], worker_id=_worker_id(intent), reason=intent.request.get("reason", ""))
    return {"revoked": True}


def look_for_revocation(provider: Provider, intent: Intent) -> dict | None:
    value = provider.score(intent.request["type_id"], worker_id=_worker_id(intent))
    return {"revoked": True, "already": True} if value is None else None


# --- Who asks for them ----------------------------------------------------------------------------


def send_answer(provider: Provider, intent: Intent) -> dict:
    provider.answer_request(intent.request["request_id"], reason=intent.request["reason"])
    return {"answered": True}


def look_for_answer(provider: Provider, intent: Intent) -> dict | None:
    """A request that is answered is listed no longer."""
    waiting = {request_id for request_id, _ in provider.list_requests(intent.request["type_id"])}
    return None if intent.request["request_id"] in waiting else {"answered": True, "already": True}


# --- Messages -------------------------------------------------------------------------------------


def send_message(provider: Provider, intent: Intent) -> dict:
    """Tells a worker something. What was sent can't be looked up, so the ledger never sends it twice by itself."""
    request = intent.request
    provider.notify(_worker_id(intent), subject=request["subject"], text=request["text"])
    return {"sent": True}
