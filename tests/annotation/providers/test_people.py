"""Qualifications and messages × every fault: what was wanted holds there once, and nobody is told twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.providers import mturk
from annotation.providers.actions import NotAgain, plan, try_again
from annotation.providers.dispatching import dispatch
from annotation.providers.models import Intent
from annotation.workers.actions import meet_worker
from tests.annotation.providers.test_faults import dispatch_until_settled
from tests.crowd import MarketplaceWorker, hire

pytestmark = pytest.mark.django_db

# A silent wire waits for a time-out and ends like one that is cut: test_faults.py tries it.
FAULTS = ["reset", "500", "throttle"]
WHEN = ["before", "after"]


def create(name: str) -> Intent:
    request = {"name": name, "description": "Passed our test", "keywords": "test"}
    return plan(environment="own", kind="create_qualification", key=f"own/qualification/{name}", request=request)


@pytest.fixture
def type_id(own_market, request) -> str:
    return dispatch_until_settled(create(f"Careful {abs(hash(request.node.name))}")).result["type_id"]


@pytest.fixture
def person(own_market):
    """A worker whom the vault knows, and their id at the marketplace."""
    provider_id = hire(own_market.endpoint).worker_id
    return meet_worker(environment="own", provider_id=provider_id), provider_id


def call(kind: str, type_id: str, worker, **more) -> Intent:
    request = {"type_id": type_id, "worker": worker.pk, **more}
    return plan(environment="own", kind=kind, key=f"own/{kind}/{type_id}/{len(more)}", request=request)


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", WHEN)
def test_a_qualification_type_is_made_once_whatever_the_wire_does(own_market, wire, when: str, how: str) -> None:
    name = f"Derivations {when}{how}"
    wire.break_next("CreateQualificationType", when, how)

    intent = dispatch_until_settled(create(name))

    assert intent.state == Intent.State.CONFIRMED
    assert mturk.connect("own").find_qualification(name) == intent.result["type_id"]


@pytest.mark.parametrize("how", FAULTS)
@pytest.mark.parametrize("when", WHEN)
def test_a_worker_is_granted_and_revoked_whatever_the_wire_does(
    own_market, wire, type_id, person, when: str, how: str
) -> None:
    worker, provider_id = person
    wire.break_next("AssociateQualificationWithWorker", when, how)
    granted = dispatch_until_settled(call("grant", type_id, worker, value=80))
    held = mturk.connect("own").score(type_id, worker_id=provider_id)
    wire.break_next("DisassociateQualificationFromWorker", when, how)

    revoked = dispatch_until_settled(call("revoke", type_id, worker, reason="copied", note=""))

    assert (granted.state, held) == (Intent.State.CONFIRMED, 80)
    assert revoked.state == Intent.State.CONFIRMED
    assert mturk.connect("own").score(type_id, worker_id=provider_id) is None


def test_a_process_that_died_after_a_grant_took_effect_grants_nothing_twice(own_market, wire, type_id, person) -> None:
    worker, provider_id = person
    intent = call("grant", type_id, worker, value=60)
    mturk.connect("own").grant(type_id, worker_id=provider_id, value=60)
    past = timezone.now() - timedelta(minutes=10)
    Intent.objects.filter(pk=intent.pk).update(
        state=Intent.State.SENDING, lease_until=past, first_sent_at=past, last_sent_at=past, attempts=1
    )

    dispatch()

    intent.refresh_from_db()
    assert (intent.state, intent.result) == (Intent.State.CONFIRMED, {"value": 60, "already": True})
    assert wire.seen["AssociateQualificationWithWorker"] == 1


def test_no_intent_holds_a_marketplace_s_worker_id(own_market, type_id, person) -> None:
    worker, provider_id = person

    intent = dispatch_until_settled(call("grant", type_id, worker, value=1))

    assert provider_id not in f"{intent.key}{intent.request}{intent.result}{intent.error}"


def test_a_worker_whom_the_vault_forgot_is_a_definite_no(own_market, type_id, person) -> None:
    worker, _ = person
    worker.identity.delete()

    assert dispatch_until_settled(call("grant", type_id, worker, value=1)).state == Intent.State.REFUSED


@pytest.fixture
def stranger(own_market):
    """A worker who never handed anything in: this marketplace brings them no message of ours, and says so."""
    return meet_worker(environment="own", provider_id=MarketplaceWorker(own_market.endpoint).worker_id)


def message(worker) -> Intent:
    request = {"worker": worker.pk, "subject": "Your test", "text": "You passed."}
    return plan(environment="own", kind="notify", key=f"own/notify/{worker.pk}", request=request)


def test_a_message_of_unknown_fate_is_never_sent_twice_by_itself(own_market, wire, person) -> None:
    wire.break_next("NotifyWorkers", "after", "reset")

    intent = dispatch_until_settled(message(person[0]))

    assert intent.state == Intent.State.ABSENT
    assert wire.seen["NotifyWorkers"] == 1


def test_a_person_may_send_a_lost_message_again_and_nothing_else_that_may_have_arrived(own_market, wire, stranger):
    wire.break_next("NotifyWorkers", "before", "reset")
    lost = dispatch_until_settled(message(stranger))
    Intent.objects.filter(pk=lost.pk).update(kind="bonus")
    with pytest.raises(NotAgain):
        try_again(intent=lost)
    Intent.objects.filter(pk=lost.pk).update(kind="notify")

    try_again(intent=lost)
    dispatch()

    lost.refresh_from_db()
    assert wire.seen["NotifyWorkers"] == 2
    assert (lost.state, "approved or rejected" in lost.error) == (Intent.State.REFUSED, True)
