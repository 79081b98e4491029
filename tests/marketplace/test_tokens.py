"""`UniqueRequestToken`: a repeated call takes effect once, for 24 hours."""

import pytest

from annotation.marketplace.models import HIT, Bonus
from tests.marketplace.people import EXTERNAL, client_for


def refused(caught):
    return caught.value.response["Message"], caught.value.response.get("TurkErrorCode")


def test_a_hit_is_created_once_per_token_and_the_error_names_it(requester):
    hit_id = requester.hit(UniqueRequestToken="t1")["HITId"]
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.hit(UniqueRequestToken="t1")
    message, code = refused(caught)
    assert code == "AWS.MechanicalTurk.HitAlreadyExists"
    assert hit_id in message
    assert HIT.objects.count() == 1


def test_a_token_is_forgotten_after_24_hours(requester, clock):
    requester.hit(UniqueRequestToken="t1")
    clock.advance(hours=23, minutes=59)
    with pytest.raises(requester.client.exceptions.RequestError):
        requester.hit(UniqueRequestToken="t1")
    clock.advance(minutes=2)
    requester.hit(UniqueRequestToken="t1")
    assert HIT.objects.count() == 2


def test_tokens_of_two_requesters_do_not_meet(requester, make_requester):
    requester.hit(UniqueRequestToken="t1")
    make_requester("other").hit(UniqueRequestToken="t1")
    assert HIT.objects.count() == 2


def test_a_refused_call_does_not_use_its_token_up(make_requester):
    poor = make_requester("poor", cents=10)
    with pytest.raises(poor.client.exceptions.RequestError):
        poor.hit(UniqueRequestToken="t1")
    poor.hit(UniqueRequestToken="t1", Reward="0.05")
    assert HIT.objects.count() == 1


def test_a_bonus_is_paid_once_per_token(requester, worker, submitted):
    _, assignment_id = submitted
    bonus = {"WorkerId": worker.worker_id, "BonusAmount": "1.00", "AssignmentId": assignment_id, "Reason": "Good"}
    requester.client.send_bonus(**bonus, UniqueRequestToken="b1")
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.send_bonus(**bonus, UniqueRequestToken="b1")
    assert "has already been processed" in refused(caught)[0]
    assert Bonus.objects.count() == 1


def test_assignments_are_added_once_per_token(requester):
    hit_id = requester.hit()["HITId"]
    more = {"HITId": hit_id, "NumberOfAdditionalAssignments": 2, "UniqueRequestToken": "m1"}
    requester.client.create_additional_assignments_for_hit(**more)
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.create_additional_assignments_for_hit(**more)
    assert "has already been processed" in refused(caught)[0]
    assert requester.client.get_hit(HITId=hit_id)["HIT"]["MaxAssignments"] == 3


def test_boto3s_own_retries_after_a_lost_reply_make_one_hit(site, requester):
    requester.account.fault_plan = {"rules": [{"operation": "CreateHIT", "when": "after", "how": "500", "times": 1}]}
    requester.account.save()
    retrying = client_for(site, requester.key, attempts=3)
    with pytest.raises(retrying.exceptions.RequestError) as caught:
        retrying.create_hit(
            Title="t",
            Description="d",
            Reward="0.10",
            AssignmentDurationInSeconds=60,
            LifetimeInSeconds=60,
            Question=EXTERNAL,
            UniqueRequestToken="r1",
        )
    assert HIT.objects.get().hit_id in refused(caught)[0]


def test_the_same_values_are_the_same_hit_type(requester):
    values = {"AssignmentDurationInSeconds": 60, "Reward": "0.10", "Title": "t", "Description": "d"}
    first = requester.client.create_hit_type(**values)["HITTypeId"]
    assert requester.client.create_hit_type(**values)["HITTypeId"] == first
    assert requester.client.create_hit_type(**{**values, "Reward": "0.1"})["HITTypeId"] == first
    assert requester.client.create_hit_type(**{**values, "Reward": "0.11"})["HITTypeId"] != first
