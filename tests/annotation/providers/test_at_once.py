"""Two dispatchers at the same rows: each call is made by one of them, and neither undoes what the other found out."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from annotation.providers import dispatching
from annotation.providers.base import Throttled
from annotation.providers.dispatching import LEASE, dispatch
from annotation.providers.models import Intent
from tests.annotation.providers.test_faults import hits_annotated, plan_hit

pytestmark = pytest.mark.django_db


class Clock:
    """The dispatcher's clock, which a test may put on."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return timezone.now() + self.ahead


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(dispatching, "timezone", clock)
    return clock


def during_the_first(monkeypatch, happens) -> None:
    """Lets something happen while the first HIT is being sent."""
    send, look = dispatching.KINDS["create_hit"]
    calls = []

    def sent(provider, intent):
        calls.append(intent)
        return happens(send, provider, intent) if len(calls) == 1 else send(provider, intent)

    monkeypatch.setitem(dispatching.KINDS, "create_hit", (sent, look))


def test_what_is_claimed_is_nobody_else_s(own_market, wire, monkeypatch) -> None:
    plan_hit("one"), plan_hit("two")
    found = []

    def other_dispatcher(send, provider, intent):
        found.append(dispatch())
        return send(provider, intent)

    during_the_first(monkeypatch, other_dispatcher)

    assert dispatch() == 2
    assert (found, wire.seen["CreateHITWithHITType"]) == ([0], 2)


def test_a_dispatcher_whose_lease_ran_out_undoes_nothing(own_market, wire, clock, monkeypatch) -> None:
    intent = plan_hit("taken over")

    def slow(send, provider, intent):
        clock.ahead += LEASE + timedelta(seconds=1)
        assert dispatch() == 1  # by another one, which finds nothing there and sends it
        raise Throttled("", "too late to say so")

    during_the_first(monkeypatch, slow)
    dispatch()

    intent.refresh_from_db()
    assert intent.state == Intent.State.CONFIRMED
    assert len(hits_annotated("test:taken over")) == 1


def test_no_call_of_a_batch_begins_when_its_lease_is_about_to_end(own_market, wire, clock, monkeypatch) -> None:
    intents = [plan_hit(f"late-{number}") for number in range(3)]

    def slow(send, provider, intent):
        clock.ahead += LEASE - timedelta(seconds=1)
        return send(provider, intent)

    during_the_first(monkeypatch, slow)
    dispatch()

    rows = Intent.objects.filter(pk__in=[intent.pk for intent in intents]).order_by("pk")
    assert {row.state for row in rows} == {Intent.State.CONFIRMED}
    assert [row.attempts for row in rows] == [1, 1, 1], "what was put back was not tried"
    assert rows[1].first_sent_at > rows[0].first_sent_at
    assert wire.seen["CreateHITWithHITType"] == 3


@pytest.mark.parametrize("hours", [-26, 26], ids="a clock {} hours off".format)
def test_a_clock_that_jumps_sends_no_call_twice(own_market, wire, clock, hours: int) -> None:
    intent = plan_hit(f"clock {hours}")
    wire.break_next("CreateHITWithHITType", "after", "reset")
    dispatch()
    clock.ahead = timedelta(hours=hours)
    for _ in range(3):
        dispatch()
    clock.ahead = timedelta(minutes=2)
    dispatch()

    intent.refresh_from_db()
    assert intent.state == Intent.State.CONFIRMED
    assert wire.seen["CreateHITWithHITType"] == 1
    assert len(hits_annotated(f"test:clock {hours}")) == 1
