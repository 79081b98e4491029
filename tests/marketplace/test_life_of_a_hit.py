"""One HIT from its type to its end, by boto3 on one side and pages on the other."""

from lxml import etree

from tests.marketplace.people import EXTERNAL, frame_of


def test_a_hit_is_published_done_approved_paid_extended_and_deleted(requester, make_worker, clock):
    client = requester.client
    type_id = client.create_hit_type(
        AssignmentDurationInSeconds=600, Reward="1.00", Title="Explain", Description="Explain an answer"
    )["HITTypeId"]
    hit = client.create_hit_with_hit_type(
        HITTypeId=type_id, LifetimeInSeconds=3600, MaxAssignments=2, Question=EXTERNAL, RequesterAnnotation="batch 1"
    )["HIT"]
    hit_id = hit["HITId"]
    assert len(hit_id) == 30
    assert (hit["HITStatus"], hit["NumberOfAssignmentsAvailable"]) == ("Assignable", 2)
    assert requester.balance() == ("97.60", "2.40")

    anna, ben = make_worker("anna"), make_worker("ben")
    url, given = frame_of(anna.accept(hit_id))
    assert url == "http://localhost:8102/task/abc"
    assert given == {
        "assignmentId": given["assignmentId"],
        "hitId": hit_id,
        "workerId": anna.worker_id,
        "turkSubmitTo": requester.url,
    }
    assert client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []
    anna.submit(given["assignmentId"], receipt="r-1", **{"q.1": "a < b & c"})
    second = ben.do(hit_id)

    assert client.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Reviewable"
    assert [found["HITId"] for found in client.list_reviewable_hits(HITTypeId=type_id)["HITs"]] == [hit_id]
    listed = client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert {(one["AssignmentId"], one["WorkerId"]) for one in listed} == {
        (given["assignmentId"], anna.worker_id),
        (second, ben.worker_id),
    }
    root = etree.fromstring(listed[0]["Answer"].encode())
    assert [(one[0].text, one[1].text) for one in root] == [("receipt", "r-1"), ("q.1", "a < b & c")]

    client.approve_assignment(AssignmentId=given["assignmentId"], RequesterFeedback="Thank you")
    client.reject_assignment(AssignmentId=second, RequesterFeedback="Empty")
    assert requester.balance() == ("98.80", "0.00")
    client.send_bonus(
        WorkerId=anna.worker_id, BonusAmount="0.50", AssignmentId=given["assignmentId"], Reason="Very good"
    )
    bonuses = client.list_bonus_payments(AssignmentId=given["assignmentId"])["BonusPayments"]
    assert [(one["BonusAmount"], one["WorkerId"]) for one in bonuses] == [("0.50", anna.worker_id)]
    assert requester.balance() == ("98.20", "0.00")
    assert "$1.50" in anna.get("/earnings/").text

    client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=1)
    assert client.get_hit(HITId=hit_id)["HIT"]["HITStatus"] == "Assignable"
    client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    hit = client.get_hit(HITId=hit_id)["HIT"]
    assert (hit["HITStatus"], hit["NumberOfAssignmentsAvailable"]) == ("Reviewable", 1)
    assert requester.balance() == ("98.20", "0.00")
    client.delete_hit(HITId=hit_id)
    assert client.list_hits()["HITs"] == []
