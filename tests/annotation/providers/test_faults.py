"""Every call × every fault × before and after the effect: exactly one effect, and the ledger knows it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.providers import mturk
from annotation.providers.actions import plan
from annotation.providers.dispatching import dispatch
from annotation.providers.models import Intent
from tests.crowd import hire

pytestmark = pytest.mark.django_db

FAULTS = ["reset", "silence", "500", "503", "throttle"]


def offer(annotation: str, **fields) -> dict:
    return {
        "title": "Answer science questions",
        "description": "Five questions, a few words each",
        "keywords": "science",
        "reward_cents": 50,
        "max_assignments": 2,
        "seconds_allowed": 600,
        "lifetime_seconds": 86_400,
        "auto_approval_seconds": 86_400,
        "url": "http://localhost:8000/t/x/",
        "annotation": annotation,
        "requirements": [],
    } | fields


def plan_hit(name: str) -> Intent:
    return plan(environment="own", kind="create_hit", key=f"own/{name}", request=offer(f"test:{name}"), cents=120)


def dispatch_until_settled(intent: Intent) -> Intent:
    """Lets the waiting times pass, as a clock would, until the intent came to an end."""
    for _ in range(12):
        Intent.objects.filter(pk=intent.pk).update(due_at=timezone.now())
        dispatch()
        intent.refresh_from_db()
        if intent.state in {Intent.State.CONFIRMED, Intent.State.REFUSED, Intent.State.ABSENT}:
            break
    return intent


def hits_annotated(annotation: str) -> list:
    return [hit for hit in mturk.connect("own").list_hits() if hit.annotation == annotation]


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_hit_is_made_once_whatever_the_wire_does(own_market, wire, when: str, how: str, times: int) -> None:
    name = f"hit-{when}-{how}-{times}"
    intent = plan_hit(name)
    wire.break_next("CreateHITWithHITType", when, how, times)

    intent = dispatch_until_settled(intent)

    assert intent.state == Intent.State.CONFIRMED
    assert [hit.hit_id for hit in hits_annotated(f"test:{name}")] == [intent.result["hit_id"]]


def submitted_assignment(own_market, name: str) -> tuple[str, str]:
    hit_id = dispatch_until_settled(plan_hit(name)).result["hit_id"]
    worker = hire(own_market.endpoint)
    frame = worker.accept(hit_id)
    worker.submit(frame["assignmentId"], receipt="r-1")
    return frame["assignmentId"], frame["workerId"]


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_work_is_approved_once_whatever_the_wire_does(own_market, wire, when: str, how: str) -> None:
    assignment_id, _ = submitted_assignment(own_market, f"approve-{when}-{how}")
    before = mturk.connect("own").balance_cents()
    request = {"assignment_id": assignment_id, "feedback": "Thank you!", "override": False}
    intent = plan(environment="own", kind="approve", key=f"own/{assignment_id}/approve", request=request)
    wire.break_next("ApproveAssignment", when, how)

    intent = dispatch_until_settled(intent)

    assert intent.state == Intent.State.CONFIRMED
    assert mturk.connect("own").get_assignment(assignment_id).status == "Approved"
    # The reward was held when the HIT was made: approving it moves no money that was free before.
    assert mturk.connect("own").balance_cents() == before


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_bonus_is_paid_once_whatever_the_wire_does(own_market, wire, when: str, how: str) -> None:
    assignment_id, worker_id = submitted_assignment(own_market, f"bonus-{when}-{how}")
    before = mturk.connect("own").balance_cents()
    request = {"assignment_id": assignment_id, "cents": 25, "reason": f"Good work (ref. {when}-{how})"}
    intent = plan(environment="own", kind="bonus", key=f"own/{assignment_id}/bonus/1", request=request, cents=30)
    wire.break_next("SendBonus", when, how)

    intent = dispatch_until_settled(intent)

    assert intent.state == Intent.State.CONFIRMED
    assert [(b.worker_id, b.cents) for b in mturk.connect("own").list_bonuses(assignment_id)] == [(worker_id, 25)]
    assert before - mturk.connect("own").balance_cents() == 25 + 5


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_hit_is_expired_whatever_the_wire_does(own_market, wire, when: str, how: str) -> None:
    hit_id = dispatch_until_settled(plan_hit(f"expire-{when}-{how}")).result["hit_id"]
    intent = plan(environment="own", kind="expire_hit", key=f"own/{hit_id}/expire", request={"hit_id": hit_id})
    wire.break_next("UpdateExpirationForHIT", when, how)

    assert dispatch_until_settled(intent).state == Intent.State.CONFIRMED
    assert mturk.connect("own").get_hit(hit_id).expires_at <= timezone.now()


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_work_is_rejected_once_whatever_the_wire_does(own_market, wire, when: str, how: str) -> None:
    assignment_id, _ = submitted_assignment(own_market, f"reject-{when}-{how}")
    request = {"assignment_id": assignment_id, "reason": "All five answers are the same word."}
    intent = plan(environment="own", kind="reject", key=f"own/{assignment_id}/reject", request=request)
    wire.break_next("RejectAssignment", when, how)

    assert dispatch_until_settled(intent).state == Intent.State.CONFIRMED
    assert mturk.connect("own").get_assignment(assignment_id).status == "Rejected"


def test_a_process_that_died_in_mid_call_leaves_a_row_that_is_settled(own_market, wire) -> None:
    intent = plan_hit("killed")
    sent = mturk.connect("own").create_hit(mturk.HITOffer(**intent.request), token=intent.token)
    past = timezone.now() - timedelta(minutes=10)
    Intent.objects.filter(pk=intent.pk).update(
        state=Intent.State.SENDING, lease_until=past, first_sent_at=past, last_sent_at=past, attempts=1
    )

    dispatch()

    intent.refresh_from_db()
    assert (intent.state, intent.result["hit_id"]) == (Intent.State.CONFIRMED, sent.hit_id)
    assert len(hits_annotated("test:killed")) == 1


def test_the_same_token_sent_again_finds_the_hit_that_there_is(own_market, wire) -> None:
    intent = plan_hit("twice")
    first = mturk.connect("own").create_hit(mturk.HITOffer(**intent.request), token=intent.token)

    again = mturk.connect("own").create_hit(mturk.HITOffer(**intent.request), token=intent.token)

    assert again.hit_id == first.hit_id


def test_after_twenty_hours_nothing_is_sent_again_and_a_person_decides(own_market, wire) -> None:
    intent = plan_hit("stale")
    past = timezone.now() - timedelta(hours=26)
    Intent.objects.filter(pk=intent.pk).update(
        state=Intent.State.UNKNOWN, first_sent_at=past, last_sent_at=past, attempts=1, due_at=past
    )

    intent = dispatch_until_settled(intent)

    assert intent.state == Intent.State.ABSENT
    assert wire.seen["CreateHITWithHITType"] == 0
    assert hits_annotated("test:stale") == []


def test_a_definite_no_is_the_end_and_costs_nothing(own_market, wire) -> None:
    request = offer("test:refused", max_assignments=0)
    intent = plan(environment="own", kind="create_hit", key="own/refused", request=request, cents=120)

    intent = dispatch_until_settled(intent)

    assert intent.state == Intent.State.REFUSED
    assert intent.attempts == 1
    assert intent.error


def test_a_marketplace_that_is_down_leaves_everything_planned(own_market, wire, settings) -> None:
    settings.MARKETPLACES = {
        **settings.MARKETPLACES,
        "own": {**settings.MARKETPLACES["own"], "endpoint": "http://127.0.0.1:9"},
    }
    mturk.connect.cache_clear()
    intent = plan_hit("down")

    dispatch()

    intent.refresh_from_db()
    assert intent.state == Intent.State.PLANNED
    assert intent.due_at > timezone.now()


def test_after_twenty_hours_no_bonus_is_sent_again_and_a_person_decides(own_market, wire) -> None:
    assignment_id, _ = submitted_assignment(own_market, "stale bonus")
    request = {"assignment_id": assignment_id, "cents": 25, "reason": "Good work (ref. stale)"}
    intent = plan(environment="own", kind="bonus", key=f"own/{assignment_id}/bonus/1", request=request, cents=30)
    past = timezone.now() - timedelta(hours=26)
    Intent.objects.filter(pk=intent.pk).update(
        state=Intent.State.UNKNOWN, first_sent_at=past, last_sent_at=past, attempts=1, due_at=past
    )

    assert dispatch_until_settled(intent).state == Intent.State.ABSENT
    assert wire.seen["SendBonus"] == 0


@pytest.mark.parametrize("state", [Intent.State.UNKNOWN, Intent.State.PLANNED])
def test_a_bonus_that_arrived_a_day_ago_is_found_before_anything_is_sent(own_market, wire, state: str) -> None:
    """Also where a person had a call tried again that was thought to be refused: its token is forgotten by now."""
    assignment_id, worker_id = submitted_assignment(own_market, f"late bonus {state}")
    about = {"cents": 25, "reason": f"Good work (ref. {state})"}
    mturk.connect("own").send_bonus(assignment_id, worker_id=worker_id, token=f"cw-forgotten-{state}", **about)
    request = {"assignment_id": assignment_id, **about}
    intent = plan(environment="own", kind="bonus", key=f"own/{assignment_id}/bonus/1", request=request, cents=30)
    past = timezone.now() - timedelta(hours=26)
    Intent.objects.filter(pk=intent.pk).update(
        state=state, first_sent_at=past, last_sent_at=past, attempts=1, due_at=past
    )

    assert dispatch_until_settled(intent).state == Intent.State.CONFIRMED
    assert wire.seen["SendBonus"] == 1
    assert len(list(mturk.connect("own").list_bonuses(assignment_id))) == 1
