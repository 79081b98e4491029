"""What changes by itself: deadlines, lifetimes, auto-approvals, disposal after 120 days.

There is no daemon. Every call and page asks first whether something is due, which costs one look at the
heads of two small indexes when nothing is.
"""

import logging
from datetime import timedelta

from django.db import connection, transaction

from annotation.marketplace import clock, ledger, publishing, reviewing, states, working
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Assignment

log = logging.getLogger(__name__)
MOST_AT_A_TIME = 1000
# In SQL, since it is asked before every call and page, and takes a fraction of the time so.
IS_DUE = (
    f"SELECT EXISTS (SELECT 1 FROM {Assignment._meta.db_table} WHERE due_at <= %s)"  # noqa: S608 - our own names
    f" OR EXISTS (SELECT 1 FROM {HIT._meta.db_table} WHERE due_at <= %s)"
)


def bring_up_to_date() -> int:
    """Apply what is due, oldest first, and tell how many rows changed."""
    if not _is_due():
        return 0
    changed = 0
    # What one step makes due (an expiry starts the 120 days) may be due already after a long pause.
    while changed < MOST_AT_A_TIME and (step := _one_round()):
        changed += step
    return changed


def _is_due() -> bool:
    now = connection.ops.adapt_datetimefield_value(clock.now())
    with connection.cursor() as cursor:
        cursor.execute(IS_DUE, [now, now])
        return bool(cursor.fetchone()[0])


def _one_round() -> int:
    now = clock.now()
    due = Assignment.objects.filter(due_at__lte=now).order_by("due_at").only("status", "hit_id")
    assignments = list(due[:MOST_AT_A_TIME])  # without their answers: each is read again when it is moved
    for assignment in assignments:
        try:
            _apply_to_assignment(assignment)
        except Refusal:
            # One row that cannot move must not stop everybody's calls; it is looked at again in an hour.
            log.exception("Assignment %s is due and could not be moved", assignment.pk)
            Assignment.objects.filter(pk=assignment.pk).update(due_at=now + timedelta(hours=1))
    hits = HIT.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)
    due_hits = list(hits[:MOST_AT_A_TIME])
    for pk in due_hits:
        _apply_to_hit(pk)
    return len(assignments) + len(due_hits)


def _apply_to_assignment(assignment: Assignment) -> None:
    if assignment.status == "Accepted":
        working.abandon(assignment=assignment)
    else:
        reviewing.approve_by_itself(assignment=assignment)


@transaction.atomic
def _apply_to_hit(pk: int) -> None:
    hit = working.locked_hit(pk)
    now = clock.now()
    if hit.due_at is None or hit.due_at > now:
        return
    ledger.lock(hit.requester)
    if hit.is_live:
        publishing.expire(hit, now)
    elif hit.state.finished and hit.submitted == 0 and hit.status != states.DISPOSED:
        publishing.dispose(hit)
    else:  # still undecided work: look again when that can have changed
        hit.due_at = now + publishing.RETENTION
        hit.save(update_fields=["due_at"])
