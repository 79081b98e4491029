"""The dozen verbs that we ask of any marketplace, over plain data, and the three ways a call can end.

Every verb either returns (it is done, definitely), raises Refused (definitely nothing happened), or
raises Unclear (it may have happened: only reading can tell). There is no fourth way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


class Refused(Exception):
    """The marketplace said no, and nothing happened. `code` is its own word for why."""

    def __init__(self, code: str, message: str):
        self.code = code
        super().__init__(f"{code}: {message}" if code else message)


class Unclear(Exception):
    """The call may or may not have taken effect: time-outs, resets, server errors, answers we can't read."""


class Throttled(Refused):
    """Refused for now, because calls come too fast."""


class RuledOut(Refused):
    """What the marketplace shows now excludes that it happened, or can happen any more. `status`: what it shows."""

    def __init__(self, status: str, message: str):
        self.status = status
        super().__init__("RuledOut", message)


@dataclass(frozen=True)
class HITOffer:
    """What a HIT offers. `annotation` is our public id of the intent: the way to find the HIT again."""

    title: str
    description: str
    keywords: str
    reward_cents: int
    max_assignments: int
    seconds_allowed: int
    lifetime_seconds: int
    auto_approval_seconds: int
    url: str
    annotation: str
    requirements: list[dict] = field(default_factory=list)


@dataclass(frozen=True)
class RemoteHIT:
    """A HIT as the marketplace lists it. `available`: how many workers may still take it; `completed`: decided on."""

    hit_id: str
    status: str
    annotation: str
    max_assignments: int
    expires_at: datetime | None
    created_at: datetime | None = None
    available: int = 0
    completed: int = 0

    @property
    def taken(self) -> int:
        """How many assignments somebody holds or has handed in."""
        return self.max_assignments - self.available


@dataclass(frozen=True)
class RemoteAssignment:
    """An assignment as the marketplace lists it: the only word on who did it and whether it was submitted."""

    assignment_id: str
    worker_id: str
    hit_id: str
    status: str  # Submitted, Approved, Rejected
    submitted_at: datetime | None
    auto_approval_at: datetime | None
    answer: dict[str, str]


@dataclass(frozen=True)
class RemoteBonus:
    assignment_id: str
    worker_id: str
    cents: int
    reason: str


class Provider(Protocol):
    """A marketplace. `mturk.connect(environment)` gives the one that an environment names."""

    def create_hit(self, offer: HITOffer, *, token: str) -> RemoteHIT: ...
    def expire_hit(self, hit_id: str) -> None: ...
    def get_hit(self, hit_id: str) -> RemoteHIT: ...
    def list_hits(self) -> Iterator[RemoteHIT]: ...
    def find_hits(self, annotation: str, *, since: datetime) -> list[RemoteHIT]: ...
    def list_assignments(self, hit_id: str) -> Iterator[RemoteAssignment]: ...
    def get_assignment(self, assignment_id: str) -> RemoteAssignment: ...
    def approve(self, assignment_id: str, *, feedback: str, override: bool) -> None: ...
    def reject(self, assignment_id: str, *, reason: str) -> None: ...
    def send_bonus(self, assignment_id: str, *, worker_id: str, cents: int, reason: str, token: str) -> None: ...
    def list_bonuses(self, assignment_id: str) -> Iterator[RemoteBonus]: ...
    def balance_cents(self) -> int: ...
    def create_qualification(self, *, name: str, description: str, keywords: str) -> str: ...
    def find_qualification(self, name: str) -> str | None: ...
    def grant(self, type_id: str, *, worker_id: str, value: int) -> None: ...
    def revoke(self, type_id: str, *, worker_id: str, reason: str) -> None: ...
    def score(self, type_id: str, *, worker_id: str) -> int | None: ...
    def list_requests(self, type_id: str) -> Iterator[tuple[str, str]]: ...
    def answer_request(self, request_id: str, *, reason: str) -> None: ...
    def notify(self, worker_id: str, *, subject: str, text: str) -> None: ...
