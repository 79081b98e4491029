"""How an unknown call is settled: by a read that shows what was wanted, or what excludes it, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.models import Event
from annotation.providers import mturk
from annotation.providers.actions import plan
from annotation.providers.dispatching import dispatch
from annotation.providers.models import Intent
from annotation.workers.actions import meet_worker
from tests.annotation.providers.test_faults import (
    dispatch_until_settled,
    hits_annotated,
    offer,
    plan_hit,
    submitted_assignment,
)
from tests.annotation.providers.test_people import create
from tests.crowd import hire

pytestmark = pytest.mark.django_db
UNKNOWN, CONFIRMED, REFUSED = Intent.State.UNKNOWN, Intent.State.CONFIRMED, Intent.State.REFUSED


def dispatch_once(intent: Intent) -> str:
    Intent.objects.filter(pk=intent.pk).update(due_at=timezone.now())
    dispatch()
    intent.refresh_from_db()
    return intent.state


def on_work(kind: str, **request: object) -> Callable:
    def planned(own_market, name: str) -> Intent:
        assignment_id, _ = submitted_assignment(own_market, f"{kind}-{name}")
        whole = {"assignment_id": assignment_id, **request}
        return plan(environment="own", kind=kind, key=f"own/{assignment_id}/{kind}", request=whole)

    return planned


def on_hit(own_market, name: str) -> Intent:
    hit_id = dispatch_until_settled(plan_hit(f"expire-{name}")).result["hit_id"]
    return plan(environment="own", kind="expire_hit", key=f"own/{hit_id}/expire", request={"hit_id": hit_id})


def on_worker(own_market, name: str) -> Intent:
    worker = meet_worker(environment="own", provider_id=hire(own_market.endpoint).worker_id)
    type_id = dispatch_until_settled(create(f"Granted {name}")).result["type_id"]
    request = {"type_id": type_id, "worker": worker.pk, "value": 7}
    return plan(environment="own", kind="grant", key=f"own/grant/{type_id}", request=request)


# What is wanted, the call that does it, and the read that shows whether it is so.
CALLS = {
    "create_hit": (lambda _, name: plan_hit(name), "CreateHITWithHITType", "ListHITs"),
    "approve": (on_work("approve"), "ApproveAssignment", "GetAssignment"),
    "reject": (on_work("reject", reason="All the same word."), "RejectAssignment", "GetAssignment"),
    "bonus": (on_work("bonus", cents=25, reason="Care (ref. 1)"), "SendBonus", "ListBonusPayments"),
    "expire_hit": (on_hit, "UpdateExpirationForHIT", "GetHIT"),
    "create_qualification": (lambda _, name: create(name), "CreateQualificationType", "ListQualificationTypes"),
    "grant": (on_worker, "AssociateQualificationWithWorker", "GetQualificationScore"),
}


@pytest.mark.parametrize("kind", CALLS)
def test_a_refused_look_says_nothing_of_a_call_whose_reply_was_lost(own_market, wire, kind: str) -> None:
    planned, write, read = CALLS[kind]
    intent = planned(own_market, f"refused look {kind}")
    wire.break_next(write, "after", "reset")
    assert dispatch_once(intent) == UNKNOWN
    sent = wire.seen[write]
    wire.break_next(read, "before", "refuse", 2)

    assert [dispatch_once(intent), dispatch_once(intent)] == [UNKNOWN, UNKNOWN]
    assert dispatch_once(intent) == CONFIRMED

    assert wire.seen[write] == sent, "nothing was sent again"


@pytest.mark.parametrize("kind", CALLS)
def test_a_refused_resend_says_nothing_of_the_first_sending(own_market, wire, kind: str) -> None:
    planned, write, _ = CALLS[kind]
    intent = planned(own_market, f"refused resend {kind}")
    wire.break_next(write, "before", "reset")
    wire.break_next(write, "before", "refuse")

    assert [dispatch_once(intent), dispatch_once(intent)] == [UNKNOWN, UNKNOWN]
    assert dispatch_once(intent) == CONFIRMED


def test_a_hit_that_exists_by_its_token_is_not_refused_because_the_list_is(own_market, wire) -> None:
    intent = plan_hit("exists")
    mturk.connect("own").create_hit(mturk.HITOffer(**intent.request), token=intent.token)
    # The refusal names the HIT too: neither way to read it is open.
    wire.break_next("GetHIT", "before", "refuse")
    wire.break_next("ListHITs", "before", "refuse")

    assert dispatch_once(intent) == UNKNOWN
    assert dispatch_once(intent) == CONFIRMED
    assert len(hits_annotated("test:exists")) == 1


@pytest.mark.parametrize(
    ("kind", "other", "shown"), [("approve", "reject", "Rejected"), ("reject", "approve", "Approved")]
)
def test_what_excludes_a_call_refuses_it_and_says_what_it_was(own_market, wire, kind, other, shown) -> None:
    assignment_id, _ = submitted_assignment(own_market, f"excluded {kind}")
    request = {"assignment_id": assignment_id, "reason": "All the same word."}
    intent = plan(environment="own", kind=kind, key=f"own/{assignment_id}/{kind}", request=request)
    wire.break_next(CALLS[kind][1], "before", "reset")
    assert dispatch_once(intent) == UNKNOWN
    by_hand = {"reject": {"reason": "By hand."}, "approve": {"feedback": "", "override": False}}
    getattr(mturk.connect("own"), other)(assignment_id, **by_hand[other])

    assert dispatch_once(intent) == REFUSED
    assert intent.result["status"] == shown


def test_all_that_look_for_their_hits_share_one_listing(own_market, wire) -> None:
    intents = [plan_hit(f"lost-{number}") for number in range(3)]
    wire.break_next("CreateHITWithHITType", "after", "reset", 3)
    dispatch()
    before = wire.seen["ListHITs"]
    list(mturk.connect("own").list_hits())
    pages = wire.seen["ListHITs"] - before
    Intent.objects.update(due_at=timezone.now())

    dispatch()

    assert wire.seen["ListHITs"] - before == 2 * pages
    assert {Intent.objects.get(pk=intent.pk).state for intent in intents} == {CONFIRMED}


@pytest.mark.parametrize("somebody_works_on", ["neither", "the younger"])
def test_of_two_hits_the_one_with_work_stays_or_the_older(own_market, wire, somebody_works_on: str) -> None:
    name = f"double for {somebody_works_on}"
    intent = plan_hit(name)
    market = mturk.connect("own")
    older = market.create_hit(mturk.HITOffer(**offer(f"test:{name}")), token=intent.token)
    younger = market.create_hit(mturk.HITOffer(**offer(f"test:{name}")), token=f"{intent.token}-2")
    kept, other = (older, younger) if somebody_works_on == "neither" else (younger, older)
    if kept is younger:
        hire(own_market.endpoint).accept(younger.hit_id)
    past = timezone.now() - timedelta(hours=26)
    Intent.objects.filter(pk=intent.pk).update(state=UNKNOWN, first_sent_at=past, last_sent_at=past, attempts=1)

    assert dispatch_once(intent) == CONFIRMED
    dispatch()

    assert intent.result["hit_id"] == kept.hit_id
    assert market.get_hit(other.hit_id).expires_at <= timezone.now() < market.get_hit(kept.hit_id).expires_at
    assert Intent.objects.get(kind="expire_hit").state == CONFIRMED
    assert Event.objects.get(verb="hit.doubled").data == {"kept": kept.hit_id, "expired": other.hit_id}
