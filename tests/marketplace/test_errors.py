"""Each documented error, by what draws it: its type, its `TurkErrorCode`, the words that clients look for."""

import pytest
from botocore.exceptions import ClientError

from annotation.marketplace import qualifying, working
from annotation.marketplace.api import protocol
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT
from tests.marketplace.people import EXTERNAL, client_for
from tests.marketplace.test_qualifications import TEST

NOWHERE = "3NOSUCHTHING"


def refusal(call) -> tuple[str, str]:
    """The code and the message of a refused call."""
    with pytest.raises(ClientError) as caught:
        call()
    answer = caught.value.response
    return answer.get("TurkErrorCode", answer["Error"]["Code"]).removeprefix("AWS.MechanicalTurk."), str(caught.value)


@pytest.mark.parametrize(
    ("operation", "given", "code"),
    [
        ("get_hit", {"HITId": NOWHERE}, "HITDoesNotExist"),
        ("delete_hit", {"HITId": NOWHERE}, "HITDoesNotExist"),
        ("list_assignments_for_hit", {"HITId": NOWHERE}, "HITDoesNotExist"),
        ("get_assignment", {"AssignmentId": NOWHERE}, "AssignmentDoesNotExist"),
        ("approve_assignment", {"AssignmentId": NOWHERE}, "AssignmentDoesNotExist"),
        ("reject_assignment", {"AssignmentId": NOWHERE, "RequesterFeedback": "f"}, "AssignmentDoesNotExist"),
        ("get_file_upload_url", {"AssignmentId": NOWHERE, "QuestionIdentifier": "q"}, "AssignmentDoesNotExist"),
        ("create_hit_with_hit_type", {"HITTypeId": NOWHERE, "LifetimeInSeconds": 60, "Question": EXTERNAL},
         "HITTypeDoesNotExist"),
        ("get_qualification_type", {"QualificationTypeId": NOWHERE}, "QualificationTypeDoesNotExist"),
        ("list_workers_with_qualification_type", {"QualificationTypeId": NOWHERE}, "QualificationTypeDoesNotExist"),
        ("accept_qualification_request", {"QualificationRequestId": NOWHERE}, "QualificationRequestDoesNotExist"),
        ("reject_qualification_request", {"QualificationRequestId": NOWHERE}, "QualificationRequestDoesNotExist"),
    ],
)  # fmt: skip
def test_what_does_not_exist_is_said_not_to_exist(requester, operation, given, code):
    found, words = refusal(lambda: getattr(requester.client, operation)(**given))
    assert found == code
    assert "does not exist" in words
    assert words.rstrip().endswith(")")  # the time in milliseconds


def test_assignments_in_the_wrong_state_name_the_allowed_one(requester, submitted):
    _, assignment_id = submitted
    requester.client.approve_assignment(AssignmentId=assignment_id)
    for call in (
        lambda: requester.client.approve_assignment(AssignmentId=assignment_id),
        lambda: requester.client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="f"),
    ):
        code, words = refusal(call)
        assert code == "InvalidAssignmentState"
        assert "This operation can be called with a status of: Submitted" in words


def test_hits_in_the_wrong_state_name_the_allowed_ones_and_their_own(requester):
    hit_id = requester.hit()["HITId"]
    code, words = refusal(lambda: requester.client.delete_hit(HITId=hit_id))
    assert code == "InvalidHITState"
    assert "currently in the state 'Assignable'" in words
    assert "can be called with a status of: Reviewable,Reviewing" in words
    code, words = refusal(lambda: requester.client.update_hit_review_status(HITId=hit_id))
    assert code == "InvalidHITState"


def test_everything_about_a_disposed_hit_names_that_state(requester):
    hit_id = requester.hit()["HITId"]
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    requester.client.delete_hit(HITId=hit_id)
    kind = requester.client.create_hit_type(Title="t", Description="d", Reward="1", AssignmentDurationInSeconds=60)
    for call in (
        lambda: requester.client.delete_hit(HITId=hit_id),
        lambda: requester.client.list_assignments_for_hit(HITId=hit_id),
        lambda: requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0),
        lambda: requester.client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=1),
        lambda: requester.client.update_hit_review_status(HITId=hit_id),
        lambda: requester.client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=kind["HITTypeId"]),
    ):
        code, words = refusal(call)
        assert code == "InvalidHITState"
        assert "Disposed" in words


def test_scores_that_are_missing_and_scores_that_were_revoked(requester, worker):
    kind = qualifying.create_type(requester=requester.account, name="Careful", description="d", status="Active")
    given = {"QualificationTypeId": kind.type_id, "WorkerId": worker.worker_id}
    assert refusal(lambda: requester.client.get_qualification_score(**given))[0] == "QualificationDoesNotExist"
    requester.client.associate_qualification_with_worker(**given)
    requester.client.disassociate_qualification_from_worker(**given)
    code, words = refusal(lambda: requester.client.get_qualification_score(**given))
    assert code == "InvalidQualificationState"
    assert "can be called with a status of: Granted" in words


def test_a_request_is_decided_once(requester, worker):
    kind = qualifying.create_type(requester=requester.account, name="Careful", description="d", status="Active")
    asked = {"QualificationRequestId": qualifying.ask(worker=worker.account, kind=kind).request_id}
    requester.client.accept_qualification_request(**asked)
    for call in (requester.client.accept_qualification_request, requester.client.reject_qualification_request):
        assert refusal(lambda call=call: call(**asked))[0] == "InvalidQualificationRequestState"


def test_a_name_that_is_taken_is_refused_in_the_words_that_clients_match(requester):
    given = {"Name": "Careful", "Description": "d", "QualificationTypeStatus": "Active"}
    requester.client.create_qualification_type(**given)
    code, words = refusal(lambda: requester.client.create_qualification_type(**given))
    assert code == "QualificationTypeAlreadyExists"
    assert "already created a QualificationType with this name" in words


def test_what_a_worker_may_not_do_has_its_code(requester, worker, clock):
    asked = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [5]}]
    hit = HIT.objects.get(hit_id=requester.hit(QualificationRequirements=asked)["HITId"])
    once = qualifying.create_type(requester=requester.account, name="Once", description="d", auto_granted=True)
    again = qualifying.create_type(
        requester=requester.account, name="Again", description="d", auto_granted=True, retry_delay=60
    )
    off = qualifying.create_type(requester=requester.account, name="Off", description="d", status="Inactive")
    for kind in (once, again):
        qualifying.ask(worker=worker.account, kind=kind)
    for action, code in (
        (lambda: working.accept(worker=worker.account, hit=hit), "DoesNotMeetRequirements"),
        (lambda: qualifying.ask(worker=worker.account, kind=once), "QualificationTypeDoesNotAllowRetake"),
        (lambda: qualifying.ask(worker=worker.account, kind=again), "QualificationTypeRetryDelayNotElapsed"),
        (lambda: qualifying.ask(worker=worker.account, kind=off), "InvalidQualificationTypeState"),
    ):
        with pytest.raises(Refusal) as caught:
            action()
        assert caught.value.code == f"AWS.MechanicalTurk.{code}"


@pytest.mark.parametrize(
    ("content", "taken"),
    [
        ("<p>Well&nbsp;formed &amp; <b>bold</b></p>", True),
        ("<p>not closed", False),
        ("<p>a &unheardof; name</p>", False),
        ("<p a=1>no quotes</p>", False),
    ],
)
def test_formatted_content_is_xhtml(requester, content, taken):
    question = TEST.replace(
        "<Text>Two questions.</Text>", f"<FormattedContent><![CDATA[{content}]]></FormattedContent>"
    )
    if taken:
        requester.hit(Question=question)
    else:
        assert refusal(lambda: requester.hit(Question=question))[0] == "XHTMLParseError"


def test_a_key_that_is_unknown_and_an_account_that_asks_for_no_work(requester, site):
    requester.account.is_requester = False
    requester.account.save()
    assert refusal(requester.client.get_account_balance)[0] == "AWS.AccountNotLinked"
    stranger = client_for(site, type(requester.key)("CWNOTAKEY", "secret"))
    assert refusal(stranger.get_account_balance)[0] == "UnrecognizedClientException"


def test_a_fault_of_ours_is_a_service_fault_that_says_try_again(requester, monkeypatch):
    def broken(call):
        raise RuntimeError("a bug")

    monkeypatch.setitem(protocol.OPERATIONS, "GetHIT", broken)
    with pytest.raises(requester.client.exceptions.ServiceFault) as caught:
        requester.client.get_hit(HITId="3A")
    assert caught.value.response["TurkErrorCode"] == "AWS.ServerError"
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
