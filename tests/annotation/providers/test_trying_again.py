"""A person lets a refused call be made again, or calls it off; whatever may have taken effect is left alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.providers.actions import NotAgain, absorb, call_off, plan, try_again
from annotation.providers.models import Intent
from annotation.providers.queries import results

pytestmark = pytest.mark.django_db


@pytest.fixture
def refused() -> Intent:
    """A bonus that was sent an hour ago, refused, and whose refusal was taken note of."""
    request = {"assignment_id": "A1", "cents": 25, "reason": "Good work (ref. 1-care)"}
    intent = plan(environment="own", kind="bonus", key="own/assignment/1/bonus/care", request=request, project_id=7)
    then = timezone.now() - timedelta(hours=1)
    Intent.objects.filter(pk=intent.pk).update(
        state="refused",
        attempts=1,
        first_sent_at=then,
        last_sent_at=then,
        absorbed_at=then,
        error="no funds",
        due_at=then,
    )
    intent.refresh_from_db()
    return intent


def test_a_refused_call_is_planned_once_more_under_the_same_token(refused) -> None:
    with acting_as("user:5"):
        again = try_again(intent=refused)

    again.refresh_from_db()
    assert (again.state, again.absorbed_at, again.error) == (Intent.State.PLANNED, None, "")
    assert (again.token, again.first_sent_at, again.attempts) == (refused.token, refused.first_sent_at, 1)
    assert (again.request, again.request_hash) == (refused.request, refused.request_hash)
    assert refused.due_at < again.due_at <= timezone.now()
    event = Event.objects.get(verb="intent.tried_again")
    assert (event.actor, event.project_id, event.data) == ("user:5", 7, {"kind": "bonus", "error": "no funds"})


def test_a_call_in_other_words_has_another_hash(refused) -> None:
    again = try_again(intent=refused, request={"assignment_id": "A1", "reason": "Other words"})
    assert again.request["reason"] == "Other words"
    assert again.request_hash != refused.request_hash


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"kind": "create_hit"}, "never offered by the same call again"),
        ({"state": "unknown"}, "nobody knows yet"),
        ({"state": "sending"}, "nobody knows yet"),
        ({"state": "absent"}, "could do it twice"),
        ({"state": "planned"}, "this one is planned"),
        ({"state": "confirmed"}, "this one is confirmed"),
        ({"state": "withdrawn", "first_sent_at": None}, "before it was ever sent"),
    ],
)
@pytest.mark.parametrize("move", ["try again", "call off"])
def test_only_a_definite_no_is_taken_up_again(refused, fields: dict, why: str, move: str) -> None:
    Intent.objects.filter(pk=refused.pk).update(**fields)
    before = Intent.objects.filter(pk=refused.pk).values().get()
    with pytest.raises(NotAgain, match=why):
        try_again(intent=refused) if move == "try again" else call_off(intent=refused, reason="not wanted")
    assert Intent.objects.filter(pk=refused.pk).values().get() == before
    assert not Event.objects.exists()


def test_a_refused_call_is_called_off_and_can_still_be_wanted_later(refused) -> None:
    call_off(intent=refused, reason="paid in another way")

    refused.refresh_from_db()
    assert refused.state == Intent.State.WITHDRAWN
    assert Event.objects.get(verb="intent.called_off").data["reason"] == "paid in another way"
    assert try_again(intent=refused).state == Intent.State.PLANNED


def test_a_result_that_was_planned_again_meanwhile_is_not_marked_as_taken(refused) -> None:
    Intent.objects.filter(pk=refused.pk).update(absorbed_at=None)
    seen = list(results("bonus", 7))
    try_again(intent=refused)

    absorb(intents=[intent.pk for intent in seen])

    refused.refresh_from_db()
    assert refused.absorbed_at is None
