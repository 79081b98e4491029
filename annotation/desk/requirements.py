"""Who may take a HIT: the protocol's QualificationRequirements as plain sentences, and back.

The form knows three system qualifications; any other requirement (set through the API) is kept as it
is and said in words as far as its parts allow.
"""

from __future__ import annotations

import re
from typing import Any

from annotation.projects.models import Stage
from annotation.workers.requirements import APPROVAL_RATE, APPROVED_COUNT, COMPARATORS, LOCALE

GUARDED = {
    "Accept": "",
    "PreviewAndAccept": " Others can't open the preview either.",
    "DiscoverPreviewAndAccept": " Others don't see the HIT at all.",
}
COUNTRY = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")


def build(
    *, approval_rate: int | None, approved_count: int | None, countries: list[str], others: list[dict]
) -> list[dict]:
    """QualificationRequirements from the form's three fields and the requirements that it does not know."""
    wanted: list[dict] = []
    if approval_rate:
        wanted.append(_at_least(APPROVAL_RATE, approval_rate))
    if approved_count:
        wanted.append(_at_least(APPROVED_COUNT, approved_count))
    if countries:
        wanted.append(
            {
                "QualificationTypeId": LOCALE,
                "Comparator": "In",
                "LocaleValues": [_locale(country) for country in countries],
            }
        )
    return wanted + others


def take_apart(requirements: list[dict]) -> dict[str, Any]:
    """The form's values from QualificationRequirements; what does not fit the form is under `others`."""
    found: dict[str, Any] = {"approval_rate": None, "approved_count": None, "countries": [], "others": []}
    for requirement in requirements:
        kind, comparator = requirement.get("QualificationTypeId"), requirement.get("Comparator")
        integers, guarded = requirement.get("IntegerValues") or [], requirement.get("ActionsGuarded", "Accept")
        is_floor = comparator == "GreaterThanOrEqualTo" and len(integers) == 1 and guarded == "Accept"
        if kind == APPROVAL_RATE and is_floor and found["approval_rate"] is None:
            found["approval_rate"] = integers[0]
        elif kind == APPROVED_COUNT and is_floor and found["approved_count"] is None:
            found["approved_count"] = integers[0]
        elif kind == LOCALE and comparator in ("In", "EqualTo") and not found["countries"] and guarded == "Accept":
            found["countries"] = [_place(value) for value in requirement.get("LocaleValues", [])]
        else:
            found["others"].append(requirement)
    return found


def sentence(requirement: dict) -> str:
    """One requirement as a sentence about the worker."""
    kind = requirement.get("QualificationTypeId", "")
    comparator = requirement.get("Comparator", "")
    bound = COMPARATORS.get(comparator, comparator)
    numbers = " or ".join(f"{number:,}" for number in requirement.get("IntegerValues") or [])
    places = ", ".join(_place(value) for value in requirement.get("LocaleValues") or [])
    guarded = GUARDED.get(requirement.get("ActionsGuarded", "Accept"), "")
    if kind == APPROVAL_RATE:
        return f"Has had {bound} {numbers}% of their work approved.{guarded}"
    if kind == APPROVED_COUNT:
        return f"Has had {bound} {numbers} HITs approved.{guarded}"
    if kind == LOCALE:
        verb = "Does not live" if comparator in ("NotIn", "NotEqualTo") else "Lives"
        return f"{verb} in {places}.{guarded}"
    if comparator in ("Exists", "DoesNotExist"):
        return f"{bound.capitalize()} the qualification {kind}.{guarded}"
    return f"Has a value of {bound} {numbers or places} in the qualification {kind}.{guarded}"


def sentences(stage: Stage) -> list[str]:
    """All that a stage asks of its workers, its own qualifications among it."""
    held = [f"Holds the qualification “{one.name}”." for one in stage.qualifications.order_by("name")]
    return [*map(sentence, stage.requirements), *held]


def read_countries(text: str) -> list[str]:
    """Country codes from "US, GB CA"; raises ValueError that names the first one that is none."""
    codes = [code.upper() for code in re.split(r"[\s,;]+", text.strip()) if code]
    for code in codes:
        if not COUNTRY.fullmatch(code):
            raise ValueError(f"{code!r} is no country code: expected two letters such as US, or US-CA for a state.")
    return list(dict.fromkeys(codes))


def _at_least(kind: str, number: int) -> dict:
    return {"QualificationTypeId": kind, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [number]}


def _locale(code: str) -> dict:
    country, _, part = code.partition("-")
    return {"Country": country, "Subdivision": part} if part else {"Country": country}


def _place(value: dict) -> str:
    return "-".join(part for part in (value.get("Country", ""), value.get("Subdivision", "")) if part)
