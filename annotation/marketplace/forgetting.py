"""What is kept for a time only: messages that were sent or given up, used tokens, work that nobody claimed.

The program that sends the notifications does it, once an hour: pages and calls have no part in it.
"""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from annotation.marketplace import clock, tokens
from annotation.marketplace.models import Assignment, Delivery, HeldSubmission, RequestToken

KEPT = timedelta(days=30)
EVERY = timedelta(hours=1)
_last: datetime | None = None


def forget_each_hour() -> None:
    """Forget what is old, unless this process did so within the hour."""
    global _last  # noqa: PLW0603 - what one process remembers of itself
    now = clock.now()
    if _last is None or now - _last >= EVERY:
        _last = now
        forget()


def forget() -> None:
    """Delete what nobody can ask for any more."""
    now = clock.now()
    RequestToken.objects.filter(created_at__lte=now - tokens.MEMORY).delete()
    Delivery.objects.filter(created_at__lte=now - KEPT, next_try_at__isnull=True).delete()
    # Held work can be handed in as long as somebody has the assignment.
    open_turns = Assignment.objects.filter(assignment_id=OuterRef("assignment_id"), status="Accepted")
    HeldSubmission.objects.filter(~Exists(open_turns), created_at__lte=now - KEPT).delete()
