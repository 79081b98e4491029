"""What a HIT asks of its workers: read from the API's form, compared with a worker's values, said in words."""

from dataclasses import dataclass

from annotation.marketplace.errors import OutOfRange

APPROVED, PERCENT, LOCALE, ADULT = (
    "00000000000000000040",
    "000000000000000000L0",
    "00000000000000000071",
    "00000000000000000060",
)
# Production's and the sandbox's id mean the same here, so that either script finds its workers.
MASTERS = ("2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6")


@dataclass(frozen=True)
class SystemType:
    """A qualification that belongs to the marketplace itself."""

    type_id: str
    name: str
    description: str
    how: str


SYSTEM_TYPES = {
    kind.type_id: kind
    for kind in (
        SystemType(
            APPROVED, "Worker_NumberHITsApproved", "Number of HITs approved", "It grows with each HIT that is approved."
        ),
        SystemType(
            PERCENT,
            "Worker_PercentAssignmentsApproved",
            "HIT approval rate (%)",
            "It is the share of your decided work that was approved; until 100 pieces are decided it counts as 100.",
        ),
        SystemType(LOCALE, "Worker_Locale", "Location", "It is the country in your profile."),
        SystemType(ADULT, "Worker_Adult", "Adult content", "You can agree to adult content in your profile."),
        *(
            SystemType(masters, "Masters", "Masters has been granted", "The operator of this marketplace grants it.")
            for masters in MASTERS
        ),
    )
}

WORDS = {
    "LessThan": "less than",
    "LessThanOrEqualTo": "at most",
    "GreaterThan": "more than",
    "GreaterThanOrEqualTo": "at least",
    "EqualTo": "exactly",
    "NotEqualTo": "not",
    "In": "one of",
    "NotIn": "none of",
    "Exists": "granted",
    "DoesNotExist": "not granted",
}
GUARDS = ("Accept", "PreviewAndAccept", "DiscoverPreviewAndAccept")
NO_VALUE = ("Exists", "DoesNotExist")
SEVERAL = ("In", "NotIn")
MOST_INTEGERS, MOST_LOCALES = 15, 30

# A worker's value of one qualification: a number, a (country, subdivision), or none.
Value = int | tuple[str, str] | None


def asks_for_masters(requirements: list[dict]) -> bool:
    """Masters cost 5 % more."""
    return any(r["QualificationTypeId"] in MASTERS and r["Comparator"] == "Exists" for r in requirements)


def read(given: list[dict]) -> list[dict]:
    """The requirements of a request in one form and order, checked beyond what the service model says."""
    if len(given) > 10:
        raise OutOfRange(f"QualificationRequirements takes at most 10 requirements, got {len(given)}.")
    seen = [r["QualificationTypeId"] for r in given]
    if len(set(seen)) < len(seen):
        raise OutOfRange("QualificationRequirements names a QualificationTypeId more than once.")
    return sorted((_read_one(r) for r in given), key=lambda r: r["QualificationTypeId"])


def _read_one(given: dict) -> dict:
    type_id, comparator = given["QualificationTypeId"], given["Comparator"]
    integers, locales = given.get("IntegerValues") or [], given.get("LocaleValues") or []
    where = f"the requirement of {type_id} with {comparator}"
    if comparator in NO_VALUE:
        if integers or locales:
            raise OutOfRange(f"IntegerValues and LocaleValues must be empty in {where}.")
    elif type_id == LOCALE:
        _check_locales(comparator, integers, locales, where)
    else:
        _check_integers(comparator, integers, locales, where)
    guarded = given.get("ActionsGuarded") or ("PreviewAndAccept" if given.get("RequiredToPreview") else "Accept")
    return {
        "QualificationTypeId": type_id,
        "Comparator": comparator,
        "IntegerValues": sorted(integers),
        "LocaleValues": sorted(locales, key=lambda locale: (locale["Country"], locale.get("Subdivision") or "")),
        "ActionsGuarded": guarded,
    }


def _check_locales(comparator: str, integers: list, locales: list, where: str) -> None:
    if comparator not in ("EqualTo", "NotEqualTo", *SEVERAL):
        raise OutOfRange(f"Worker_Locale takes EqualTo, NotEqualTo, In, NotIn, Exists or DoesNotExist; found {where}.")
    if integers or not locales:
        raise OutOfRange(f"LocaleValues is what {where} needs.")
    most = MOST_LOCALES if comparator in SEVERAL else 1
    if len(locales) > most:
        raise OutOfRange(f"LocaleValues takes at most {most} in {where}, got {len(locales)}.")


def _check_integers(comparator: str, integers: list, locales: list, where: str) -> None:
    if locales or not integers:
        raise OutOfRange(f"IntegerValues is what {where} needs.")
    most = MOST_INTEGERS if comparator in SEVERAL else 1
    if len(integers) > most:
        raise OutOfRange(f"IntegerValues takes at most {most} in {where}, got {len(integers)}.")


def _same_place(value: tuple[str, str], wanted: dict) -> bool:
    country, subdivision = value
    return country == wanted["Country"] and wanted.get("Subdivision") in (None, "", subdivision)


def is_met(requirement: dict, value: Value) -> bool:
    """Whether a worker's value satisfies the requirement; no value satisfies only what asks for none."""
    comparator = requirement["Comparator"]
    if comparator in NO_VALUE:
        return (value is not None) == (comparator == "Exists")
    if value is None:
        return False
    if isinstance(value, tuple):
        found = any(_same_place(value, wanted) for wanted in requirement["LocaleValues"])
        return found == (comparator in ("EqualTo", "In"))
    wanted = requirement["IntegerValues"]
    return {
        "LessThan": lambda: value < wanted[0],
        "LessThanOrEqualTo": lambda: value <= wanted[0],
        "GreaterThan": lambda: value > wanted[0],
        "GreaterThanOrEqualTo": lambda: value >= wanted[0],
        "EqualTo": lambda: value == wanted[0],
        "NotEqualTo": lambda: value != wanted[0],
        "In": lambda: value in wanted,
        "NotIn": lambda: value not in wanted,
    }[comparator]()


def guards(requirement: dict, action: str) -> bool:
    """Whether a worker who fails it may not `discover`, `preview` or `accept`."""
    strength = GUARDS.index(requirement["ActionsGuarded"])
    return strength >= {"accept": 0, "preview": 1, "discover": 2}[action]


def in_words(requirement: dict, name: str) -> str:
    """The requirement as a sentence part, such as `HIT approval rate (%) at least 95`."""
    places = [
        "-".join(filter(None, (locale["Country"], locale.get("Subdivision")))) for locale in requirement["LocaleValues"]
    ]
    values = ", ".join([str(value) for value in requirement["IntegerValues"]] + places)
    return " ".join(filter(None, (name, WORDS[requirement["Comparator"]], values)))
