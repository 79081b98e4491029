"""Hundreds of broken requests: each draws a typed client error, none a server error."""

import json
import random

import pytest
import requests

from annotation.marketplace import keys, ledger
from annotation.marketplace.api import model
from annotation.marketplace.models import HIT, Account
from tests.marketplace.people import EXTERNAL

PREFIX = "MTurkRequesterServiceV20170117."
VALID = {
    "CreateHIT": {
        "Title": "t",
        "Description": "d",
        "Reward": "0.01",
        "AssignmentDurationInSeconds": 60,
        "LifetimeInSeconds": 60,
        "Question": EXTERNAL,
    },
    "GetHIT": {"HITId": "3A"},
    "ListHITs": {"MaxResults": 5},
    "UpdateExpirationForHIT": {"HITId": "3A", "ExpireAt": 0},
    "ListAssignmentsForHIT": {"HITId": "3A", "AssignmentStatuses": ["Submitted"]},
    "SendBonus": {"WorkerId": "A1", "BonusAmount": "1.00", "AssignmentId": "3A", "Reason": "r"},
    "CreateQualificationType": {
        "Name": "n",
        "Description": "d",
        "QualificationTypeStatus": "Active",
        "RetryDelayInSeconds": 60,
    },
    "NotifyWorkers": {"Subject": "s", "MessageText": "m", "WorkerIds": ["A1"]},
    "AcceptQualificationRequest": {"QualificationRequestId": "x"},
}
# Values that fit no member of these requests, or only its type.
ODD = [
    None, True, False, 0, -1, 2**31, 2**63, 10**30, 1.5, -0.0, "", " ", "x", "\u0000", "a\u0000b", "\u0008",
    "\ufffe", "\u202e", "\u200b", "e\u0301" * 50, "🙂", "'; DROP TABLE marketplace_hit; --", "<script>", "%s%n",
    "../../etc/passwd", "A" * 300, [], [[]], {}, {"a": {}}, [None], [1], ["x"] * 200, {"Country": "USA"}, "NaN",
    "1e400", "9" * 500, 10**12, 10**400, -(10**400), "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    "30000000.00", "999999999999", "9" * 29, 253_402_300_799,
]  # fmt: skip

BODIES = [
    b"", b" ", b"null", b"[]", b"1", b'"x"', b"{", b"}", b"{]", b'{"HITId":}', b"{'HITId': 'x'}", b'{"HITId": NaN}',
    b'{"HITId": Infinity}', b'{"HITId": -Infinity}', b"\xff\xfe", b"\xef\xbb\xbf{}", 
    '{"HITId": "ü"}'.encode("latin-1"),
    '{"HITId": "x"}'.encode("utf-16"), b'{"HITId": "\\ud800"}', b'{"HITId": "\\udc00\\ud800"}', b'{"HITId": "\\u0000"}',
    b'{"HITId": "a\x00"}', b'{"HIT\x00Id": "a"}', b"[" * 100_000, b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b'{"HITId": ' + b"9" * 5000 + b"}", b'{"HITId": 1e999}',
    b'{"HITId": "' + b"x" * 900_000 + b'"}', b"x" * 1_048_577, b'{"a": 1}' * 2, b"HITId=3A", b"<xml/>", b"\x00" * 64,
    b"\x1f\x8b\x08\x00", b'{"HITId": "x", "HITId": "y"}',
]  # fmt: skip


@pytest.fixture
def send(db, client):
    """Sends any bytes as a call of an operation, signed by nobody."""
    account = Account.objects.create_user("lab", "x", is_requester=True)
    ledger.prepay(requester=account, cents=10_000)
    key = keys.create_key(account=account)
    scope = f"{key.access_key_id}/20260101/us-east-1/mturk-requester/aws4_request"
    client.raise_request_exception = False

    def call(operation, body, **headers):
        given = {
            "X-Amz-Target": f"{PREFIX}{operation}",
            "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00",
        }
        return client.post("/", body, content_type="application/x-amz-json-1.1", headers=given | headers)

    return call


def is_typed_client_error(answer):
    assert answer.status_code == 400, answer.content[:300]
    assert json.loads(answer.content)["__type"], answer.content[:300]
    assert json.loads(answer.content)["Message"].strip(), answer.content[:300]
    return True


def test_every_odd_body_draws_a_typed_error(send):
    for body in BODIES:
        answer = send("GetHIT", body)
        assert is_typed_client_error(answer), body[:40]


def test_every_odd_value_in_every_place_draws_an_answer_or_a_typed_error(send):
    sent = 0
    for operation, valid in VALID.items():
        for name in valid:
            for value in ODD:
                answer = send(operation, json.dumps({**valid, name: value}))
                assert answer.status_code == 200 or is_typed_client_error(answer), (operation, name, value)
                sent += 1
    assert sent > 300


def test_the_dearest_wish_that_can_be_said_is_one_that_costs_too_much(send):
    for reward, number in (("10000000.00", 1_000_000_000), ("10000000.01", 1), ("999999999999", 1_000_000_000)):
        answer = send("CreateHIT", json.dumps({**VALID["CreateHIT"], "Reward": reward, "MaxAssignments": number}))
        assert is_typed_client_error(answer)


def test_odd_headers_draw_typed_errors(send):
    for name, values in {
        "X-Amz-Target": [
            "",
            "x",
            "MTurkRequesterServiceV20170117.",
            "MTurkRequesterServiceV20170117.__init__",
            "a" * 4000,
        ],
        "Authorization": ["", "Basic eDp5", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Credential=a/b/c", "é" * 50],
    }.items():
        for value in values:
            assert is_typed_client_error(send("GetAccountBalance", "{}", **{name: value})), (name, value)


def test_missing_members_are_named(send):
    for operation in model.service_model().operation_names:
        shape = model.service_model().operation_model(operation).input_shape
        answer = send(operation, "{}")
        if shape.required_members:
            assert is_typed_client_error(answer)
            assert json.loads(answer.content)["__type"] == "ValidationException"
            first = shape.required_members[0]
            assert first[0].lower() + first[1:] in json.loads(answer.content)["Message"]


def test_random_trees_draw_no_server_error(send):
    chance = random.Random(7)

    def tree(depth):
        kind = chance.randrange(3 if depth < 4 else 1)
        if kind == 0:
            return chance.choice(ODD)
        if kind == 1:
            return [tree(depth + 1) for _ in range(chance.randrange(4))]
        names = [
            "HITId",
            "Title",
            "QualificationRequirements",
            "Comparator",
            "LocaleValues",
            "Country",
            "Question",
            "x",
        ]
        return {chance.choice(names): tree(depth + 1) for _ in range(chance.randrange(5))}

    for _ in range(200):
        operation = chance.choice(list(VALID))
        name = chance.choice(
            [*VALID[operation], "QualificationRequirements", "HITReviewPolicy", "MaxResults", "NextToken"]
        )
        answer = send(operation, json.dumps({**VALID[operation], name: tree(0)}))
        assert answer.status_code == 200 or is_typed_client_error(answer)


def test_odd_pages_and_forms_draw_no_server_error(site, worker, requester):
    requester.hit()
    for path in (
        "/hits/?page=x&pay=1e9&order=\x00&q=%00",
        "/hits/?pay=١&q=" + "w+" * 300,
        "/hits/?pay=NaN&page=-1",
        "/groups/%00/preview",
        "/groups/3A/preview?hit=%F0%9F%99%82",
        "/assignments/%2e%2e/",
        "/history/?status=%00&page=999999999999999999999",
        "/qualifications/?q=%00%ff",
        "/questions/3A?assignmentId=x",
        "/mturk/preview?groupId=%00",
        "/confirm/x",
    ):
        assert worker.get(path).status_code < 500, path
    for form in (
        {"assignmentId": "\x00", "a": "b"},
        {"": ""},
        {"assignmentId": "x" * 100_000, "a": "b"},
        {"\x00": "\x00"},
    ):
        assert requests.post(f"{site}/mturk/externalSubmit", data=form, timeout=10).status_code < 500
    assert worker.post("/sign-up/", username="\x00", password="x" * 10_000).status_code < 500
    assert HIT.objects.count() == 1


def test_a_page_that_is_not_there_says_so(worker):
    assert "There is nothing at this address" in worker.get("/nowhere/").text
    assert worker.get("/assignments/3NOTMINE/").status_code == 404


def test_a_form_without_its_token_is_refused_in_words(site, db):
    answer = requests.post(f"{site}/sign-in/", data={"username": "a", "password": "b"}, timeout=10)
    assert answer.status_code == 403
    assert answer.text.strip()
