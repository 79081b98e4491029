"""What a worker can find: groups of HITs with pay, time and what they ask."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import median

from django.db import connection
from django.db.models import Count, Max, Q

from annotation.marketplace import standing
from annotation.marketplace.models import HIT, Account, Assignment, HITType
from annotation.marketplace.standing import Standing, Unmet

MOST_WORDS = 10  # of a search; each is looked for in several columns of every row
RECENT = 2000  # submissions that the typical time is taken from
# Before this a time says nothing: one person's, or a program's that tries the HIT out.
LEAST_SUBMISSIONS, LEAST_SECONDS = 5, 5
# In SQL, as it is asked at every accept; the index of group, status and id gives the rows in order.
NEXT_HIT = (
    f"SELECT id FROM {HIT._meta.db_table} WHERE hit_type_id = %s AND status = %s"  # noqa: S608 - our own names
    " AND id NOT IN ({left_out}) ORDER BY id LIMIT 1"
)
EVER_MET = f"SELECT hit_id FROM {Assignment._meta.db_table} WHERE worker_id = %s"  # noqa: S608
TAKEN = EVER_MET + " AND status IN ('{}')".format("', '".join(Assignment.LIVE))
ORDERS = {
    "newest": "Newest first",
    "pay": "Highest pay first",
    "hourly": "Highest hourly pay first",
    "most": "Most HITs first",
}


@dataclass(frozen=True)
class Group:
    """One row of the list: a HIT type with what of it is open to this worker."""

    hit_type: HITType
    hits: int
    newest: datetime
    ends: datetime
    typical_seconds: int | None
    lacks: list[dict] = field(default_factory=list)  # the requirements that this worker does not meet
    may_preview: bool = True
    unmet: list[Unmet] = field(default_factory=list)  # the same in words, where somebody reads them

    @property
    def hourly_cents(self) -> int | None:
        """Expected pay for an hour, from the times that others really took."""
        if not self.typical_seconds:
            return None
        return round(self.hit_type.reward_cents * 3600 / self.typical_seconds)


def typical_seconds(type_ids: list[int]) -> dict[int, int]:
    """The median time from accepting to handing in, for types of which enough is known."""
    rows = Assignment.objects.filter(hit__hit_type__in=type_ids, submitted_at__isnull=False).order_by("-id")
    taken = defaultdict(list)
    for type_id, start, end in rows.values_list("hit__hit_type", "accepted_at", "submitted_at")[:RECENT]:
        taken[type_id].append((end - start).total_seconds())
    medians = {type_id: median(times) for type_id, times in taken.items() if len(times) >= LEAST_SUBMISSIONS}
    return {type_id: round(middle) for type_id, middle in medians.items() if middle >= LEAST_SECONDS}


def groups_for(stand: Standing, *, words: str = "", least_cents: int = 0, order: str = "newest") -> list[Group]:
    """All groups that this worker may discover; `explained` says in words what they lack."""
    rows = standing.open_hits_for(stand.worker).filter(hit_type__reward_cents__gte=least_cents)
    for word in words.split()[:MOST_WORDS]:
        rows = rows.filter(
            Q(hit_type__title__icontains=word)
            | Q(hit_type__keywords__icontains=word)
            | Q(hit_type__description__icontains=word)
            | Q(requester__display_name__icontains=word)
        )
    counted = list(
        rows.values("hit_type").annotate(hits=Count("id"), newest=Max("created_at"), ends=Max("expires_at")).order_by()
    )
    types = HITType.objects.select_related("requester").in_bulk([row["hit_type"] for row in counted])
    times = typical_seconds(list(types))
    groups = [
        Group(
            hit_type=types[row["hit_type"]],
            hits=row["hits"],
            newest=row["newest"],
            ends=row["ends"],
            typical_seconds=times.get(row["hit_type"]),
            lacks=stand.unmet(types[row["hit_type"]], "accept"),
            may_preview=stand.may(types[row["hit_type"]], "preview"),
        )
        for row in counted
        if stand.may(types[row["hit_type"]], "discover")
    ]
    return sorted(groups, key=_key(order), reverse=True)


def explained(stand: Standing, groups: Iterable[Group]) -> list[Group]:
    """These groups with what this worker lacks in words; asked for a page of them, not for all."""
    groups = list(groups)
    in_words = standing.explain_each(stand, [group.lacks for group in groups])
    return [replace(group, unmet=unmet) for group, unmet in zip(groups, in_words, strict=True)]


def _key(order: str):
    keys = {
        "pay": lambda group: (group.hit_type.reward_cents, group.newest),
        "hourly": lambda group: (group.hourly_cents or 0, group.hit_type.reward_cents),
        "most": lambda group: (group.hits, group.newest),
    }
    return keys.get(order, lambda group: group.newest)


def next_hit(worker: Account, hit_type: HITType, *, after: HIT | None = None) -> HIT | None:
    """The HIT of a group that this worker gets next; `after` skips what they looked at.

    What they gave back before comes last: who returns a HIT wants another one, not the same again.
    """
    if after is None:
        pk = next_pk(worker, hit_type)
        found = HIT.objects.defer("question").get(pk=pk) if pk else None
    else:
        rows = standing.open_hits_for(worker).filter(hit_type=hit_type).defer("question").order_by("pk")
        found = rows.filter(pk__gt=after.pk).first() or rows.exclude(pk=after.pk).first()
    if found:
        found.hit_type, found.requester = hit_type, hit_type.requester
    return found


def next_pk(worker: Account, hit_type: HITType) -> int | None:
    """The key of the HIT of a group that this worker gets next."""
    with connection.cursor() as cursor:
        for left_out in (EVER_MET, TAKEN):
            cursor.execute(NEXT_HIT.format(left_out=left_out), [hit_type.pk, "Assignable", worker.pk])
            if row := cursor.fetchone():
                return row[0]
    return None
