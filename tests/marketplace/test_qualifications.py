"""Custom qualifications, from both sides."""

import re

import pytest
import requests

SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
TEST = f"""<QuestionForm xmlns="{SCHEMA}/2017-11-06/QuestionForm.xsd">
<Overview><Title>Reading</Title><Text>Two questions.</Text></Overview>
<Question><QuestionIdentifier>float</QuestionIdentifier><DisplayName>Ice</DisplayName><IsRequired>true</IsRequired>
<QuestionContent><Text>Why does ice float?</Text></QuestionContent><AnswerSpecification><SelectionAnswer>
<StyleSuggestion>radiobutton</StyleSuggestion><Selections>
<Selection><SelectionIdentifier>dense</SelectionIdentifier><Text>It is less dense</Text></Selection>
<Selection><SelectionIdentifier>cold</SelectionIdentifier><Text>It is cold</Text></Selection>
</Selections></SelectionAnswer></AnswerSpecification></Question>
<Question><QuestionIdentifier>why</QuestionIdentifier><IsRequired>false</IsRequired>
<QuestionContent><Text>In your words?</Text></QuestionContent>
<AnswerSpecification><FreeTextAnswer><Constraints><Length minLength="3" maxLength="50"/></Constraints>
</FreeTextAnswer></AnswerSpecification></Question>
</QuestionForm>"""
KEY = f"""<AnswerKey xmlns="{SCHEMA}/2005-10-01/AnswerKey.xsd">
<Question><QuestionIdentifier>float</QuestionIdentifier>
<AnswerOption><SelectionIdentifier>dense</SelectionIdentifier><AnswerScore>5</AnswerScore></AnswerOption>
<DefaultScore>1</DefaultScore></Question>
<QualificationValueMapping><PercentageMapping><MaximumSummedScore>5</MaximumSummedScore></PercentageMapping>
</QualificationValueMapping></AnswerKey>"""


@pytest.fixture
def make_type(requester):
    def make(**values):
        given = {"Name": "Readers", "Description": "Reads well", "QualificationTypeStatus": "Active"} | values
        return requester.client.create_qualification_type(**given)["QualificationType"]["QualificationTypeId"]

    return make


def score(requester, type_id, worker):
    answer = requester.client.get_qualification_score(QualificationTypeId=type_id, WorkerId=worker.worker_id)
    return answer["Qualification"]["IntegerValue"]


def sit(worker, type_id, **answers):
    page = worker.post(f"/qualifications/{type_id}/ask")
    context = re.search(r'name="context" value="([^"]+)"', page.text)[1]
    form = {"context": context, **answers}
    return requests.post(f"{worker.url}/qualifications/{type_id}/test", data=form, timeout=10, allow_redirects=False)


def test_a_score_is_given_replaced_and_taken_away(requester, worker, make_type):
    client, type_id = requester.client, make_type()
    who = {"QualificationTypeId": type_id, "WorkerId": worker.worker_id}
    with pytest.raises(client.exceptions.RequestError) as caught:
        client.get_qualification_score(**who)
    assert "does not exist" in str(caught.value)
    client.associate_qualification_with_worker(**who)
    assert score(requester, type_id, worker) == 1
    client.associate_qualification_with_worker(**who, IntegerValue=80, SendNotification=False)
    assert score(requester, type_id, worker) == 80
    assert worker.get("/messages/").text.count("Qualification: Readers") == 1
    client.disassociate_qualification_from_worker(**who, Reason="Long ago")
    with pytest.raises(client.exceptions.RequestError) as caught:
        client.get_qualification_score(**who)
    assert "operation can be called with a status of: Granted" in str(caught.value)
    assert "Long ago" in worker.get(f"/qualifications/{type_id}/").text
    revoked = client.list_workers_with_qualification_type(QualificationTypeId=type_id, Status="Revoked")
    assert [row["WorkerId"] for row in revoked["Qualifications"]] == [worker.worker_id]


def test_a_name_is_used_once_until_it_is_deleted(requester, make_type):
    type_id = make_type()
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        make_type()
    assert "already created a QualificationType with this name" in str(caught.value)
    requester.client.delete_qualification_type(QualificationTypeId=type_id)
    make_type()


def test_what_everybody_may_ask_for_is_granted_at_once(requester, worker, make_type):
    type_id = make_type(AutoGranted=True, AutoGrantedValue=7)
    assert 'data-value="7"' in worker.post(f"/qualifications/{type_id}/ask").text
    assert score(requester, type_id, worker) == 7


def test_a_request_waits_for_its_requester(requester, worker, make_type):
    type_id = make_type(RetryDelayInSeconds=60)
    worker.post(f"/qualifications/{type_id}/ask")
    waiting = requester.client.list_qualification_requests(QualificationTypeId=type_id)["QualificationRequests"]
    assert [row["WorkerId"] for row in waiting] == [worker.worker_id]
    request_id = waiting[0]["QualificationRequestId"]
    requester.client.accept_qualification_request(QualificationRequestId=request_id, IntegerValue=3)
    assert score(requester, type_id, worker) == 3
    with pytest.raises(requester.client.exceptions.RequestError):
        requester.client.accept_qualification_request(QualificationRequestId=request_id)
    assert requester.client.list_qualification_requests()["QualificationRequests"] == []


def test_a_turned_down_request_keeps_the_score_and_tells_why(requester, worker, make_type):
    type_id = make_type()
    worker.post(f"/qualifications/{type_id}/ask")
    requester.client.associate_qualification_with_worker(
        QualificationTypeId=type_id, WorkerId=worker.worker_id, IntegerValue=9
    )
    waiting = requester.client.list_qualification_requests()["QualificationRequests"]
    requester.client.reject_qualification_request(
        QualificationRequestId=waiting[0]["QualificationRequestId"], Reason="You have it already"
    )
    assert score(requester, type_id, worker) == 9
    assert "You have it already" in worker.get(f"/qualifications/{type_id}/").text


def test_a_test_with_a_key_scores_itself(requester, worker, make_type):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    answer = sit(worker, type_id, **{"q.float": "dense", "q.why": "because"})
    assert answer.status_code == 302
    assert score(requester, type_id, worker) == 100


def test_a_failed_test_can_be_taken_again_after_the_delay(requester, worker, make_type, clock):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600, RetryDelayInSeconds=3600)
    sit(worker, type_id, **{"q.float": "cold"})
    assert score(requester, type_id, worker) == 20
    assert "You can ask again from" in worker.get(f"/qualifications/{type_id}/").text
    assert worker.post(f"/qualifications/{type_id}/ask").status_code == 409
    clock.advance(seconds=3601)
    sit(worker, type_id, **{"q.float": "dense"})
    assert score(requester, type_id, worker) == 100


def test_without_a_delay_a_test_is_taken_once(requester, worker, make_type, clock):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    sit(worker, type_id, **{"q.float": "cold"})
    clock.advance(days=100)
    refused = worker.post(f"/qualifications/{type_id}/ask")
    assert refused.status_code == 409
    assert "once only" in refused.text


def test_a_test_without_a_key_is_read_by_its_requester(requester, worker, make_type):
    type_id = make_type(Test=TEST, TestDurationInSeconds=600)
    sit(worker, type_id, **{"q.float": "dense", "q.why": "lighter"})
    waiting = requester.client.list_qualification_requests()["QualificationRequests"][0]
    assert waiting["Test"] == TEST
    assert "<SelectionIdentifier>dense</SelectionIdentifier>" in waiting["Answer"]
    assert "<FreeText>lighter</FreeText>" in waiting["Answer"]


def test_missing_answers_send_the_test_back_with_what_was_typed(requester, worker, make_type):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    back = sit(worker, type_id, **{"q.why": "it"})
    assert back.status_code == 400
    assert "Please choose an answer." in back.text
    assert "At least 3 characters" in back.text
    assert 'value="it"' in back.text


def test_a_test_handed_in_too_late_is_not_taken(requester, worker, make_type, clock):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    page = worker.post(f"/qualifications/{type_id}/ask")
    context = re.search(r'name="context" value="([^"]+)"', page.text)[1]
    clock.advance(seconds=700)
    late = worker.post(f"/qualifications/{type_id}/test", context=context, **{"q.float": "dense"})
    assert late.status_code == 409
    assert "Lapsed" in worker.get(f"/qualifications/{type_id}/").text


def test_a_forged_test_is_refused(worker, make_type):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    answer = worker.post(f"/qualifications/{type_id}/test", context="x:y:z", **{"q.float": "dense"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"Test": TEST}, "TestDurationInSeconds is required"),
        ({"Test": TEST, "TestDurationInSeconds": 600, "AutoGranted": True}, "AutoGranted must not be true"),
        ({"AnswerKey": KEY}, "AnswerKey needs a Test"),
        ({"TestDurationInSeconds": 600}, "needs a Test"),
        ({"Test": "<QuestionForm/>", "TestDurationInSeconds": 600}, "holds no Question"),
        ({"Test": TEST, "TestDurationInSeconds": 600, "AnswerKey": KEY.replace("float", "sink")}, "no question sink"),
        ({"Test": TEST, "TestDurationInSeconds": 600, "AnswerKey": KEY.replace("dense", "rare")}, "no selection rare"),
        ({"Test": TEST, "TestDurationInSeconds": 0}, "TestDurationInSeconds"),
        ({"RetryDelayInSeconds": -1}, "RetryDelayInSeconds"),
        ({"Name": "n" * 201}, "Name"),
        ({"Description": "d" * 2001}, "Description"),
        ({"Keywords": "k" * 1001}, "Keywords"),
    ],
)
def test_a_type_that_cannot_work_is_refused(requester, make_type, values, words):
    with pytest.raises(requester.client.exceptions.ClientError) as caught:
        make_type(**values)
    assert words in str(caught.value)


def test_a_type_is_changed_but_keeps_its_name(requester, make_type):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    update = requester.client.update_qualification_type
    changed = update(QualificationTypeId=type_id, Description="New words", QualificationTypeStatus="Inactive")
    assert changed["QualificationType"]["Description"] == "New words"
    assert changed["QualificationType"]["Name"] == "Readers"
    with pytest.raises(requester.client.exceptions.ClientError) as caught:
        update(QualificationTypeId=type_id, TestDurationInSeconds=60)
    assert "send the Test as well" in str(caught.value)
    changed = update(QualificationTypeId=type_id, Test=TEST, TestDurationInSeconds=60)
    assert changed["QualificationType"]["TestDurationInSeconds"] == 60
    assert "AnswerKey" not in changed["QualificationType"]


def test_the_key_of_a_test_is_its_owners_secret(make_requester, make_type):
    type_id = make_type(Test=TEST, AnswerKey=KEY, TestDurationInSeconds=600)
    seen = make_requester("other").client.get_qualification_type(QualificationTypeId=type_id)["QualificationType"]
    assert seen["Name"] == "Readers"
    assert not {"Test", "AnswerKey"} & set(seen)


def test_types_are_found_by_words_and_owner(requester, make_requester, make_type):
    make_type(Name="Careful readers", Keywords="science")
    make_requester("other").client.create_qualification_type(
        Name="Others", Description="d", QualificationTypeStatus="Inactive"
    )
    find = requester.client.list_qualification_types

    def names(**asked):
        return {row["Name"] for row in find(**asked)["QualificationTypes"]}

    assert names(MustBeRequestable=False) == {"Careful readers", "Others"}
    assert names(MustBeRequestable=True) == {"Careful readers"}
    assert names(MustBeRequestable=False, MustBeOwnedByCaller=True) == {"Careful readers"}
    assert names(MustBeRequestable=False, Query="science") == {"Careful readers"}
    assert names(MustBeRequestable=False, Query="science careful") == {"Careful readers"}
    assert names(MustBeRequestable=False, Query="science nothing") == set()


def test_a_sentence_is_looked_for_as_a_word_is(requester):
    sentence = " ".join(f"word{number}" for number in range(60))
    rows = requester.client.list_qualification_types(Query=sentence, MustBeRequestable=False)
    assert rows["QualificationTypes"] == []


def test_system_types_can_be_read_but_not_changed(requester, worker):
    percent = "000000000000000000L0"
    kind = requester.client.get_qualification_type(QualificationTypeId=percent)["QualificationType"]
    assert kind["Name"] == "Worker_PercentAssignmentsApproved"
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.associate_qualification_with_worker(QualificationTypeId=percent, WorkerId=worker.worker_id)
    assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.PermissionDenied"


def test_hits_that_ask_for_a_type_are_listed(requester, make_type):
    type_id = make_type()
    asked = [{"QualificationTypeId": type_id, "Comparator": "Exists"}]
    hit_id = requester.hit(QualificationRequirements=asked)["HITId"]
    requester.hit()
    listed = requester.client.list_hits_for_qualification_type(QualificationTypeId=type_id)["HITs"]
    assert [hit["HITId"] for hit in listed] == [hit_id]
    assert listed[0]["QualificationRequirements"] == [
        {
            "QualificationTypeId": type_id,
            "Comparator": "Exists",
            "ActionsGuarded": "Accept",
            "RequiredToPreview": False,
        }
    ]
