"""QualificationRequirements as the protocol has them: the system's own types, and what is none.

They come from forms, programs and commands, go to a marketplace as they are, and are said in words on pages;
so what is no requirement is refused before any of it is kept.
"""

from __future__ import annotations

import re
from typing import Any

APPROVAL_RATE = "000000000000000000L0"
APPROVED_COUNT = "00000000000000000040"
LOCALE = "00000000000000000071"

COMPARATORS = {
    "LessThan": "less than",
    "LessThanOrEqualTo": "at most",
    "GreaterThan": "more than",
    "GreaterThanOrEqualTo": "at least",
    "EqualTo": "exactly",
    "NotEqualTo": "anything but",
    "Exists": "has",
    "DoesNotExist": "does not have",
    "In": "one of",
    "NotIn": "none of",
}
ACTIONS_GUARDED = ("Accept", "PreviewAndAccept", "DiscoverPreviewAndAccept")
MOST_VALUES = 15
MOST_INTEGER = 2**31 - 1
TYPE_ID = re.compile(r"[A-Za-z0-9]{1,64}")
COUNTRY = re.compile(r"[A-Z]{2}")
SUBDIVISION = re.compile(r"[A-Z0-9]{1,3}")
PARTS = {"QualificationTypeId", "Comparator", "IntegerValues", "LocaleValues", "ActionsGuarded"}
# What the numbers of the system's types may be.
BOUNDS = {APPROVAL_RATE: (0, 100), APPROVED_COUNT: (0, MOST_INTEGER)}


def fault_of(requirement: Any) -> str:
    """Why this is no QualificationRequirement; empty where it is one."""
    if not isinstance(requirement, dict):
        return f"a requirement is an object of {', '.join(sorted(PARTS))}; found {str(requirement)[:60]!r}"
    if strange := sorted(map(str, set(requirement) - PARTS)):
        return f"a requirement has no {', '.join(strange)[:60]}; it has {', '.join(sorted(PARTS))}"
    kind, comparator = requirement.get("QualificationTypeId"), requirement.get("Comparator")
    if not isinstance(kind, str) or not TYPE_ID.fullmatch(kind):
        return f"a QualificationTypeId has 1 to 64 letters and digits, found {str(kind)[:60]!r}"
    if not isinstance(comparator, str) or comparator not in COMPARATORS:
        return f"a Comparator is one of {', '.join(COMPARATORS)}; found {str(comparator)[:60]!r}"
    if requirement.get("ActionsGuarded", "Accept") not in ACTIONS_GUARDED:
        return f"ActionsGuarded is one of {', '.join(ACTIONS_GUARDED)}"
    return _fault_of_numbers(kind, requirement.get("IntegerValues", [])) or _fault_of_places(
        requirement.get("LocaleValues", [])
    )


def _fault_of_numbers(kind: str, values: Any) -> str:
    least, most = BOUNDS.get(kind, (-MOST_INTEGER - 1, MOST_INTEGER))
    if not isinstance(values, list) or len(values) > MOST_VALUES:
        return f"IntegerValues is a list of at most {MOST_VALUES}"
    for value in values:
        if type(value) is not int or not least <= value <= most:
            return f"a value of {kind} is a whole number from {least:,} to {most:,}, found {str(value)[:60]}"
    return ""


def _fault_of_places(values: Any) -> str:
    if not isinstance(values, list):
        return "LocaleValues is a list"
    for place in values:
        if not isinstance(place, dict) or not set(place) <= {"Country", "Subdivision"}:
            return f"a place is an object of Country and Subdivision, found {str(place)[:60]!r}"
        if not COUNTRY.fullmatch(str(place.get("Country"))):
            return f"a Country is two capital letters, found {str(place.get('Country'))[:60]!r}"
        if "Subdivision" in place and not SUBDIVISION.fullmatch(str(place["Subdivision"])):
            return f"a Subdivision is one to three capital letters and digits, found {str(place['Subdivision'])[:60]!r}"
    return ""
