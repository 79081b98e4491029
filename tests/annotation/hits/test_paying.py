"""Approval, rejection and bonuses as a person asks for them: who may, when, once, and what a refusal leads to."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.hits import paying, retrying
from annotation.hits.models import HIT, Assignment
from annotation.hits.paying import absorb_decisions, approve, approve_due, bonus, reject
from annotation.hits.queries import calls_for, rejections_of, spending
from annotation.projects.actions import Refused
from annotation.projects.models import Item
from annotation.providers.models import Intent
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db
GRAVITY = {"answers": ["gravity"], "category": "single"}


@pytest.fixture(autouse=True)
def ana():
    """A person does what these tests do."""
    with acting_as("user:1"):
        yield


@pytest.fixture
def project():
    return make_project("forces", budget_cap_cents=1_000, stage={"approve_after_hours": 24, "answers_per_item": 1})


@pytest.fixture
def assignment(project) -> Assignment:
    """Submitted work on a closed HIT (50 cents and a fee of 10)."""
    item = make_item(project, state="answered")
    assignment = make_assignment(make_hit(project, item, state="closed"))
    make_answer(item, GRAVITY, assignment=assignment)
    return assignment


def answered(intent: Intent, state: str, error: str = "") -> None:
    """The marketplace's word on a call, without a marketplace: what the dispatcher writes."""
    now = timezone.now()
    Intent.objects.filter(pk=intent.pk).update(
        state=state, error=error, attempts=1, first_sent_at=now, last_sent_at=now, result={}
    )


def decided(assignment: Assignment, intent: Intent) -> Assignment:
    answered(intent, "confirmed")
    absorb_decisions(project=assignment.hit.project)
    assignment.refresh_from_db()
    return assignment


def test_asking_twice_is_one_call_and_one_event(assignment) -> None:
    assert approve(assignment=assignment).pk == approve(assignment=assignment).pk
    event = Event.objects.get(verb="assignment.approval_asked")
    assert (event.actor, event.subject) == ("user:1", f"assignment:{assignment.pk}")


def test_an_approval_that_was_refused_is_tried_again_by_approving_again(project, assignment) -> None:
    first = approve(assignment=assignment)
    answered(first, "refused", "InsufficientFunds")
    absorb_decisions(project=project)
    assert approve_due(project=project) == 0

    again = approve(assignment=assignment)

    assert (again.pk, again.state, again.absorbed_at) == (first.pk, Intent.State.PLANNED, None)
    assert decided(assignment, again).state == Assignment.State.APPROVED


@pytest.mark.parametrize("state", ["open", "handed_over", "superseded", "quarantined"])
def test_only_submitted_work_is_approved(assignment, state: str) -> None:
    Assignment.objects.update(state=state)
    with pytest.raises(Refused, match="only submitted work can be approved"):
        approve(assignment=assignment)


def test_a_rejection_takes_a_person(assignment) -> None:
    for actor in ("clock", "system", "command:advance", "dispatcher", "visitor"):
        with acting_as(actor), pytest.raises(Refused, match="takes a person"):
            reject(assignment=assignment, reason="Empty answers.")
    assert not Intent.objects.exists()


def test_the_time_to_reject_ends_with_the_time_to_look(assignment) -> None:
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    assert "time to look is over" in paying.why_not_rejected(Assignment.objects.select_related("hit__stage").get())
    with pytest.raises(Refused, match="time to look is over"):
        reject(assignment=assignment, reason="Empty answers.")


def test_work_is_not_rejected_and_approved_at_once(project, assignment) -> None:
    reject(assignment=assignment, reason="Empty answers.")
    with pytest.raises(Refused, match="being rejected at this moment"):
        approve(assignment=assignment)
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    assert approve_due(project=project) == 0, "the clock leaves it to the person"


def test_work_that_is_being_approved_can_not_be_rejected(assignment) -> None:
    approve(assignment=assignment)
    with pytest.raises(Refused, match="being approved already"):
        reject(assignment=assignment, reason="Empty answers.")


def test_a_rejection_that_was_refused_is_tried_again_in_the_new_words(project, assignment) -> None:
    first = reject(assignment=assignment, reason="Old words")
    answered(first, "refused", "no")
    absorb_decisions(project=project)

    again = reject(assignment=assignment, reason="New words")

    assert (again.pk, again.state, again.request["reason"]) == (first.pk, Intent.State.PLANNED, "New words")
    assert decided(assignment, again).feedback == "New words"


def test_after_a_refused_rejection_the_clock_pays(project, assignment) -> None:
    answered(reject(assignment=assignment, reason="Empty answers."), "refused", "no")
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    assert approve_due(project=project) == 1


def test_too_many_words_are_refused_not_cut(assignment) -> None:
    with pytest.raises(Refused, match="at most 1,024 characters"):
        reject(assignment=assignment, reason="x" * 1025)


def test_turning_a_rejection_round_counts_the_answers_and_the_item_again(project, assignment) -> None:
    decided(assignment, reject(assignment=assignment, reason="A mistake."))
    item = project.items.get()
    assert (item.state, item.answers.filter(counts=True).count()) == (Item.State.OPEN, 0)
    with pytest.raises(Refused, match="a word to the worker"):
        approve(assignment=assignment)

    decided(assignment, approve(assignment=assignment, feedback="We were wrong, sorry."))

    item.refresh_from_db()
    assert (assignment.state, assignment.feedback) == (Assignment.State.APPROVED, "We were wrong, sorry.")
    assert (item.state, item.answers.filter(counts=True).count()) == (Item.State.ANSWERED, 1)


def test_a_rejection_is_turned_round_within_thirty_days_only(assignment) -> None:
    Assignment.objects.update(state="rejected", submitted_at=timezone.now() - timedelta(days=31))
    with pytest.raises(Refused, match="for 30 days only"):
        approve(assignment=assignment, feedback="Sorry.")


def test_two_rejections_are_not_turned_round_on_the_same_last_money(project, assignment) -> None:
    other = make_assignment(make_hit(project, make_item(project), state="closed"))
    Assignment.objects.update(state="rejected")
    type(project).objects.update(budget_cap_cents=100)
    approve(assignment=assignment, feedback="Sorry.")
    with pytest.raises(Refused, match="leaves no room"):
        approve(assignment=other, feedback="Sorry.")
    assert approve(assignment=assignment, feedback="Sorry.").state == Intent.State.PLANNED


def test_a_bonus_is_asked_for_once_a_purpose(project, assignment) -> None:
    Assignment.objects.update(state="approved")
    first = bonus(assignment=assignment, cents=400, reason="Careful work", purpose="care")
    assert bonus(assignment=assignment, cents=400, reason="Careful work", purpose="care").pk == first.pk
    with pytest.raises(Refused, match="another purpose"):
        bonus(assignment=assignment, cents=300, reason="Careful work", purpose="care")
    with pytest.raises(Refused, match="no room"):
        bonus(assignment=assignment, cents=400, reason="Careful work", purpose="more")
    assert spending(project).spent_cents == 60 + 480


def test_a_bonus_that_was_paid_is_told_in_the_log(project, assignment) -> None:
    Assignment.objects.update(state="approved")
    intent = bonus(assignment=assignment, cents=40, reason="Careful work", purpose="care")
    decided(assignment, intent)
    event = Event.objects.get(verb="assignment.bonus_paid")
    assert event.data == {"cents": 40, "by": "user:1"}
    intent.refresh_from_db()
    assert intent.absorbed_at is not None


def test_a_refused_bonus_is_tried_again_within_the_cap_as_it_is_then(project, assignment) -> None:
    Assignment.objects.update(state="approved")
    intent = bonus(assignment=assignment, cents=400, reason="Careful work", purpose="care")
    answered(intent, "refused", "InsufficientFunds")
    intent.refresh_from_db()
    type(project).objects.update(budget_cap_cents=500)
    with pytest.raises(Refused, match="no room"):
        retrying.try_again(intent=intent)
    with pytest.raises(Refused, match="no room"):
        bonus(assignment=assignment, cents=400, reason="Other words", purpose="care")
    type(project).objects.update(budget_cap_cents=540)
    again = bonus(assignment=assignment, cents=400, reason="Other words", purpose="care")
    assert (again.state, again.token, again.request) == (Intent.State.PLANNED, intent.token, intent.request)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"cents": 0}, "at least one cent"),
        ({"reason": " "}, "needs a reason"),
        ({"reason": "x" * 901}, "at most 900"),
        ({"purpose": ""}, "short name"),
        ({"purpose": "For care!"}, "short name"),
        ({"purpose": "x/y"}, "short name"),
        ({"purpose": "x" * 41}, "short name"),
    ],
)
def test_a_bonus_that_makes_no_sense_is_refused(assignment, fields: dict, why: str) -> None:
    Assignment.objects.update(state="approved")
    with pytest.raises(Refused, match=why):
        bonus(**{"assignment": assignment, "cents": 10, "reason": "Care", "purpose": "care"} | fields)


def test_a_refused_rejection_is_tried_again_only_while_it_makes_sense(project, assignment) -> None:
    intent = reject(assignment=assignment, reason="Empty answers.")
    answered(intent, "refused", "no")
    intent.refresh_from_db()
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    with pytest.raises(Refused, match=r"time to look is over.*call it off instead"):
        retrying.try_again(intent=intent)
    with pytest.raises(Refused, match="needs a reason"):
        retrying.call_off(intent=intent, reason="")

    retrying.call_off(intent=intent, reason="Paid in the meantime.")

    intent.refresh_from_db()
    assert intent.state == Intent.State.WITHDRAWN


def test_the_approval_of_submitted_work_can_not_be_called_off(assignment) -> None:
    intent = approve(assignment=assignment)
    answered(intent, "refused", "no")
    intent.refresh_from_db()
    with pytest.raises(Refused, match="waits for its pay"):
        retrying.call_off(intent=intent, reason="Never mind.")


def test_an_unknown_call_is_left_to_be_looked_up(assignment) -> None:
    intent = approve(assignment=assignment)
    answered(intent, "unknown")
    intent.refresh_from_db()
    with pytest.raises(Refused, match="nobody knows yet"):
        retrying.try_again(intent=intent)


def test_what_was_asked_for_an_assignment_is_found(project, assignment) -> None:
    other = make_assignment(HIT.objects.get())
    approve(assignment=other)
    decided(assignment, approve(assignment=assignment))
    bonus(assignment=assignment, cents=10, reason="Care", purpose="care")
    assert [intent.kind for intent in calls_for(assignment)] == ["approve", "bonus"]


def test_a_workers_rejections_of_a_day_are_counted_with_those_on_their_way(project, assignment) -> None:
    worker = assignment.worker
    hit = assignment.hit
    make_assignment(hit, worker, state="rejected", decided_at=timezone.now())
    make_assignment(hit, worker, state="rejected", decided_at=timezone.now() - timedelta(hours=30))
    reject(assignment=assignment, reason="Empty answers.")
    assert rejections_of(worker, project) == 2


def test_what_is_paid_after_all_in_a_closed_hit_is_reserved_until_it_is_spent(project, assignment) -> None:
    Assignment.objects.update(state="rejected")
    out = make_assignment(make_hit(project, make_item(project)), state="rejected")
    before = spending(project)
    assert before.spent_cents == 0

    intent = approve(assignment=assignment, feedback="Sorry.")
    approve(assignment=out, feedback="Sorry.")  # its HIT is out, and holds the money already

    assert spending(project).reserved_cents == before.reserved_cents + 60
    decided(assignment, intent)
    after = spending(project)
    assert (after.spent_cents, after.reserved_cents) == (60, before.reserved_cents)


def test_more_work_than_one_transaction_takes_is_approved_in_several(project, monkeypatch) -> None:
    monkeypatch.setattr(paying, "AT_ONCE", 2)
    hit = make_hit(project, make_item(project), max_assignments=9)
    for _ in range(4):
        make_assignment(hit, submitted_at=timezone.now() - timedelta(hours=25))
    assert approve_due(project=project) == 4
    assert approve_due(project=project) == 0
