"""The frame that holds a task: where it points and what it is told."""

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.urls import reverse

from annotation.marketplace import faults
from annotation.marketplace.models import HIT, Assignment

PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
# The task's page may run its scripts and forms, keep its own origin and open documents. Only a click of
# the worker's may change the whole page: the link to the next HIT on the receipt is one.
SANDBOX = (
    "allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-modals "
    "allow-downloads allow-top-navigation-by-user-activation"
)
# Requesters' HTML and our own drawing of forms get no origin at all: they can reach nobody's session.
STRICT_SANDBOX = (
    "allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-top-navigation-by-user-activation"
)


@dataclass(frozen=True)
class Frame:
    """What a template needs to draw the frame."""

    src: str
    height: int
    sandbox: str


def parameters(hit: HIT, assignment: Assignment | None) -> dict[str, str]:
    """The four parameters of an ExternalQuestion; a preview has no worker."""
    given = {"assignmentId": assignment.assignment_id if assignment else PREVIEW, "hitId": hit.hit_id}
    if assignment:
        given["workerId"] = assignment.worker.customer_id
    return faults.bent(hit.requester, given | {"turkSubmitTo": settings.MARKETPLACE_PUBLIC_URL})


def frame_for(hit: HIT, assignment: Assignment | None = None) -> Frame:
    """The frame for a preview or for accepted work."""
    given = parameters(hit, assignment)
    if hit.question_kind == "external":
        return Frame(_with_query(hit.external_url, given), hit.frame_height, SANDBOX)
    src = _with_query(content_url() + reverse("question", args=[hit.hit_id]), given)
    return Frame(src, hit.frame_height, STRICT_SANDBOX)


def content_url() -> str:
    """Where requesters' HTML is served from: an address of its own, or the same one in a sandbox without origin."""
    return settings.MARKETPLACE_CONTENT_URL or settings.MARKETPLACE_PUBLIC_URL


def _with_query(url: str, given: dict[str, str]) -> str:
    parts = urlsplit(url)
    query = "&".join(filter(None, (parts.query, urlencode(given))))
    return urlunsplit(parts._replace(query=query))
