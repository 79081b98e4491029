from django.db.models import QuerySet, Sum

from annotation.providers.models import Intent

FINISHED = [Intent.State.CONFIRMED, Intent.State.REFUSED, Intent.State.ABSENT]
# Money that may still be spent, or has been.
COMMITTING = [Intent.State.PLANNED, Intent.State.SENDING, Intent.State.UNKNOWN, Intent.State.CONFIRMED]


def results(kind: str, project_id: int | None = None) -> QuerySet[Intent]:
    """Intents of a kind that came to an end and whose result nobody took yet, oldest first."""
    rows = Intent.objects.filter(kind=kind, absorbed_at__isnull=True, state__in=FINISHED).order_by("id")
    return rows if project_id is None else rows.filter(project_id=project_id)


def unsettled(project_id: int) -> QuerySet[Intent]:
    """What a person should look at: lost sight of, never found, or refused."""
    states = [Intent.State.UNKNOWN, Intent.State.ABSENT, Intent.State.REFUSED]
    return Intent.objects.filter(project_id=project_id, state__in=states).order_by("id")


def committed_cents(project_id: int, kinds: list[str]) -> int:
    """Money of a project's intents that is spent or may yet be."""
    rows = Intent.objects.filter(project_id=project_id, kind__in=kinds, state__in=COMMITTING)
    return rows.aggregate(total=Sum("cents"))["total"] or 0
