"""The ledger's own moves: plan what is wanted, call it off, say that a result was taken."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from annotation.events.actions import current_actor
from annotation.providers.models import Intent


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
    canonical = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return {
        "environment": environment,
        "kind": kind,
        "request": dict(request),
        "request_hash": hashlib.sha256(canonical.encode()).hexdigest(),
        "cents": cents,
        "project_id": project_id,
        "due_at": timezone.now(),
        "asked_by": current_actor(),
    }


def withdraw(*, intent: Intent) -> bool:
    """Calls off what was never sent. Gives False where it is too late."""
    changed = Intent.objects.filter(pk=intent.pk, state=Intent.State.PLANNED).update(
        state=Intent.State.WITHDRAWN, absorbed_at=timezone.now()
    )
    return bool(changed)


def absorb(*, intents: list[int]) -> None:
    """Marks results as taken by the room that asked for them, in that room's transaction."""
    Intent.objects.filter(pk__in=intents).update(absorbed_at=timezone.now())
