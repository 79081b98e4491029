"""Many people doing the same thing in the same moment: each outcome as if they had come one by one."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections

from annotation.marketplace import (
    accounts,
    ledger,
    messaging,
    publishing,
    qualifying,
    registering,
    requirements,
    reviewing,
    sweep,
    working,
)
from annotation.marketplace.api import throttle
from annotation.marketplace.errors import Refusal
from annotation.marketplace.faults import Throttled
from annotation.marketplace.models import (
    HIT,
    Account,
    Appeal,
    Assignment,
    Bonus,
    Book,
    HITType,
    Invitation,
    PayOut,
    QualificationRequest,
)
from tests.marketplace.invariants import check_invariants
from tests.marketplace.people import EXTERNAL

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(actions):
    """Do all in threads that start together; what came of each: its result, or what it was refused with."""
    together = threading.Barrier(len(actions))

    def do(action):
        together.wait()
        try:
            return action()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as threads:
        return list(threads.map(do, actions))


def succeeded(outcomes):
    return [outcome for outcome in outcomes if not isinstance(outcome, Refusal)]


def codes(outcomes):
    return {outcome.code.rpartition(".")[2] for outcome in outcomes if isinstance(outcome, Refusal)}


@pytest.fixture
def lab():
    account = Account.objects.create_user("lab", is_requester=True)
    ledger.prepay(requester=account, cents=100_000)
    return account


@pytest.fixture
def crowd():
    return [Account.objects.create_user(f"w{number}", is_worker=True) for number in range(32)]


def publish(lab, *, places=1, token=None, delay=3600, lifetime=3600):
    kind = registering.register_type(
        requester=lab, values=registering.TypeValues("t", "d", "", 50, 600, delay, requirements=[])
    )
    return publishing.create_hit(
        requester=lab, hit_type=kind, question=EXTERNAL, lifetime=lifetime, max_assignments=places, token=token
    )


def test_nine_places_are_given_to_nine_of_thirty_two(lab, crowd):
    hit = publish(lab, places=9)
    outcomes = at_once([lambda worker=worker: working.accept(worker=worker, hit=hit) for worker in crowd])
    assert len(succeeded(outcomes)) == 9
    assert codes(outcomes) == {"InvalidHITState"}
    check_invariants()


def test_a_hit_that_moves_to_a_stricter_type_meanwhile_is_not_given(lab, crowd):
    seen = publish(lab)
    asked = requirements.read(
        [{"QualificationTypeId": requirements.APPROVED, "Comparator": "GreaterThan", "IntegerValues": [5]}]
    )
    strict = registering.register_type(
        requester=lab, values=registering.TypeValues("strict", "d", "", 50, 600, 3600, requirements=asked)
    )
    publishing.change_type(requester=lab, hit_id=seen.hit_id, type_id=strict.type_id)
    with pytest.raises(Refusal, match="do not meet"):
        working.accept(worker=crowd[0], hit=seen)  # as it was looked at before
    assert not Assignment.objects.exists()


def test_a_worker_who_accepts_in_many_tabs_has_one_place(lab, crowd):
    hit = publish(lab, places=9)
    outcomes = at_once([lambda: working.accept(worker=crowd[0], hit=hit)] * 12)
    assert len(succeeded(outcomes)) == 1
    assert codes(outcomes) == {"ExceedsMaxAssignmentsPerWorker"}
    check_invariants()


def test_a_queue_does_not_grow_beyond_its_end_when_many_hits_are_accepted_at_once(lab, crowd, monkeypatch):
    monkeypatch.setattr(working, "MOST_AT_ONCE", 3)
    hits = [publish(lab) for _ in range(12)]
    at_once([lambda hit=hit: working.accept(worker=crowd[0], hit=hit) for hit in hits])
    assert crowd[0].assignments.filter(status="Accepted").count() == 3
    check_invariants()


def test_work_posted_by_many_clicks_is_one_submission_with_the_first_answers(lab, crowd):
    turn = working.accept(worker=crowd[0], hit=publish(lab))
    outcomes = at_once([lambda n=n: working.submit(assignment=turn, answer=f"<answer>{n}</answer>") for n in range(12)])
    assert sum(not outcome.repeated for outcome in outcomes) == 1
    first = outcomes[[outcome.repeated for outcome in outcomes].index(False)]
    assert Assignment.objects.get().answer == first.assignment.answer
    check_invariants()


def test_one_of_many_decisions_counts(lab, crowd):
    turn = working.accept(worker=crowd[0], hit=publish(lab))
    working.submit(assignment=turn, answer="<a/>")
    given = {"requester": lab, "assignment_id": turn.assignment_id}
    approvals = [lambda: reviewing.approve(**given)] * 6
    rejections = [lambda: reviewing.reject(**given, feedback="no")] * 6
    outcomes = at_once([*approvals, *rejections])
    assert len(succeeded(outcomes)) == 1
    assert codes(outcomes) == {"InvalidAssignmentState"}
    check_invariants()


def test_a_rejection_is_appealed_once_by_many_clicks_and_not_after_it_was_taken_back(lab, crowd):
    hit = publish(lab)
    turn = working.accept(worker=crowd[0], hit=hit)
    working.submit(assignment=turn, answer="<a/>")
    about = {"requester": lab, "assignment_id": turn.assignment_id}
    reviewing.reject(**about, feedback="no")
    appeal = {"worker": crowd[0], "assignment": turn, "text": "It is my own."}
    outcomes = at_once([lambda: messaging.appeal(**appeal)] * 8 + [lambda: reviewing.approve(**about, override=True)])
    assert len(succeeded(outcomes)) in (1, 2)
    assert not Appeal.objects.filter(answered_at__isnull=True).exists()
    check_invariants()


def test_a_return_and_a_submission_in_the_same_moment_are_one_of_them(lab, crowd):
    turns = [working.accept(worker=worker, hit=publish(lab)) for worker in crowd[:6]]
    actions = []
    for turn in turns:
        actions.append(lambda turn=turn: working.submit(assignment=turn, answer="<a/>"))
        actions.append(lambda turn=turn: working.give_back(worker=turn.worker, assignment=turn))
    assert len(succeeded(at_once(actions))) == 6
    check_invariants()


def test_work_handed_in_at_its_deadline_is_late_for_everybody(lab, crowd, clock):
    with clock.frozen():
        turns = [working.accept(worker=worker, hit=publish(lab)) for worker in crowd[:4]]
        clock.advance(seconds=600)
        submissions = [lambda turn=turn: working.submit(assignment=turn, answer="<a/>") for turn in turns]
        outcomes = at_once([*submissions, *[sweep.bring_up_to_date] * 4])
        assert codes(outcomes) == {"InvalidAssignmentState"}
        assert {turn.status for turn in Assignment.objects.all()} == {"Abandoned"}
    check_invariants()


def test_work_handed_in_a_second_before_its_deadline_is_in_time(lab, crowd, clock):
    with clock.frozen():
        turns = [working.accept(worker=worker, hit=publish(lab)) for worker in crowd[:4]]
        clock.advance(seconds=599)
        submissions = [lambda turn=turn: working.submit(assignment=turn, answer="<a/>") for turn in turns]
        at_once([*submissions, *[sweep.bring_up_to_date] * 4])
        assert {turn.status for turn in Assignment.objects.all()} == {"Submitted"}
    check_invariants()


def test_what_is_due_happens_once_however_many_look(lab, crowd, clock):
    turns = [working.accept(worker=worker, hit=publish(lab)) for worker in crowd[:6]]
    for turn in turns[:3]:
        working.submit(assignment=turn, answer="<a/>")
    clock.advance(days=200)
    at_once([sweep.bring_up_to_date] * 8)
    assert sorted(Assignment.objects.values_list("status", flat=True)) == ["Abandoned"] * 3 + ["Approved"] * 3
    assert set(HIT.objects.values_list("status", flat=True)) == {"Disposed"}
    check_invariants()


def test_an_approval_and_the_auto_approval_pay_once(lab, crowd, clock):
    turn = working.accept(worker=crowd[0], hit=publish(lab))
    working.submit(assignment=turn, answer="<a/>")
    clock.advance(hours=2)
    by_hand = [lambda: reviewing.approve(requester=lab, assignment_id=turn.assignment_id)] * 4
    at_once([*by_hand, *[sweep.bring_up_to_date] * 4])
    assert ledger.balance(Book.EARNINGS, crowd[0]) == 50
    check_invariants()


def test_a_token_makes_one_hit_and_the_others_are_told_which(lab):
    outcomes = at_once([lambda: publish(lab, token="once")] * 12)
    (made,) = succeeded(outcomes)
    assert codes(outcomes) == {"HitAlreadyExists"}
    assert all(made.hit_id in str(one) for one in outcomes if isinstance(one, Refusal))
    check_invariants()


def test_a_token_pays_one_bonus_and_adds_assignments_once(lab, crowd):
    turn = working.accept(worker=crowd[0], hit=publish(lab))
    working.submit(assignment=turn, answer="<a/>")
    bonus = {"worker_id": crowd[0].customer_id, "assignment_id": turn.assignment_id, "cents": 20, "reason": "r"}
    at_once([lambda: reviewing.send_bonus(requester=lab, token="once", **bonus)] * 8)
    assert Bonus.objects.count() == 1
    more = {"hit_id": turn.hit.hit_id, "number": 2, "token": "once", "request_id": "x"}
    at_once([lambda: publishing.add_assignments(requester=lab, **more)] * 8)
    assert HIT.objects.get().max_assignments == 3
    check_invariants()


def test_money_for_three_hits_makes_three_hits(lab):
    ledger.refund(requester=lab, cents=100_000 - 3 * 60)
    outcomes = at_once([lambda: publish(lab)] * 10)
    assert len(succeeded(outcomes)) == 3
    assert codes(outcomes) == {"InsufficientFunds"}
    assert ledger.balance(Book.AVAILABLE, lab) == 0
    check_invariants()


def test_the_first_hits_of_a_new_requester_share_their_type_and_books():
    lab = Account.objects.create_user("new", is_requester=True)
    values = registering.TypeValues("t", "d", "", 50, 600, 3600, [])
    outcomes = at_once(
        [lambda: registering.register_type(requester=lab, values=values)] * 6
        + [lambda: ledger.prepay(requester=lab, cents=100)] * 6
    )
    assert len({outcome.pk for outcome in outcomes if isinstance(outcome, HITType)}) == 1
    assert ledger.balance(Book.AVAILABLE, lab) == 600
    check_invariants()


def test_deleting_a_hit_while_its_work_is_decided_loses_no_money(lab, crowd):
    turns = [working.accept(worker=worker, hit=publish(lab)) for worker in crowd[:4]]
    actions = []
    for turn in turns:
        working.submit(assignment=turn, answer="<a/>")
        given = {"requester": lab, "assignment_id": turn.assignment_id}
        actions.append(lambda given=given: reviewing.approve(**given))
        actions.append(lambda turn=turn: publishing.delete_hit(requester=lab, hit_id=turn.hit.hit_id))
    at_once(actions)
    assert set(Assignment.objects.values_list("status", flat=True)) == {"Approved"}
    check_invariants()


def test_a_payout_made_twice_at_once_owes_everybody_once(lab, crowd):
    operator = Account.objects.create_user("olga", is_operator=True)
    for worker in crowd[:3]:
        working.submit(assignment=working.accept(worker=worker, hit=publish(lab, delay=0)), answer="<a/>")
    at_once([lambda: ledger.make_payout(operator=operator)] * 4)
    lines = [line for payout in PayOut.objects.all() for line in payout.lines]
    assert sorted(line["worker_id"] for line in lines) == sorted(worker.customer_id for worker in crowd[:3])
    check_invariants()


def test_an_invitation_lets_one_of_many_in():
    code = accounts.invite().code

    def sign_up(number):
        accounts.sign_up(username=f"new{number}", password="long enough", invitation=code)

    outcomes = at_once([lambda n=n: sign_up(n) for n in range(6)])
    assert codes(outcomes) == {"PermissionDenied"}
    assert Account.objects.count() == 1
    assert Invitation.objects.get().used_by is not None


def test_asking_for_a_qualification_in_many_tabs_asks_once(lab, crowd):
    kind = qualifying.create_type(requester=lab, name="Careful", description="d", status="Active")
    at_once([lambda: qualifying.ask(worker=crowd[0], kind=kind)] * 8)
    assert QualificationRequest.objects.count() == 1
    given = {"requester": lab, "type_id": kind.type_id, "worker_id": crowd[0].customer_id}
    at_once([lambda n=n: qualifying.associate(**given, value=n) for n in range(8)])
    check_invariants()


def test_a_limit_of_calls_holds_for_all_threads(lab, monkeypatch):
    monkeypatch.setattr(throttle, "time", lambda: 1_000.0)
    lab.calls_per_second = 3
    lab.save()
    outcomes = at_once([lambda: throttle.spend(lab)] * 16)
    assert sum(isinstance(outcome, Throttled) for outcome in outcomes) == 16 - 2 * 3


def test_thirty_two_people_doing_everything_at_once_leave_the_books_right(lab, crowd):
    hits = [publish(lab, places=places) for places in (1, 2, 3, 5, 9)]
    operator = Account.objects.create_user("olga", is_operator=True)

    def life(number):
        dice, worker = random.Random(number), crowd[number]
        for _ in range(6):
            hit = dice.choice(hits)
            turn = quietly(working.accept, worker=worker, hit=hit)
            if turn is None:
                continue
            if dice.random() < 0.3:
                quietly(working.give_back, worker=worker, assignment=turn)
                continue
            quietly(working.submit, assignment=turn, answer="<a/>")
            given = {"requester": lab, "assignment_id": turn.assignment_id}
            decide = dice.choice([reviewing.approve, reviewing.reject])
            quietly(decide, **given, feedback="f")
            if dice.random() < 0.5:
                quietly(reviewing.approve, **given, override=True)
            if dice.random() < 0.3:
                quietly(
                    publishing.add_assignments, requester=lab, hit_id=hit.hit_id, number=1, token=None, request_id=""
                )
            if dice.random() < 0.2:
                at = hit.expires_at + timedelta(seconds=100 + dice.randrange(1_000))
                quietly(publishing.update_expiration, requester=lab, hit_id=hit.hit_id, at=at)
            if dice.random() < 0.1:
                ledger.make_payout(operator=operator)

    at_once([lambda n=n: life(n) for n in range(32)])
    check_invariants()
    assert Assignment.objects.filter(status="Approved").exists()


def quietly(action, **given):
    """Do it, or find it refused; anything else is a fault of ours."""
    try:
        return action(**given)
    except Refusal:
        return None
