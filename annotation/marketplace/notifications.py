"""What happened to HITs and assignments, for requesters who asked to be told.

Events go to the outbox in the transaction that made them true; `deliver_notifications` sends them.
"""

import uuid
from datetime import datetime, timedelta

from django.conf import settings

from annotation.marketplace import clock, faults, identifiers, outbound
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Account, Assignment, Delivery

VERSION = "2014-08-15"


def record(event: str, hit: HIT, assignment: Assignment | None = None, at: datetime | None = None) -> None:
    """Put an event in the outbox if the HIT's type has an active specification that names it."""
    specification = hit.hit_type.notification
    if not hit.hit_type.notification_active or not specification or event not in specification["EventTypes"]:
        return
    described = {
        "EventType": event,
        "EventTimestamp": (at or clock.now()).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "HITTypeId": hit.hit_type.type_id,
        "HITGroupId": hit.hit_type.group_id,
        "HITId": hit.hit_id,
    }
    if assignment:
        described |= {"AssignmentId": assignment.assignment_id, "WorkerId": assignment.worker.customer_id}
    enqueue(hit.requester, specification, [described])


def enqueue(requester: Account, specification: dict, events: list[dict]) -> None:
    """Put one message with these events in the outbox (a fault plan can lose, double or delay it)."""
    message_id = str(uuid.uuid4())
    body = {
        "EventDocId": message_id,
        "EventDocVersion": VERSION,
        "SourceAccount": requester.customer_id,
        "CustomerId": requester.customer_id,
        "Events": events,
    }
    for delay in faults.event_delays(requester):
        Delivery.objects.create(
            account=requester,
            message_id=message_id,
            transport=specification["Transport"],
            destination=specification["Destination"],
            body=body,
            next_try_at=clock.now() + timedelta(seconds=delay),
        )


def check(specification: dict) -> None:
    """Refuse destinations that nothing could be sent to."""
    transport, destination = specification["Transport"], specification["Destination"]
    if transport == "SNS" and not destination.startswith("arn:"):
        raise Refusal(f"An SNS destination is a topic's ARN; found {destination[:100]!r}.", "InvalidTransportEndpoint")
    if transport == "SQS" and not destination.startswith(("http://", "https://", "arn:")):
        raise Refusal(f"An SQS destination is a queue's URL; found {destination[:100]!r}.", "InvalidTransportEndpoint")
    if transport == "Email" and not destination.startswith(("http://", "https://")):
        raise Refusal(
            "This marketplace sends no e-mail. With Transport Email, give an http or https address as Destination "
            "and it is called as a signed webhook.",
            "InvalidTransportEndpoint",
        )
    if transport == "Email" and outbound.is_inside(destination) and not settings.MARKETPLACE_NOTIFY_INSIDE:
        raise Refusal(
            f"{destination[:100]!r} stands inside the marketplace's own network and is not called.",
            "InvalidTransportEndpoint",
        )
    if not specification["EventTypes"]:
        raise Refusal("EventTypes names no event.", "InvalidParameterValue")


def test(requester: Account, specification: dict, event: str) -> None:
    """Send one event of the wanted kind about nothing."""
    described = {
        "EventType": event,
        "EventTimestamp": clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        "HITTypeId": identifiers.entity_id(),
        "HITGroupId": identifiers.entity_id(),
        "HITId": identifiers.entity_id(),
    }
    if event.startswith("Assignment"):
        described["AssignmentId"] = identifiers.entity_id()
    enqueue(requester, specification, [described])
