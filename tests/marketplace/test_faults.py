"""Faults on purpose: each does what it says, and none in production."""

import json
import time

import pytest
import requests
from botocore.exceptions import ClientError, HTTPClientError

from annotation.marketplace import faults
from annotation.marketplace.errors import OutOfRange
from annotation.marketplace.models import HIT, Delivery
from tests.marketplace.people import frame_of


@pytest.fixture
def plan(requester):
    """Sets the requester's plan."""

    def set_plan(**plan):
        requester.account.fault_plan = faults.read(json.dumps(plan))
        requester.account.save()

    return set_plan


@pytest.mark.parametrize(("when", "hits"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("refuse", "RequestError"),
        ("500", "ServiceFault"),
        ("503", "ServiceFault"),
        ("throttle", "ThrottlingException"),
        ("insufficient_funds", "RequestError"),
    ],
)
def test_a_call_fails_before_or_after_its_effect(requester, plan, when, hits, how, code):
    plan(rules=[{"operation": "CreateHIT", "when": when, "how": how, "times": 1}])
    with pytest.raises(ClientError) as caught:
        requester.hit()
    assert caught.value.response["Error"]["Code"] == code
    assert HIT.objects.count() == hits
    requester.hit()
    assert HIT.objects.count() == hits + 1


@pytest.mark.parametrize(
    "plan",
    [
        *('{"rules": 5}', '{"rules": [5]}', '{"rules": {"how": "500"}}', '{"events": 5}', '{"events": ["lose"]}'),
        *('{"submit_lag": "soon"}', '{"list_lag": 1e400}', '{"submit_lag": NaN}', '{"events": {"delay": null}}'),
        '{"operation": "*", "how": "500", "times": "twice"}',
        '{"operation": "*", "how": "timeout", "seconds": -1}',
        '{"submit_lag": ' + "9" * 400 + "}",
        "[" * 100_000,
    ],
)
def test_a_plan_of_the_wrong_shape_is_refused_when_it_is_read(plan):
    with pytest.raises(OutOfRange):
        faults.read(plan)


def test_a_connection_breaks(requester, plan):
    plan(rules=[{"operation": "*", "when": "after", "how": "reset", "times": 1}])
    with pytest.raises(HTTPClientError):
        requester.hit()
    assert HIT.objects.count() == 1


def test_an_answer_is_late(requester, plan):
    plan(rules=[{"operation": "GetAccountBalance", "how": "timeout", "seconds": 0.5, "times": 1}])
    started = time.monotonic()
    with pytest.raises(ClientError):
        requester.balance()
    assert time.monotonic() - started >= 0.5


def test_one_call_can_carry_its_own_plan(requester):
    def add_header(request, **_):
        request.headers[faults.HEADER] = json.dumps({"operation": "CreateHIT", "when": "after", "how": "500"})

    requester.client.meta.events.register("before-send.mturk.CreateHIT", add_header)
    with pytest.raises(ClientError):
        requester.hit()
    assert HIT.objects.count() == 1


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"rules": [{}]}',
        '{"rules": [{"operation": "X", "how": "explode"}]}',
        '{"what": 1}',
        '{"events": {"x": 1}}',
    ],
)
def test_a_plan_that_says_nothing_known_is_refused(text):
    with pytest.raises(faults.OutOfRange):
        faults.read(text)


def test_a_submission_is_seen_late(requester, worker, plan, clock):
    plan(submit_lag=60)
    hit_id = requester.hit()["HITId"]
    assignment_id = worker.do(hit_id)
    assert requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.approve_assignment(AssignmentId=assignment_id)
    assert "can be called with a status of: null" in str(caught.value)
    clock.advance(seconds=61)
    assert len(requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"]) == 1
    requester.client.approve_assignment(AssignmentId=assignment_id)


def test_a_list_lags(requester, plan, clock):
    plan(list_lag=60)
    hit_id = requester.hit()["HITId"]
    assert requester.client.list_hits()["HITs"] == []
    assert requester.client.get_hit(HITId=hit_id)["HIT"]["HITId"] == hit_id
    clock.advance(seconds=61)
    assert len(requester.client.list_hits()["HITs"]) == 1


@pytest.mark.parametrize(
    ("events", "messages", "at_once"),
    [({"lose": True}, 0, 0), ({"double": True}, 2, 2), ({"delay": 60}, 1, 0), ({"reorder": True}, 1, 0)],
)
def test_events_are_lost_doubled_and_late(requester, plan, clock, events, messages, at_once):
    hit = requester.hit()
    requester.client.update_notification_settings(
        HITTypeId=hit["HITTypeId"],
        Notification={
            "Destination": "http://127.0.0.1:9/",
            "Transport": "Email",
            "Version": "2014-08-15",
            "EventTypes": ["HITCreated"],
        },
    )
    plan(events=events)
    with clock.frozen():
        requester.hit()
        assert Delivery.objects.count() == messages
        assert len(set(Delivery.objects.values_list("message_id", flat=True))) == min(messages, 1)
        if events != {"reorder": True}:
            assert Delivery.objects.filter(next_try_at__lte=clock.now()).count() == at_once


def test_frames_get_bent_parameters(requester, worker, plan):
    plan(amp_keys=True, missing_submit_to=True)
    _, given = frame_of(worker.accept(requester.hit()["HITId"]))
    assert set(given) == {"assignmentId", "amp;hitId", "amp;workerId"}


def test_ids_can_be_made_new_after_a_return(requester, make_worker, plan):
    plan(keep_ids=False)
    hit_id = requester.hit()["HITId"]
    anna = make_worker("anna")
    first = anna.assignment(hit_id)
    anna.post(f"/assignments/{first}/return")
    assert make_worker("ben").assignment(hit_id) != first


def test_production_obeys_no_plan(requester, plan, settings):
    plan(rules=[{"operation": "*", "how": "500"}], submit_lag=60)
    settings.TESTING, settings.DEBUG, settings.EMBEDDED = False, False, False
    requester.hit()
    header = {faults.HEADER: json.dumps({"operation": "*", "how": "500"})}
    scope = f"{requester.key.access_key_id}/20260101/us-east-1/mturk-requester/aws4_request"
    authorization = f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00"
    target = {"X-Amz-Target": "MTurkRequesterServiceV20170117.GetAccountBalance", "Authorization": authorization}
    assert requests.post(requester.url, data="{}", headers=header | target, timeout=10).status_code == 200
