"""What requesters are told, by which way, and that it arrives at least once."""

import base64
import hashlib
import hmac
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from annotation.marketplace import delivering
from annotation.marketplace.models import Delivery

VERSION = "2014-08-15"


@pytest.fixture
def listener():
    """A web server that keeps what it is sent and answers with `status`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.got.append((dict(self.headers), body))
            self.send_response(server.status)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.got, server.status = [], 200
    server.address = f"http://127.0.0.1:{server.server_address[1]}/hook"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def specification(destination, *events, transport="Email"):
    return {
        "Destination": destination,
        "Transport": transport,
        "Version": VERSION,
        "EventTypes": list(events) or ["AssignmentSubmitted"],
    }


def watched(requester, destination, *events):
    hit = requester.hit()
    requester.client.update_notification_settings(
        HITTypeId=hit["HITTypeId"], Notification=specification(destination, *events)
    )
    return hit


def test_a_submission_is_told_in_the_documented_form_and_signed(requester, worker, listener):
    hit = watched(requester, listener.address)
    assignment_id = worker.do(hit["HITId"])
    assert delivering.deliver_due() == 1
    headers, body = listener.got[0]
    told = json.loads(body)
    assert set(told) == {"EventDocId", "EventDocVersion", "SourceAccount", "CustomerId", "Events"}
    assert told["EventDocVersion"] == VERSION
    event = told["Events"][0]
    assert event.pop("EventTimestamp").endswith("Z")
    assert event == {
        "EventType": "AssignmentSubmitted",
        "HITTypeId": hit["HITTypeId"],
        "HITGroupId": hit["HITGroupId"],
        "HITId": hit["HITId"],
        "AssignmentId": assignment_id,
        "WorkerId": worker.worker_id,
    }
    secret = base64.b64decode(delivering.signing_secret(requester.account).removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    signature = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{signature}"


def test_each_event_of_a_hits_life_is_told_once(requester, make_worker, clock):
    events = (
        "AssignmentAccepted AssignmentAbandoned AssignmentReturned AssignmentSubmitted AssignmentRejected "
        "AssignmentApproved HITCreated HITExtended HITDisposed HITReviewable HITExpired"
    ).split()
    first = watched(requester, "http://127.0.0.1:9/", *events)
    client = requester.client
    hit_id = requester.hit(MaxAssignments=1, LifetimeInSeconds=5000)["HITId"]
    anna, ben = make_worker("anna"), make_worker("ben")
    anna.post(f"/assignments/{anna.assignment(hit_id)}/return")
    anna.assignment(hit_id)
    clock.advance(seconds=601)
    client.get_account_balance()
    approved = anna.do(hit_id)
    client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=1)
    rejected = ben.do(hit_id)
    client.approve_assignment(AssignmentId=approved)
    client.reject_assignment(AssignmentId=rejected, RequesterFeedback="no")
    client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    client.delete_hit(HITId=hit_id)
    told = [row.body["Events"][0] for row in Delivery.objects.order_by("pk")]
    assert {one["HITId"] for one in told} <= {hit_id, first["HITId"]}
    assert [one["EventType"] for one in told if one["HITId"] == hit_id] == [
        "HITCreated",
        "AssignmentAccepted",
        "AssignmentReturned",
        "AssignmentAccepted",
        "AssignmentAbandoned",
        "AssignmentAccepted",
        "HITReviewable",
        "AssignmentSubmitted",
        "HITExtended",
        "AssignmentAccepted",
        "HITReviewable",
        "AssignmentSubmitted",
        "AssignmentApproved",
        "AssignmentRejected",
        "HITExpired",
        "HITDisposed",
    ]


def test_a_failed_delivery_is_tried_again_with_the_same_id(requester, worker, listener, clock):
    listener.status = 500
    worker.do(watched(requester, listener.address)["HITId"])
    assert delivering.deliver_due() == 0
    assert delivering.deliver_due() == 0
    assert len(listener.got) == 1
    listener.status = 204
    clock.advance(seconds=10)
    assert delivering.deliver_due() == 1
    assert listener.got[0][0]["webhook-id"] == listener.got[1][0]["webhook-id"]
    assert delivering.deliver_due() == 0


def test_a_destination_that_stays_dead_is_given_up(requester, worker, clock):
    worker.do(watched(requester, "http://127.0.0.1:9/")["HITId"])
    for _ in range(20):
        clock.advance(days=1)
        delivering.deliver_due()
    row = Delivery.objects.get()
    assert row.delivered_at is None
    assert row.next_try_at is None
    assert row.tries == 8
    assert "Connection" in row.last_error


def test_settings_are_switched_off_and_on(requester, worker):
    hit = watched(requester, "http://127.0.0.1:9/", "HITCreated")
    client = requester.client
    client.update_notification_settings(HITTypeId=hit["HITTypeId"], Active=False)
    requester.hit()
    assert Delivery.objects.count() == 0
    client.update_notification_settings(HITTypeId=hit["HITTypeId"], Active=True)
    requester.hit()
    assert Delivery.objects.count() == 1


@pytest.mark.parametrize(
    ("transport", "destination"),
    [("Email", "lab@example.org"), ("SQS", "queue"), ("SNS", "http://x/"), ("Email", "ftp://x/")],
)
def test_a_destination_that_nothing_can_reach_is_refused(requester, transport, destination):
    hit = requester.hit()
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.update_notification_settings(
            HITTypeId=hit["HITTypeId"], Notification=specification(destination, transport=transport)
        )
    assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.InvalidTransportEndpoint"


def test_ping_is_for_tests_only(requester, listener):
    hit = requester.hit()
    with pytest.raises(requester.client.exceptions.ClientError):
        requester.client.update_notification_settings(
            HITTypeId=hit["HITTypeId"], Notification=specification(listener.address, "Ping")
        )
    requester.client.send_test_event_notification(
        Notification=specification(listener.address, "Ping"), TestEventType="Ping"
    )
    assert delivering.deliver_due() == 1
    assert json.loads(listener.got[0][1])["Events"][0]["EventType"] == "Ping"


def test_sqs_and_sns_get_the_same_document(requester, worker, monkeypatch):
    moto = pytest.importorskip("moto", reason="moto plays SQS and SNS")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    import boto3

    with moto.mock_aws():
        sqs, sns = boto3.client("sqs", "us-east-1"), boto3.client("sns", "us-east-1")
        queue = sqs.create_queue(QueueName="events")["QueueUrl"]
        topic = sns.create_topic(Name="events")["TopicArn"]
        arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
        for transport, destination in (("SQS", queue), ("SQS", arn), ("SNS", topic)):
            from annotation.marketplace import notifications

            notifications.test(
                requester.account, specification(destination, "Ping", transport=transport), "HITReviewable"
            )
        assert delivering.deliver_due() == 3
        got = []
        while messages := sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                body = json.loads(message["Body"])
                got.append(json.loads(body["Message"]) if "TopicArn" in body else body)
                sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
    assert [one["Events"][0]["EventType"] for one in got] == ["HITReviewable"] * 3


@pytest.mark.parametrize(
    "address",
    [
        *("http://127.0.0.1:9/", "http://localhost/", "http://10.0.0.5/", "http://169.254.169.254/latest/meta-data/"),
        *("http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/", "https://redis.internal/"),
    ],
)
def test_on_a_server_no_webhook_leads_inside(requester, settings, address):
    settings.MARKETPLACE_NOTIFY_INSIDE = False
    hit = requester.hit()
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.update_notification_settings(HITTypeId=hit["HITTypeId"], Notification=specification(address))
    assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.InvalidTransportEndpoint"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "localhost"])
def test_on_a_server_nothing_is_sent_inside_whatever_the_name_that_leads_there(requester, settings, listener, host):
    hit = requester.hit()
    address = listener.address.replace("127.0.0.1", host)
    requester.client.update_notification_settings(
        HITTypeId=hit["HITTypeId"], Notification=specification(address, "HITCreated")
    )
    settings.MARKETPLACE_NOTIFY_INSIDE = False
    requester.hit()
    assert delivering.deliver_due() == 0
    assert listener.got == []
    assert "Connection" in Delivery.objects.get().last_error


def test_a_dead_address_holds_nobody_up_and_is_tried_once_a_round(requester, make_requester, listener, clock):
    tried = []
    send = delivering.SENDERS["Email"]

    def count(delivery):
        tried.append(delivery.destination)
        send(delivery)

    other = make_requester("other")
    with pytest.MonkeyPatch.context() as patch, clock.frozen():
        patch.setitem(delivering.SENDERS, "Email", count)
        watched(requester, "http://127.0.0.1:9/", "HITCreated")
        watched(other, listener.address, "HITCreated")
        for _ in range(5):
            requester.hit()
        for _ in range(2):
            other.hit()
        assert delivering.deliver_due(most=4) == 2
        assert tried.count("http://127.0.0.1:9/") == 1
        assert delivering.deliver_due() == 0
        assert len(tried) == 3
        clock.advance(seconds=6)
        assert delivering.deliver_due() == 0
        assert len(tried) == 4
    assert len(listener.got) == 2


def test_an_accounts_other_addresses_are_sent_to_all_the_same(requester, listener):
    watched(requester, "http://127.0.0.1:9/", "HITCreated")
    requester.hit()
    hit = requester.hit(Title="Other")
    requester.client.update_notification_settings(
        HITTypeId=hit["HITTypeId"], Notification=specification(listener.address, "HITCreated")
    )
    requester.hit(Title="Other")
    assert [delivering.deliver_due() for _ in range(2)] == [0, 1]
