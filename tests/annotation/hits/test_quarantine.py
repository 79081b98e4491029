"""Work that the marketplace never listed: looked for again, even in closed HITs, and settled by a person."""

import pytest
from django.utils import timezone

from annotation.desk.jobs import projects_to_advance
from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.hits import working
from annotation.hits.models import HIT, Assignment
from annotation.hits.paying import bonus
from annotation.hits.quarantine import look_again, settle_by_hand, why_no_bonus
from annotation.hits.queries import spending, unplaced
from annotation.hits.retrying import call_off, try_again
from annotation.projects.actions import Refused
from annotation.providers.models import Intent
from annotation.workers.queries import provider_id_by_number
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project(stage={"answers_per_item": 1})


@pytest.fixture
def assignment(project) -> Assignment:
    item = make_item(project)
    assignment = make_assignment(make_hit(project, item, state="closed"), state="quarantined", submitted_at=None)
    make_answer(item, {"answers": ["gravity"], "category": "single"}, assignment=assignment, counts=False)
    return assignment


def test_a_person_writes_down_how_it_was_settled_and_the_list_is_empty(project, assignment) -> None:
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="paid_outside", reason="Bank transfer of 2 May.")

    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.QUARANTINED
    assert assignment.settlement == "The worker was paid outside the marketplace: Bank transfer of 2 May."
    assert not assignment.answers.filter(counts=True).exists()
    assert not unplaced(project).exists()
    event = Event.objects.get(verb="assignment.settled_by_hand")
    assert (event.actor, event.data) == ("user:3", {"how": "paid_outside", "reason": "Bank transfer of 2 May."})


@pytest.mark.parametrize(
    ("actor", "fields", "why"),
    [
        ("user:3", {"how": "count_it"}, "paid_outside or not_owed"),
        ("user:3", {"reason": " "}, "needs a reason"),
        ("user:3", {"reason": "x" * 2001}, "at most 2,000"),
        ("clock", {}, "takes a person"),
    ],
)
def test_settling_takes_a_person_a_way_and_a_reason(assignment, actor: str, fields: dict, why: str) -> None:
    with acting_as(actor), pytest.raises(Refused, match=why):
        settle_by_hand(**{"assignment": assignment, "how": "not_owed", "reason": "Empty."} | fields)


def test_only_work_in_quarantine_is_settled_and_once(assignment) -> None:
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="not_owed", reason="Empty.")
        with pytest.raises(Refused, match="settled already"):
            settle_by_hand(assignment=assignment, how="paid_outside", reason="Twice?")
        Assignment.objects.update(state="approved")
        with pytest.raises(Refused, match="only work in quarantine"):
            settle_by_hand(assignment=assignment, how="not_owed", reason="Empty.")


def test_looking_again_wants_hits_that_are_out_and_closed_ones_with_quarantined_work(project, assignment) -> None:
    out = make_hit(project, make_item(project))
    done = make_hit(project, make_item(project), state="closed")
    planned = make_hit(project, make_item(project), state="planned", remote_id=None)

    assert look_again(project=project) == 2

    wanted = HIT.objects.filter(collect_after__lte=timezone.now())
    assert set(wanted) == {out, assignment.hit}
    assert not {done, planned} & set(wanted)


def test_a_closed_project_is_advanced_while_somebody_wants_it_looked_at(project, assignment) -> None:
    type(project).objects.update(state="closed")
    assert not projects_to_advance().exists()
    look_again(project=project)
    assert list(projects_to_advance()) == [project]


@pytest.fixture
def paid_before(project, assignment) -> Assignment:
    """Other work of the same worker, which the marketplace knows."""
    return make_assignment(make_hit(project, make_item(project), state="closed"), assignment.worker, state="approved")


def test_quarantined_work_is_paid_by_a_bonus_on_other_work_of_the_worker(project, assignment, paid_before) -> None:
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="bonus", reason="The page shows all five answers.")

    call = Intent.objects.get(kind="bonus")
    assert call.key == f"own/assignment/{paid_before.pk}/bonus/quarantine-{assignment.pk}"
    assert call.request["assignment_id"] == paid_before.assignment_id
    assert (call.request["cents"], call.cents) == (50, 60), "the reward, and with the marketplace's fee"
    assignment.refresh_from_db()
    assert f"call {call.pk}" in assignment.settlement and "five answers" in assignment.settlement
    assert not unplaced(project).exists()
    with acting_as("user:3"), pytest.raises(Refused, match="settled already"):
        settle_by_hand(assignment=assignment, how="bonus", reason="Again.")
    assert Intent.objects.count() == 1


def test_without_work_that_the_marketplace_knows_there_is_no_bonus_yet(assignment) -> None:
    make_assignment(assignment.hit, state="approved")  # somebody else's
    assert "knows none of this worker yet" in why_no_bonus(assignment)
    with acting_as("user:3"), pytest.raises(Refused, match="knows none of this worker yet"):
        settle_by_hand(assignment=assignment, how="bonus", reason="Good work.")
    assignment.refresh_from_db()
    assert (assignment.settlement, Intent.objects.count()) == ("", 0)


def test_the_project_that_the_work_was_for_pays_even_where_the_bonus_hangs_on_another(project, assignment) -> None:
    other = make_project(budget_cap_cents=0)
    make_assignment(make_hit(other, make_item(other), state="closed"), assignment.worker, state="approved")
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="bonus", reason="Good work.")
    assert Intent.objects.get().project_id == project.pk


def test_a_bonus_beyond_the_budget_is_refused_and_nothing_is_settled(project, assignment, paid_before) -> None:
    project.budget_cap_cents = spending(project).committed_cents
    project.save()
    with acting_as("user:3"), pytest.raises(Refused, match="budget"):
        settle_by_hand(assignment=assignment, how="bonus", reason="Good work.")
    assert unplaced(project).exists()


def test_calling_a_refused_bonus_off_puts_the_work_back_on_the_list(project, assignment, paid_before) -> None:
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="bonus", reason="Good work.")
        Intent.objects.update(state="refused", first_sent_at=timezone.now())
        call_off(intent=Intent.objects.get(), reason="The worker's account is closed.")
    assert unplaced(project).get() == assignment


# --- What may pay twice -----------------------------------------------------------------------------


@pytest.fixture
def called_off(project, assignment, paid_before) -> Intent:
    """A bonus for quarantined work that the marketplace refused and a person called off."""
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="bonus", reason="Good work.")
        Intent.objects.update(state="refused", first_sent_at=timezone.now())
        return call_off(intent=Intent.objects.get(), reason="The worker's account is closed.")


def test_a_bonus_that_was_called_off_pays_no_work_that_was_settled_otherwise_since(assignment, called_off) -> None:
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="paid_outside", reason="Bank transfer.")
        with pytest.raises(Refused, match="settled in another way since"):
            try_again(intent=called_off)
    called_off.refresh_from_db()
    assert called_off.state == Intent.State.WITHDRAWN


def test_a_bonus_that_was_called_off_pays_no_work_that_is_listed_by_now(assignment, called_off) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(state="approved")
    with acting_as("user:3"), pytest.raises(Refused, match="paid by its approval"):
        try_again(intent=called_off)


def test_a_bonus_that_was_called_off_and_is_tried_again_settles_the_work(project, assignment, called_off) -> None:
    with acting_as("user:3"):
        try_again(intent=called_off)
    assignment.refresh_from_db()
    assert f"call {called_off.pk})" in assignment.settlement
    assert not unplaced(project).exists()
    with acting_as("user:3"), pytest.raises(Refused, match="settled already"):
        settle_by_hand(assignment=assignment, how="paid_outside", reason="Bank transfer.")


@pytest.mark.parametrize("state", ["refused", "withdrawn"])
def test_whatever_is_tried_again_is_looked_at_as_it_stands_now(project, paid_before, state) -> None:
    with acting_as("user:3"):
        intent = bonus(assignment=paid_before, cents=100, reason="Care", purpose="care")
    Intent.objects.update(state=state, first_sent_at=timezone.now())
    type(project).objects.update(budget_cap_cents=0)
    with acting_as("user:3"), pytest.raises(Refused, match="no room"):
        try_again(intent=Intent.objects.get(pk=intent.pk))


# --- Work whose assignment another worker got -------------------------------------------------------


def test_superseded_work_with_answers_is_settled_by_a_person_too(project, assignment, paid_before) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(state="superseded")
    make_assignment(assignment.hit, state="superseded")  # opened, and nothing handed in
    assert list(unplaced(project)) == [assignment]

    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="bonus", reason="The page shows all five answers.")

    assert Intent.objects.get().request["cents"] == 50
    assert not unplaced(project).exists()


def test_settled_work_is_not_taken_once_more(assignment) -> None:
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="paid_outside", reason="Bank transfer.")
    worker = provider_id_by_number(assignment.worker_id)
    with pytest.raises(working.Refused, match="answered"):
        working.open_assignment(hit=assignment.hit, assignment_id="ANOTHER", provider_worker_id=worker)
