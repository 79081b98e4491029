"""The signed context of a page: who may save, check and hand over what, without a cookie.

It is bound to the HIT's token, the assignment and the worker, and it expires. Whoever presents the true
triple of HIT, assignment and worker gets a fresh one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.core.signing import BadSignature, Signer

from annotation.hits.models import Assignment
from annotation.workbench.parameters import submit_hosts

# A page that was left open over night can still save and hand over: late work is kept.
SLACK = 24 * 3600


class BadContext(Exception):
    """The context is missing, forged, for another HIT, or (`is_expired`) too old."""

    def __init__(self, message: str, *, is_expired: bool = False):
        super().__init__(message)
        self.is_expired = is_expired


@dataclass(frozen=True)
class Context:
    """What a page may act on. `assignment_id` is there so that work can be handed in even without our database."""

    assignment_pk: int
    worker_pk: int
    assignment_id: str
    environment: str
    submit_host: str


def _signer(token: str) -> Signer:
    return Signer(salt=f"annotation.workbench.context:{token}")


def issue(assignment: Assignment, submit_host: str) -> str:
    """A context for the page of this assignment (with its `hit` at hand)."""
    hit = assignment.hit
    expires = int(time.time()) + hit.minutes_allowed * 60 + SLACK
    place = submit_hosts(hit.environment).index(submit_host)
    parts = (assignment.pk, assignment.worker_id, assignment.assignment_id, hit.environment, place, expires)
    return _signer(hit.token).sign(".".join(map(str, parts)))


def read(token: str, signed: str) -> Context:
    """The context that was issued for this HIT's page. Raises BadContext."""
    if not signed:
        raise BadContext("the page's context is missing")
    try:
        parts = _signer(token).unsign(signed).split(".")
    except BadSignature as error:
        raise BadContext("the page's context is not one of ours") from error
    assignment_pk, worker_pk, assignment_id, environment, place, expires = parts
    if int(expires) < time.time():
        raise BadContext("the page was open for too long", is_expired=True)
    hosts = submit_hosts(environment)
    # The list may have become shorter since.
    host = hosts[int(place)] if int(place) < len(hosts) else hosts[0]
    return Context(int(assignment_pk), int(worker_pk), assignment_id, environment, host)
