"""Accepting, returning, handing in: whose work it is."""

import pytest
import requests

from tests.marketplace.people import frame_of


def test_a_returned_place_goes_to_the_next_worker_under_the_same_id(requester, make_worker):
    hit_id = requester.hit()["HITId"]
    anna, ben = make_worker("anna"), make_worker("ben")
    first = anna.assignment(hit_id)
    assert "free for others" in anna.post(f"/assignments/{first}/return", reason="too long").text
    assert ben.assignment(hit_id) == first
    assert requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []


def test_a_tab_left_open_by_the_first_worker_does_not_hand_in_for_the_second(requester, make_worker):
    hit_id = requester.hit()["HITId"]
    anna, ben = make_worker("anna"), make_worker("ben")
    shared = anna.assignment(hit_id)
    anna.post(f"/assignments/{shared}/return")
    ben.assignment(hit_id)
    held = anna.submit(shared, answer="anna's")
    assert "please say that it is yours" in held.text
    key = held.text.split("/confirm/")[1].split('"')[0]
    assert anna.post(f"/confirm/{key}").status_code == 409
    assert requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"] == []

    held = ben.submit(shared, answer="ben's")
    key = held.text.split("/confirm/")[1].split('"')[0]
    assert "Handed in" in ben.post(f"/confirm/{key}").text
    row = requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"][0]
    assert row["WorkerId"] == ben.worker_id
    assert "ben's" in row["Answer"]


def test_a_posted_worker_id_or_a_session_says_whose_work_it_is(requester, make_worker):
    anna, ben = make_worker("anna"), make_worker("ben")
    for how in ("field", "session"):
        hit_id = requester.hit()["HITId"]
        shared = anna.assignment(hit_id)
        anna.post(f"/assignments/{shared}/return")
        ben.assignment(hit_id)
        if how == "field":
            answer = ben.submit(shared, answer="b", workerId=ben.worker_id)
        else:
            answer = ben.session.post(f"{ben.url}/mturk/externalSubmit", data={"assignmentId": shared, "answer": "b"})
        assert answer.status_code == 200
        rows = requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
        assert [row["WorkerId"] for row in rows] == [ben.worker_id]


def test_held_work_survives_a_session_that_ended(requester, make_worker):
    hit_id = requester.hit()["HITId"]
    anna, ben = make_worker("anna"), make_worker("ben")
    shared = anna.assignment(hit_id)
    anna.post(f"/assignments/{shared}/return")
    ben.assignment(hit_id)
    held = ben.submit(shared, answer="long work")
    key = held.text.split("/confirm/")[1].split('"')[0]
    out = requests.post(f"{ben.url}/confirm/{key}", timeout=10)
    assert "Sign in and your work is still here" in out.text
    assert "Handed in" in ben.post(f"/confirm/{key}").text


def test_a_double_click_is_one_submission(requester, worker):
    hit_id = requester.hit()["HITId"]
    assignment_id = worker.assignment(hit_id)
    first, second = worker.submit(assignment_id, answer="one"), worker.submit(assignment_id, answer="two")
    assert first.status_code == second.status_code == 200
    rows = requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    assert len(rows) == 1
    assert "one" in rows[0]["Answer"]


def test_work_needs_at_least_one_field_besides_its_id(requester, worker):
    hit_id = requester.hit()["HITId"]
    assignment_id = worker.assignment(hit_id)
    answer = requests.post(f"{worker.url}/mturk/externalSubmit", data={"assignmentId": assignment_id}, timeout=10)
    assert answer.status_code == 409
    assert "at least one field" in answer.text


@pytest.mark.parametrize(
    "assignment_id", ["", "ASSIGNMENT_ID_NOT_AVAILABLE", "3XXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "' OR 1=1"]
)
def test_an_unknown_assignment_is_not_handed_in(site, db, assignment_id):
    answer = requests.post(f"{site}/mturk/externalSubmit", data={"assignmentId": assignment_id, "x": "1"}, timeout=10)
    assert answer.status_code == 409
    assert "problem submitting your results" in answer.text


def test_names_with_a_left_over_entity_are_understood(requester, worker):
    assignment_id = worker.assignment(requester.hit()["HITId"])
    form = {"amp;assignmentId": assignment_id, "amp;answer": "x"}
    assert requests.post(f"{worker.url}/mturk/externalSubmit", data=form, timeout=10).status_code == 200


def test_handing_in_through_the_address_is_not_taken(site, db):
    assert requests.get(f"{site}/mturk/externalSubmit?assignmentId=3A&x=1", timeout=10).status_code == 405


def test_repeated_fields_and_control_characters_are_kept_as_well_formed_xml(requester, worker):
    hit_id = requester.hit()["HITId"]
    assignment_id = worker.assignment(hit_id)
    form = [("assignmentId", assignment_id), ("c", "1"), ("c", "2"), ("t", "a\x00\x0b]]> <b>")]
    requests.post(f"{worker.url}/mturk/externalSubmit", data=form, timeout=10)
    answer = requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"][0]["Answer"]
    from annotation.marketplace import answers

    assert answers.read(answer) == [("c", "1"), ("c", "2"), ("t", "a\ufffd\ufffd]]> <b>")]


def test_a_worker_takes_a_hit_once(requester, worker):
    hit_id = requester.hit(MaxAssignments=3)["HITId"]
    assert worker.accept(hit_id).status_code == 200
    again = worker.accept(hit_id)
    assert again.status_code == 409
    assert "You took this HIT already" in again.text


def test_a_worker_may_take_back_what_they_returned(requester, worker):
    hit_id = requester.hit()["HITId"]
    first = worker.assignment(hit_id)
    worker.post(f"/assignments/{first}/return")
    worker.do(hit_id)


def test_the_last_place_is_given_once(requester, make_worker):
    hit_id = requester.hit()["HITId"]
    make_worker("anna").assignment(hit_id)
    refused = make_worker("ben").accept(hit_id)
    assert refused.status_code == 409
    assert "last free place" in refused.text


def test_a_queue_holds_25_hits(requester, worker):
    for _ in range(25):
        worker.assignment(requester.hit(Reward="0.01")["HITId"])
    refused = worker.accept(requester.hit(Reward="0.01")["HITId"])
    assert "queue holds 25" in refused.text
    assert worker.get("/queue/").text.count("data-assignment=") == 25


def test_work_in_progress_is_invisible_to_the_requester(requester, worker):
    hit_id = requester.hit()["HITId"]
    assignment_id = worker.assignment(hit_id)
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.get_assignment(AssignmentId=assignment_id)
    assert "This operation can be called with a status of: Reviewable,Approved,Rejected" in str(caught.value)
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.approve_assignment(AssignmentId=assignment_id)
    assert "can be called with a status of: Submitted" in str(caught.value)


def test_another_requesters_work_is_out_of_reach(make_requester, submitted):
    hit_id, assignment_id = submitted
    client = make_requester("other").client
    for call in (
        lambda: client.get_hit(HITId=hit_id),
        lambda: client.get_assignment(AssignmentId=assignment_id),
        lambda: client.approve_assignment(AssignmentId=assignment_id),
        lambda: client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="x"),
        lambda: client.delete_hit(HITId=hit_id),
    ):
        with pytest.raises(client.exceptions.RequestError) as caught:
            call()
        assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.PermissionDenied"


def test_a_preview_shows_the_task_without_a_worker_and_takes_nothing(requester, worker):
    hit = requester.hit()
    url, given = frame_of(worker.get(f"/groups/{hit['HITGroupId']}/preview"))
    assert url == "http://localhost:8102/task/abc"
    assert given == {
        "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE",
        "hitId": hit["HITId"],
        "turkSubmitTo": requester.url,
    }
    assert requester.client.get_hit(HITId=hit["HITId"])["HIT"]["NumberOfAssignmentsAvailable"] == 1


def test_a_bonus_goes_to_whoever_submitted_and_before_the_decision(requester, make_worker, worker, submitted):
    _, assignment_id = submitted
    bonus = {"BonusAmount": "0.10", "AssignmentId": assignment_id, "Reason": "Good"}
    requester.client.send_bonus(WorkerId=worker.worker_id, **bonus)
    with pytest.raises(requester.client.exceptions.RequestError):
        requester.client.send_bonus(WorkerId=make_worker("ben").worker_id, **bonus)
