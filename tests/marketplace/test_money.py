"""Fees to the cent, holds, and books that always add up to zero."""

import pytest

from annotation.marketplace import fees, ledger
from annotation.marketplace.models import Book
from tests.marketplace.invariants import books_add_up


@pytest.mark.parametrize(
    ("reward", "assignments", "masters", "fee"),
    [
        (1, 3, False, 1),
        (7, 3, False, 1),
        (8, 3, False, 2),
        (10, 9, False, 2),
        (10, 10, False, 4),
        (50, 9, False, 10),
        (50, 12, False, 20),
        (100, 3, False, 20),
        (100, 3, True, 25),
        (0, 1, False, 1),
    ],
)
def test_the_fee_follows_the_published_table(reward, assignments, masters, fee):
    assert fees.on_reward(reward, assignments, masters) == fee


@pytest.mark.parametrize(("bonus", "fee"), [(1, 1), (12, 2), (13, 3), (100, 20)])
def test_a_bonus_costs_twenty_percent_and_at_least_a_cent(bonus, fee):
    assert fees.on_bonus(bonus) == fee


def test_publishing_holds_reward_and_fee_of_every_assignment(requester):
    requester.hit(Reward="0.50", MaxAssignments=12)
    assert requester.balance() == ("91.60", "8.40")
    assert books_add_up()


def test_masters_are_dearer(requester):
    masters = {"QualificationTypeId": "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH", "Comparator": "Exists"}
    requester.hit(Reward="1.00", QualificationRequirements=[masters])
    assert requester.balance() == ("98.75", "1.25")


def test_publishing_beyond_the_balance_is_refused_whole(make_requester):
    poor = make_requester("poor", cents=119)
    with pytest.raises(poor.client.exceptions.RequestError) as caught:
        poor.hit(Reward="1.00")
    assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.InsufficientFunds"
    assert poor.client.list_hits()["HITs"] == []
    assert poor.balance() == ("1.19", "0.00")


def test_the_last_cent_can_be_spent(make_requester):
    make_requester("exact", cents=120).hit(Reward="1.00")


def test_approval_pays_from_the_hold_and_rejection_frees_it(requester, make_worker):
    hit_id = requester.hit(Reward="1.00", MaxAssignments=2)["HITId"]
    good, bad = (make_worker(name).do(hit_id) for name in ("anna", "ben"))
    requester.client.approve_assignment(AssignmentId=good)
    requester.client.reject_assignment(AssignmentId=bad, RequesterFeedback="no")
    assert requester.balance() == ("98.80", "0.00")
    assert ledger.balance(Book.FEES) == 20
    assert books_add_up()


def test_expiry_frees_what_nobody_took_and_new_time_holds_it_again(requester, clock):
    hit_id = requester.hit(Reward="1.00", MaxAssignments=5)["HITId"]
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    assert requester.balance() == ("100.00", "0.00")
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=clock.advance(seconds=0).timestamp() + 3600)
    assert requester.balance() == ("94.00", "6.00")
    assert books_add_up()


def test_work_begun_before_expiry_stays_covered(requester, worker):
    hit_id = requester.hit(Reward="1.00", MaxAssignments=3)["HITId"]
    assignment_id = worker.assignment(hit_id)
    requester.client.update_expiration_for_hit(HITId=hit_id, ExpireAt=0)
    assert requester.balance() == ("98.80", "1.20")
    worker.submit(assignment_id)
    requester.client.approve_assignment(AssignmentId=assignment_id)
    assert requester.balance() == ("98.80", "0.00")


def test_a_rejection_taken_back_is_paid_from_what_is_available(make_requester, worker):
    requester = make_requester("small", cents=120)
    hit_id = requester.hit(Reward="1.00")["HITId"]
    assignment_id = worker.do(hit_id)
    requester.client.reject_assignment(AssignmentId=assignment_id, RequesterFeedback="no")
    other = requester.hit(Reward="0.50")["HITId"]
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.InsufficientFunds"
    requester.client.update_expiration_for_hit(HITId=other, ExpireAt=0)
    requester.client.approve_assignment(AssignmentId=assignment_id, OverrideRejection=True)
    assert requester.balance() == ("0.00", "0.00")
    assert books_add_up()


def test_moving_a_hit_to_a_dearer_type_holds_the_difference(requester):
    hit_id = requester.hit(Reward="1.00")["HITId"]
    type_id = requester.client.create_hit_type(
        AssignmentDurationInSeconds=60, Reward="2.00", Title="t", Description="d"
    )["HITTypeId"]
    requester.client.update_hit_type_of_hit(HITId=hit_id, HITTypeId=type_id)
    assert requester.balance() == ("97.60", "2.40")
    assert requester.client.get_hit(HITId=hit_id)["HIT"]["Reward"] == "2.00"


def test_a_bonus_beyond_the_balance_is_refused(requester, worker, submitted):
    bonus = {"WorkerId": worker.worker_id, "AssignmentId": submitted[1], "Reason": "Good"}
    with pytest.raises(requester.client.exceptions.RequestError) as caught:
        requester.client.send_bonus(**bonus, BonusAmount="83.00")
    assert caught.value.response["TurkErrorCode"] == "AWS.MechanicalTurk.InsufficientFunds"
    requester.client.send_bonus(**bonus, BonusAmount="82.83")
    assert requester.balance()[0] == "0.00"
    assert books_add_up()
