from datetime import UTC, datetime, timedelta
from itertools import takewhile

from django.db import connection
from django.db.models import Max, QuerySet

from annotation.events.models import Event

# Between the time that an event bears and the moment its position is drawn, and between the clocks of two machines.
MARGIN = timedelta(seconds=2)
# A transaction has an id from its first write on; in the midst of that very statement it has none yet.
OLDEST_WRITER = """
    SELECT min(xact_start) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND (backend_xid IS NOT NULL OR (state = 'active' AND query_start > clock_timestamp() - interval '1 second'))
"""


def position() -> int:
    """The log's newest position (0 when nothing happened yet)."""
    return Event.objects.aggregate(newest=Max("id"))["newest"] or 0


def events_of_project(project_id: int, after: int = 0) -> QuerySet[Event]:
    """A project's events after a position, oldest first."""
    return Event.objects.filter(project_id=project_id, id__gt=after).order_by("id")


def feed(project_id: int, *, after: int, verb: str = "", most: int) -> tuple[list[Event], int]:
    """A project's next events after a position, oldest first, and the position to ask with next.

    A position is drawn before its event can be seen, so a later one may be seen first. The feed ends before
    what a transaction that still runs could yet come in front of: who follows it misses nothing.
    """
    newest, settled_before = position(), _settled_before()
    rows = events_of_project(project_id, after).filter(id__lte=newest)
    found = list((rows.filter(verb=verb) if verb else rows)[:most])
    events = list(takewhile(lambda event: event.at < settled_before, found))
    if len(events) < len(found) or len(found) == most:
        return events, events[-1].pk if events else after
    # All that is there was read: the next question begins behind what has other verbs, too.
    rest = rows.filter(id__gt=events[-1].pk if events else after)
    if (unsettled := rest.filter(at__gte=settled_before).first()) is not None:
        rest = rest.filter(id__lt=unsettled.pk)
    last = rest.aggregate(last=Max("id"))["last"]
    return events, last or (events[-1].pk if events else after)


def _settled_before() -> datetime:
    """From which time on an event may yet be overtaken by one with an earlier position."""
    if connection.vendor != "postgresql":
        # One writer at a time: positions are drawn in the order in which events are seen.
        return datetime.max.replace(tzinfo=UTC)
    with connection.cursor() as cursor:
        cursor.execute(OLDEST_WRITER)
        oldest = cursor.fetchone()[0]
    return oldest - MARGIN if oldest else datetime.max.replace(tzinfo=UTC)
