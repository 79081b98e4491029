from django.db.models import Max, QuerySet

from annotation.events.models import Event


def position() -> int:
    """The log's newest position (0 when nothing happened yet)."""
    return Event.objects.aggregate(newest=Max("id"))["newest"] or 0


def history_of(subject: str) -> QuerySet[Event]:
    return Event.objects.filter(subject=subject).order_by("id")


def events_of_project(project_id: int, after: int = 0) -> QuerySet[Event]:
    """A project's events after a position, oldest first: the cursor feed of the log."""
    return Event.objects.filter(project_id=project_id, id__gt=after).order_by("id")
