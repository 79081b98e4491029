"""What changes by itself as time passes."""

from datetime import UTC, datetime, timedelta

import pytest


def state(requester, hit_id):
    hit = requester.client.get_hit(HITId=hit_id)["HIT"]
    return (
        hit["HITStatus"],
        hit["NumberOfAssignmentsAvailable"],
        hit["NumberOfAssignmentsPending"],
        hit["NumberOfAssignmentsCompleted"],
    )


def statuses(requester, hit_id):
    rows = requester.client.list_assignments_for_hit(HITId=hit_id)["Assignments"]
    return [row["AssignmentStatus"] for row in rows]


def test_counters_follow_the_work(requester, make_worker):
    hit_id = requester.hit(MaxAssignments=2)["HITId"]
    anna, ben = make_worker("anna"), make_worker("ben")
    first = anna.assignment(hit_id)
    assert state(requester, hit_id) == ("Assignable", 1, 1, 0)
    second = ben.assignment(hit_id)
    assert state(requester, hit_id) == ("Unassignable", 0, 2, 0)
    anna.submit(first)
    assert state(requester, hit_id) == ("Unassignable", 0, 2, 0)
    ben.submit(second)
    assert state(requester, hit_id) == ("Reviewable", 0, 2, 0)
    requester.client.approve_assignment(AssignmentId=first)
    assert state(requester, hit_id) == ("Reviewable", 0, 1, 1)


def test_work_not_handed_in_by_its_deadline_goes_to_others(requester, worker, clock):
    hit_id = requester.hit(AssignmentDurationInSeconds=600)["HITId"]
    assignment_id = worker.assignment(hit_id)
    clock.advance(seconds=599)
    assert state(requester, hit_id) == ("Unassignable", 0, 1, 0)
    clock.advance(seconds=2)
    assert state(requester, hit_id) == ("Assignable", 1, 0, 0)
    late = worker.submit(assignment_id)
    assert late.status_code == 409
    assert "time allowed for this HIT was over" in late.text
    assert statuses(requester, hit_id) == []


def test_a_hit_at_the_end_of_its_lifetime_is_reviewable_with_what_nobody_took(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=60, MaxAssignments=3)["HITId"]
    clock.advance(seconds=61)
    assert state(requester, hit_id) == ("Reviewable", 3, 0, 0)
    assert "The time to accept this HIT is over" in worker.accept(hit_id).text


def test_who_accepted_before_the_end_may_still_hand_in(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=60, MaxAssignments=2, AssignmentDurationInSeconds=600)["HITId"]
    assignment_id = worker.assignment(hit_id)
    clock.advance(seconds=300)
    assert state(requester, hit_id) == ("Unassignable", 1, 1, 0)
    assert worker.submit(assignment_id).status_code == 200
    assert state(requester, hit_id) == ("Reviewable", 1, 1, 0)


def test_a_return_after_the_end_makes_the_hit_reviewable(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=60, AssignmentDurationInSeconds=600)["HITId"]
    assignment_id = worker.assignment(hit_id)
    clock.advance(seconds=100)
    worker.post(f"/assignments/{assignment_id}/return")
    assert state(requester, hit_id) == ("Reviewable", 1, 0, 0)


def test_undecided_work_is_approved_by_itself_and_can_no_longer_be_rejected(requester, worker, clock):
    hit_id = requester.hit(AutoApprovalDelayInSeconds=3600)["HITId"]
    assignment_id = worker.do(hit_id)
    clock.advance(seconds=3500)
    assert statuses(requester, hit_id) == ["Submitted"]
    clock.advance(seconds=200)
    row = requester.client.get_assignment(AssignmentId=assignment_id)["Assignment"]
    assert row["AssignmentStatus"] == "Approved"
    assert row["ApprovalTime"] == row["AutoApprovalTime"]
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="late")
    assert "can be called with a status of: Submitted" in str(caught.value)


def test_a_delay_of_zero_pays_on_submit(requester, worker):
    hit_id = requester.hit(AutoApprovalDelayInSeconds=0)["HITId"]
    worker.do(hit_id)
    assert statuses(requester, hit_id) == ["Approved"]
    assert requester.balance() == ("99.40", "0.00")


@pytest.mark.parametrize(("days", "possible"), [(29.9, True), (30.1, False)])
def test_a_rejection_can_be_taken_back_for_30_days(requester, worker, submitted, clock, days, possible):
    _, assignment_id = submitted
    requester.client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="no")
    clock.advance(days=days)
    override = {"AssignmentId": assignment_id, "OverrideRejection": True}
    if possible:
        requester.client.approve_assignment(**override)
        row = requester.client.get_assignment(AssignmentId=assignment_id)["Assignment"]
        assert row["AssignmentStatus"] == "Approved"
        assert "RejectionTime" not in row
    else:
        with pytest.raises(requester.client.exceptions.RequestError) as caught:
            requester.client.approve_assignment(**override)
        assert "within 30 days" in str(caught.value)


def test_a_rejection_is_not_taken_back_without_saying_so(requester, submitted):
    requester.client.reject_assignment(AssignmentId=submitted[1], RequesterFeedback="no")
    with pytest.raises(requester.client.exceptions.RequestError):
        requester.client.approve_assignment(AssignmentId=submitted[1])


def test_a_finished_hit_is_disposed_of_after_120_days(requester, clock):
    hit_id = requester.hit(LifetimeInSeconds=60)["HITId"]
    clock.advance(days=119)
    assert state(requester, hit_id)[0] == "Reviewable"
    clock.advance(days=2)
    assert state(requester, hit_id)[0] == "Disposed"
    assert requester.client.list_hits()["HITs"] == []
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.list_assignments_for_hit(HITId=hit_id)
    assert "'Disposed'" in str(caught.value)


def test_a_hit_ended_by_hand_is_kept_for_120_days_from_then(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=2_592_000, MaxAssignments=2)["HITId"]
    assignment_id = worker.do(hit_id)
    clock.advance(days=1)
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    requester.client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="no")
    clock.advance(days=29.5)
    assert state(requester, hit_id)[0] == "Reviewable"
    assert statuses(requester, hit_id) == ["Rejected"]
    clock.advance(days=90)
    assert state(requester, hit_id)[0] == "Reviewable"
    clock.advance(days=1)
    assert state(requester, hit_id)[0] == "Disposed"


def test_months_in_one_step_end_as_they_would_day_by_day(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=3600, MaxAssignments=2)["HITId"]
    worker.do(hit_id)
    clock.advance(days=200)
    assert state(requester, hit_id) == ("Disposed", 1, 0, 1)
    assert requester.balance() == ("99.40", "0.00")


def test_more_time_lets_workers_accept_again(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=60)["HITId"]
    clock.advance(seconds=100)
    assert state(requester, hit_id)[0] == "Reviewable"
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=clock.now() + timedelta(hours=1))
    assert state(requester, hit_id)[0] == "Assignable"
    worker.do(hit_id)


def test_more_assignments_bring_no_more_time(requester, worker, clock):
    hit_id = requester.hit(LifetimeInSeconds=60)["HITId"]
    worker.do(hit_id)
    clock.advance(seconds=100)
    requester.client.create_additional_assignments_for_hit(HITId=hit_id, NumberOfAdditionalAssignments=2)
    assert state(requester, hit_id) == ("Reviewable", 2, 1, 0)


def test_the_end_can_be_asked_for_twice_and_given_as_a_past_or_naive_time(requester):
    hit_id = requester.hit()["HITId"]
    for past in (0, datetime(2015, 1, 1), datetime(2015, 1, 1, tzinfo=UTC), 0):
        requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=past)
    assert state(requester, hit_id)[0] == "Reviewable"


def test_the_same_new_end_twice_is_a_used_token(requester, clock):
    hit_id = requester.hit()["HITId"]
    later = clock.now() + timedelta(days=3)
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=later)
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=later)
    assert "has already been processed" in str(caught.value)


def test_a_hit_with_undecided_work_cannot_be_deleted(requester, submitted):
    hit_id, assignment_id = submitted
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.delete_hit(HITId=hit_id)
    response = caught.value.response
    assert response["TurkErrorCode"] == "AWS.MechanicalTurk.InvalidHITState"
    assert "currently in the state 'Reviewable'" in response["Message"]
    requester.client.approve_assignment(AssignmentId=assignment_id)
    requester.client.delete_hit(HITId=hit_id)


def test_the_label_reviewing_goes_on_and_off(requester, submitted):
    hit_id, _ = submitted
    client = requester.client
    client.update_hit_review_status(HITId=hit_id)
    assert client.list_reviewable_hits()["HITs"] == []
    assert [hit["HITId"] for hit in client.list_reviewable_hits(Status="Reviewing")["HITs"]] == [hit_id]
    with pytest.raises(client.exceptions.RequestError):
        client.update_hit_review_status(HITId=hit_id)
    client.update_hit_review_status(HITId=hit_id, Revert=True)
    assert state(requester, hit_id)[0] == "Reviewable"
