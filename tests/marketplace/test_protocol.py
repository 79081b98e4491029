"""The wire: what boto3 needs to see, and what other clients get to read."""

import json

import botocore.exceptions
import pytest
import requests

from annotation.marketplace.api import model, protocol
from annotation.marketplace.keys import NewKey
from annotation.marketplace.models import HIT
from tests.marketplace.people import client_for


def raw(site, key, operation, body=b"{}", **headers):
    scope = f"{key.access_key_id}/20260101/us-east-1/mturk-requester/aws4_request"
    return requests.post(
        site,
        data=body,
        headers={
            "X-Amz-Target": f"MTurkRequesterServiceV20170117.{operation}",
            "Content-Type": "application/x-amz-json-1.1",
            "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00",
            **headers,
        },
        timeout=30,
    )


def test_every_operation_of_the_installed_botocore_has_a_handler():
    assert set(protocol.OPERATIONS) == set(model.service_model().operation_names)


def test_a_call_answers_with_a_request_id_and_json_1_1(requester):
    answer = raw(requester.url, requester.key, "GetAccountBalance")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/x-amz-json-1.1"
    assert len(answer.headers["x-amzn-RequestId"]) == 36
    assert answer.json() == {"AvailableBalance": "100.00", "OnHoldBalance": "0.00"}


def test_an_unknown_operation_is_named_in_a_typed_error(requester):
    answer = raw(requester.url, requester.key, "MakeCoffee")
    assert answer.status_code == 400
    assert answer.json()["__type"] == "UnknownOperationException"
    assert "MakeCoffee" in answer.json()["Message"]


def test_a_request_error_is_the_modelled_exception_with_its_turk_code(requester):
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.get_hit(HITId="3NOTTHERE")
    response = caught.value.response
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.HITDoesNotExist"
    assert "does not exist" in response["Error"]["Message"]
    assert response["Message"].rsplit("(", 1)[1].rstrip(")").isdigit()


def test_an_unknown_key_is_refused(site, requester):
    client = client_for(site, NewKey("CWNOTAKEY", "secret"))
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        client.get_account_balance()
    assert caught.value.response["Error"]["Code"] == "UnrecognizedClientException"


def test_a_call_without_authorization_is_refused(site, requester):
    answer = requests.post(site, data="{}", headers={"X-Amz-Target": "x"}, timeout=30)
    assert answer.json()["__type"] == "MissingAuthenticationTokenException"


def test_signatures_are_checked_where_the_site_wants_it(site, requester, settings):
    settings.MARKETPLACE_VERIFY_SIGNATURES = True
    assert requester.balance() == ("100.00", "0.00")
    forged = client_for(site, NewKey(requester.key.access_key_id, "not the secret"))
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        forged.get_account_balance()
    assert caught.value.response["Error"]["Code"] == "InvalidSignatureException"


def test_a_changed_body_breaks_the_signature(site, requester, settings):
    settings.MARKETPLACE_VERIFY_SIGNATURES = True
    sent = []
    requester.client.meta.events.register("before-send.mturk", lambda request, **_: sent.append(request))
    requester.client.list_hits(MaxResults=5)
    headers = {name: value.decode() if isinstance(value, bytes) else value for name, value in sent[0].headers.items()}
    assert requests.post(site, data=sent[0].body, headers=headers, timeout=30).status_code == 200
    changed = requests.post(site, data=json.dumps({"MaxResults": 6}), headers=headers, timeout=30)
    assert changed.json()["__type"] == "InvalidSignatureException"


def test_secrets_are_not_in_the_database(requester):
    from annotation.marketplace.models import AccessKey

    row = AccessKey.objects.values().get(key_id=requester.key.access_key_id)
    assert requester.key.secret_access_key not in {str(value) for value in row.values()}


def test_both_spellings_of_the_odd_method_work(requester):
    system_type = "00000000000000000040"
    assert requester.client.list_hits_for_qualification_type(QualificationTypeId=system_type)["HITs"] == []
    assert requester.client.list_hi_ts_for_qualification_type(QualificationTypeId=system_type)["HITs"] == []


def test_an_answer_that_does_not_fit_the_model_is_a_fault_of_ours(requester):
    requester.hit()
    HIT.objects.update(annotation="a\x0bb")
    answer = raw(requester.url, requester.key, "ListHITs")
    assert answer.status_code == 500
    assert answer.json()["__type"] == "ServiceFault"


@pytest.mark.parametrize(
    ("operation", "body", "kind", "words"),
    [
        ("GetHIT", {}, "ValidationException", "'hITId' failed to satisfy constraint: Member must not be null"),
        ("GetHIT", {"HITId": "lower"}, "ValidationException", "regular expression pattern"),
        ("GetHIT", {"HITId": ""}, "ValidationException", "length greater than or equal to 1"),
        ("GetHIT", {"HITId": "A" * 65}, "ValidationException", "length less than or equal to 64"),
        ("GetHIT", {"HITId": 5}, "SerializationException", "a string"),
        ("ListHITs", {"MaxResults": 0}, "ValidationException", "greater than or equal to 1"),
        ("ListHITs", {"MaxResults": 101}, "ValidationException", "less than or equal to 100"),
        ("ListHITs", {"MaxResults": "ten"}, "SerializationException", "a whole number"),
        ("ListHITs", {"MaxResults": 10**400}, "SerializationException", "does not fit"),
        ("ListHITs", {"NextToken": "forged"}, "ParameterValidationError", "NextToken"),
        ("ListReviewableHITs", {"Status": "Done"}, "ValidationException", "[Reviewable, Reviewing]"),
        ("UpdateExpirationForHIT", {"HITId": "A", "ExpireAt": "soon"}, "SerializationException", "a time"),
        ("RejectAssignment", {"AssignmentId": "A", "RequesterFeedback": None}, "ValidationException", "null"),
    ],
)
def test_a_request_is_held_against_the_service_model(requester, operation, body, kind, words):
    answer = raw(requester.url, requester.key, operation, json.dumps(body))
    assert answer.status_code == 400
    assert answer.json()["__type"] == kind
    assert words in answer.json()["Message"]
