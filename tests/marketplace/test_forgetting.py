"""What is kept for a time only, and what for longer because somebody may still need it."""

import pytest

from annotation.marketplace import (
    delivering,
    forgetting,
    ledger,
    limits,
    notifications,
    publishing,
    registering,
    working,
)
from annotation.marketplace.models import Account, Delivery, HeldSubmission, RequestToken
from tests.marketplace.people import EXTERNAL

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab():
    return Account.objects.create_user("lab", is_requester=True)


def test_tokens_are_forgotten_after_a_day_and_sent_messages_after_a_month(lab, clock):
    ledger.prepay(requester=lab, cents=100, token="a" * 32)
    told = {"Transport": "Email", "Destination": "http://127.0.0.1:9/", "EventTypes": ["Ping"]}
    for _ in range(2):
        notifications.test(lab, told, "Ping")
    sent, waiting = Delivery.objects.order_by("pk")
    Delivery.objects.filter(pk=sent.pk).update(next_try_at=None, delivered_at=clock.now())
    clock.advance(hours=23)
    forgetting.forget()
    assert RequestToken.objects.count() == 1
    clock.advance(hours=2)
    forgetting.forget()
    assert RequestToken.objects.count() == 0
    ledger.prepay(requester=lab, cents=100, token="a" * 32)
    assert Delivery.objects.count() == 2
    clock.advance(days=30)
    forgetting.forget()
    assert list(Delivery.objects.all()) == [waiting]


def test_work_that_waits_for_its_worker_is_kept_as_long_as_somebody_can_hand_it_in(lab, clock):
    ledger.prepay(requester=lab, cents=10_000)
    values = registering.TypeValues("t", "d", "", 10, limits.LONGEST, 86_400, [])
    kind = registering.register_type(requester=lab, values=values)
    hit = publishing.create_hit(requester=lab, hit_type=kind, question=EXTERNAL, lifetime=86_400)
    anna, ben = (Account.objects.create_user(name, is_worker=True) for name in ("anna", "ben"))
    first = working.accept(worker=anna, hit=hit)
    working.give_back(worker=anna, assignment=first)
    turn = working.accept(worker=ben, hit=hit)
    held = working.hand_in(assignment_id=turn.assignment_id, answer="<a/>", signed_in=None, claimed="").held
    clock.advance(days=31)
    forgetting.forget()
    working.confirm_held(worker=ben, held=held)
    again = HeldSubmission.objects.create(
        assignment_id=turn.assignment_id, key="k", answer="<a/>", created_at=clock.now()
    )
    clock.advance(days=29)
    forgetting.forget()
    assert HeldSubmission.objects.get() == again
    clock.advance(days=2)
    forgetting.forget()
    assert not HeldSubmission.objects.exists()


def test_the_program_that_sends_forgets_once_an_hour(lab, clock, monkeypatch):
    times = []
    monkeypatch.setattr(forgetting, "forget", lambda: times.append(clock.now()))
    monkeypatch.setattr(forgetting, "_last", None)
    for minutes in (0, 30, 31, 1):
        clock.advance(minutes=minutes)
        delivering.deliver_due()
    assert len(times) == 2
