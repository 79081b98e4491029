"""HIT types: the values that a group of HITs shares, checked and kept once."""

import hashlib
import json
from dataclasses import dataclass

from annotation.marketplace import documents, requirements
from annotation.marketplace.errors import OutOfRange, does_not_exist, not_yours
from annotation.marketplace.limits import LONGEST, at_most, dollars_in_range, in_range
from annotation.marketplace.models import Account, HITType, QualificationType

DEFAULT_AUTO_APPROVAL = 2_592_000


@dataclass(frozen=True)
class TypeValues:
    """The values that make a HIT type."""

    title: str
    description: str
    keywords: str
    reward_cents: int
    assignment_duration: int
    auto_approval_delay: int
    requirements: list[dict]

    def digest(self) -> str:
        """Equal for equal values."""
        return hashlib.sha256(json.dumps(self.__dict__, sort_keys=True).encode()).hexdigest()


def register_type(*, requester: Account, values: TypeValues) -> HITType:
    """The HIT type with these values, made if there is none."""
    dollars_in_range("Reward", values.reward_cents)
    in_range("AssignmentDurationInSeconds", values.assignment_duration, 30, LONGEST)
    in_range("AutoApprovalDelayInSeconds", values.auto_approval_delay, 0, DEFAULT_AUTO_APPROVAL)
    at_most("Title", values.title, 128)
    at_most("Description", values.description, 2000)
    at_most("Keywords", values.keywords, 1000)
    for name in ("title", "description", "keywords"):
        documents.check_size(getattr(values, name), name.capitalize())
    for name in ("title", "description"):
        if not getattr(values, name).strip():
            raise OutOfRange(f"The value of {name.capitalize()} is invalid: it is empty.")
    fields = values.__dict__
    return HITType.objects.get_or_create(requester=requester, digest=values.digest(), defaults=fields)[0]


def type_of(requester: Account, type_id: str) -> HITType:
    """One of the requester's own HIT types."""
    hit_type = HITType.objects.filter(type_id=type_id).first()
    if hit_type is None:
        raise does_not_exist("HITType", type_id, "HITType")
    if hit_type.requester_id != requester.pk:
        raise not_yours("HITType", type_id)
    return hit_type


def requirements_of(given: list[dict] | None, requester: Account) -> list[dict]:
    """A request's requirements, checked; custom types must exist."""
    read = requirements.read(given or [])
    custom = {r["QualificationTypeId"] for r in read} - set(requirements.SYSTEM_TYPES)
    known = set(QualificationType.objects.filter(type_id__in=custom).values_list("type_id", flat=True))
    if missing := sorted(custom - known):
        raise does_not_exist("QualificationType", missing[0], "QualificationType")
    return read
