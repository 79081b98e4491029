"""What a marketplace puts into the address of a task page, read with patience and believed by nobody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.conf import settings

NAMES = ("assignmentId", "hitId", "workerId", "turkSubmitTo")
# Letters and digits only: nothing that anyone spells like the preview's id can pass for a real one.
_IDENTIFIER = re.compile(r"[A-Za-z0-9]{1,64}")
_NOT_LETTERS = re.compile(r"[^a-z0-9]")


class DamagedAddress(ValueError):
    """The address can't be one that a marketplace made. The message says why."""


@dataclass(frozen=True)
class Parameters:
    """What the address claims. Without a real assignment and a worker, the page is a preview."""

    assignment_id: str = ""
    hit_id: str = ""
    worker_id: str = ""
    submit_to: str = ""

    @property
    def is_preview(self) -> bool:
        return not self.assignment_id or not self.worker_id


def read(query: str) -> Parameters:
    """The four parameters of a query string. Raises DamagedAddress when one is doubled or not an id."""
    found: dict[str, str] = {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=50)
    except ValueError as error:
        raise DamagedAddress("it has too many parts") from error
    for name, value in pairs:
        # A marketplace that escapes its address twice sends `amp;hitId`.
        while name.startswith("amp;"):
            name = name.removeprefix("amp;")  # noqa: PLW2901
        if name not in NAMES:
            continue
        if name in found:
            raise DamagedAddress(f"{name} stands in it twice")
        found[name] = value.strip()
    assignment_id = found.get("assignmentId", "")
    if _NOT_LETTERS.sub("", assignment_id.lower()) == "assignmentidnotavailable":
        assignment_id = ""
    for name, value in (("assignmentId", assignment_id), ("workerId", found.get("workerId", ""))):
        if value and not _IDENTIFIER.fullmatch(value):
            raise DamagedAddress(f"{name} is none")
    return Parameters(assignment_id, found.get("hitId", ""), found.get("workerId", ""), found.get("turkSubmitTo", ""))


def submit_hosts(environment: str) -> list[str]:
    """Where pages of this environment may be framed and may hand in, the usual host first."""
    return [host.rstrip("/") for host in settings.MARKETPLACES[environment]["submit_hosts"]]


def submit_host(environment: str, claimed: str) -> str:
    """The allowed host that `turkSubmitTo` names; the environment's usual one where it names none or a stranger."""
    # Compared as text up to the third slash, never taken apart: what isn't exactly an allowed host is none.
    wanted = "/".join(claimed.split("/")[:3]).lower()
    hosts = submit_hosts(environment)
    return next((host for host in hosts if host.lower() == wanted), hosts[0])
