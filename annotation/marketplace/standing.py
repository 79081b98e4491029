"""How a worker stands against what a HIT asks: values, what is not met, how to meet it."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Q

from annotation.marketplace import requirements
from annotation.marketplace.models import (
    HIT,
    Account,
    Assignment,
    HITType,
    Qualification,
    QualificationType,
    SystemValue,
    WorkerBlock,
)
from annotation.marketplace.requirements import Value

ENOUGH_HISTORY = 100


@dataclass(frozen=True)
class Unmet:
    """A requirement that a worker does not meet."""

    type_id: str
    words: str
    yours: str
    how: str
    requestable: bool


class Standing:
    """All values of one worker, looked up when a requirement first asks for one."""

    def __init__(self, worker: Account):
        self.worker = worker

    @cached_property
    def values(self) -> dict[str, Value]:
        """The worker's values: counted, set by hand, granted."""
        return _values(self.worker)

    @cached_property
    def blocked_by(self) -> frozenset[int]:
        """The requesters who do not want work of this worker."""
        return frozenset(WorkerBlock.objects.filter(worker=self.worker).values_list("requester_id", flat=True))

    def unmet(self, hit_type: HITType, action: str) -> list[dict]:
        """The requirements that keep this worker from `discover`, `preview` or `accept`."""
        return [
            requirement
            for requirement in hit_type.requirements
            if requirements.guards(requirement, action)
            and not requirements.is_met(requirement, self.values.get(requirement["QualificationTypeId"]))
        ]

    def may(self, hit_type: HITType, action: str) -> bool:
        """Whether nothing keeps this worker from it."""
        return hit_type.requester_id not in self.blocked_by and not self.unmet(hit_type, action)


def of(worker: Account) -> Standing:
    """How a worker stands."""
    return Standing(worker)


def _values(worker: Account) -> dict[str, Value]:
    values: dict[str, Value] = dict(_counted(worker))
    for system in SystemValue.objects.filter(worker=worker):
        place = (system.country, system.subdivision) if system.country else None
        values[system.qualification_type_id] = place or system.integer_value
    for masters in requirements.MASTERS:
        if masters in values:
            values |= dict.fromkeys(requirements.MASTERS, values[masters])
    granted = Qualification.objects.filter(worker=worker, status="Granted")
    return values | dict(granted.values_list("qualification_type__type_id", "value"))


def _counted(worker: Account) -> dict[str, int]:
    counts = Assignment.objects.filter(worker=worker, status__in=("Approved", "Rejected")).aggregate(
        approved=Count("id", filter=Q(status="Approved")), decided=Count("id")
    )
    percent = 100
    if counts["decided"] >= ENOUGH_HISTORY:
        percent = counts["approved"] * 100 // counts["decided"]
    return {requirements.APPROVED: counts["approved"], requirements.PERCENT: percent}


def explain(standing: Standing, unmet: list[dict]) -> list[Unmet]:
    """Each failed requirement in words, with the worker's own value and the way to meet it."""
    return explain_each(standing, [unmet])[0]


def explain_each(standing: Standing, several: list[list[dict]]) -> list[list[Unmet]]:
    """The same for the failed requirements of several HITs, with one look at their qualifications."""
    asked = {requirement["QualificationTypeId"] for unmet in several for requirement in unmet}
    asked -= requirements.SYSTEM_TYPES.keys()
    custom = QualificationType.objects.in_bulk(asked, field_name="type_id") if asked else {}
    return [[_explain_one(standing, requirement, custom) for requirement in unmet] for unmet in several]


def _explain_one(standing: Standing, requirement: dict, custom: dict[str, QualificationType]) -> Unmet:
    type_id = requirement["QualificationTypeId"]
    value = standing.values.get(type_id)
    yours = "none" if value is None else "-".join(filter(None, value)) if isinstance(value, tuple) else str(value)
    if system := requirements.SYSTEM_TYPES.get(type_id):
        return Unmet(type_id, requirements.in_words(requirement, system.description), yours, system.how, False)
    kind = custom.get(type_id)
    name = kind.name if kind else type_id
    requestable = bool(kind and kind.status == "Active" and not kind.deleted_at and value is None)
    how = "You can ask for it." if requestable else "The requester grants it."
    if requestable and kind.test:
        how = "You can take its test."
    return Unmet(type_id, requirements.in_words(requirement, name), yours, how, requestable)


def open_hits_for(worker: Account):
    """HITs that can be accepted and that this worker has not taken yet."""
    taken = Assignment.objects.filter(worker=worker, status__in=Assignment.LIVE).values("hit_id")
    return HIT.objects.filter(status="Assignable").exclude(pk__in=taken)
