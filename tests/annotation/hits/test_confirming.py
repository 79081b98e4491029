"""What the marketplace lists, in whatever order and however late: whose work it is, where it stands, what counts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.hits import collecting, working
from annotation.hits.collecting import collect, collect_hit
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.paying import absorb_decisions, approve, approve_due, reject
from annotation.hits.quarantine import settle_by_hand
from annotation.hits.queries import spending, unplaced
from annotation.projects.models import Item
from annotation.providers.base import RemoteAssignment, RemoteHIT
from annotation.providers.models import Intent
from annotation.workers.queries import provider_id_by_number
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_outcome, make_project, make_worker

pytestmark = pytest.mark.django_db
GRAVITY = {"answers": ["gravity"], "category": "single"}


@dataclass
class Market:
    """A marketplace that lists what a test says."""

    listed: dict[str, list[RemoteAssignment]] = field(default_factory=dict)
    hits: list[RemoteHIT] = field(default_factory=list)
    status: str = "Assignable"
    calls: list[str] = field(default_factory=list)

    def list_assignments(self, hit_id: str):
        self.calls.append(f"assignments of {hit_id}")
        yield from self.listed.get(hit_id, [])

    def list_hits(self):
        self.calls.append("hits")
        yield from self.hits

    def get_hit(self, hit_id: str) -> RemoteHIT:
        return RemoteHIT(hit_id, self.status, "", 1, None)

    def lists(self, hit: HIT, assignment: Assignment, status: str, answers: str = "") -> None:
        """From now on this, and nothing else, for this HIT's assignment."""
        worker_id = provider_id_by_number(assignment.worker_id)
        others = [one for one in self.listed.get(hit.remote_id, []) if one.assignment_id != assignment.assignment_id]
        given = {"answers": answers} if answers else {}
        one = RemoteAssignment(assignment.assignment_id, worker_id, hit.remote_id, status, timezone.now(), None, given)
        self.listed[hit.remote_id] = [*others, one]


@pytest.fixture
def market(monkeypatch) -> Market:
    market = Market()
    monkeypatch.setattr(collecting.mturk, "connect", lambda environment: market)
    return market


@pytest.fixture
def project():
    return make_project(stage={"answers_per_item": 1, "approve_after_hours": 24})


def a_hit(project, **fields) -> HIT:
    return make_hit(project, make_item(project, state="offered"), **{"max_assignments": 3} | fields)


def handed_over(hit: HIT, worker=None, **fields) -> Assignment:
    assignment = make_assignment(hit, worker, **{"state": "handed_over", "submitted_at": None} | fields)
    for item in hit.items.all():
        make_answer(item, GRAVITY, assignment=assignment, counts=False)
    return assignment


def copy_for(hit: HIT) -> str:
    return json.dumps({str(item.pk): {"answers": ["restored"], "category": "single"} for item in hit.items.all()})


# --- Whose it is ----------------------------------------------------------------------------------


def test_answers_to_another_hit_under_this_assignment_are_no_answers_to_it(project, market) -> None:
    accepted, other = a_hit(project), a_hit(project, reward_cents=500)
    assignment = handed_over(other, draft={"comment": ["x"]}, receipt="r", comment="of the other")
    market.lists(accepted, assignment, "Submitted", copy_for(accepted))

    collect_hit(hit=accepted, provider=market)

    assignment.refresh_from_db()
    assert (assignment.hit, assignment.state, assignment.draft) == (accepted, Assignment.State.SUBMITTED, {})
    [answer] = Answer.objects.all()
    assert (answer.item, answer.data["answers"], answer.counts) == (accepted.items.get(), ["restored"], True)
    event = Event.objects.get(verb="assignment.contested")
    assert event.data["answers"] == {str(other.items.get().pk): GRAVITY}
    assert collect_hit(hit=other, provider=market) == 0
    assert spending(project).reserved_cents == 3 * 60 + 3 * 510, "what the accepted one promised, not the other"


def test_a_listed_assignment_opens_no_page_of_another_hit(project, market) -> None:
    accepted, other = a_hit(project), a_hit(project)
    worker = make_worker("AFOREIGNER1")
    market.lists(accepted, Assignment(assignment_id="X1", worker=worker), "Submitted", copy_for(accepted))
    collect_hit(hit=accepted, provider=market)

    with pytest.raises(working.Refused, match="foreign"):
        working.open_assignment(hit=other, assignment_id="X1", provider_worker_id="AFOREIGNER1")


# --- Lists that lag or come out of order -----------------------------------------------------------

STANDS = {
    # Every order of what a marketplace may list, and where the work stands after all of it.
    ("Submitted", "Approved"): "approved",
    ("Submitted", "Rejected"): "rejected",
    ("Rejected", "Submitted"): "rejected",
    ("Approved", "Submitted"): "approved",
    ("Approved", "Rejected"): "approved",
    ("Rejected", "Approved"): "approved",
    ("Submitted", "Rejected", "Submitted"): "rejected",
    ("Submitted", "Rejected", "Approved", "Rejected", "Submitted"): "approved",
}


@pytest.mark.parametrize("statuses", STANDS, ids=" then ".join)
def test_no_late_list_undoes_a_decision(project, market, statuses) -> None:
    hit = a_hit(project)
    assignment = handed_over(hit)
    for status in statuses:
        market.lists(hit, assignment, status)
        collect_hit(hit=hit, provider=market)

    assignment.refresh_from_db()
    assert assignment.state == STANDS[statuses]
    assert assignment.answers.get().counts == (assignment.state == "approved")


def test_a_late_list_does_not_undo_our_own_rejection(project, market) -> None:
    hit = a_hit(project)
    assignment = handed_over(hit)
    market.lists(hit, assignment, "Submitted")
    collect_hit(hit=hit, provider=market)
    with acting_as("user:1"):
        reject(assignment=assignment, reason="All the same word.")
    Intent.objects.update(state="confirmed", result={"status": "Rejected"})
    absorb_decisions(project=project)

    collect_hit(hit=hit, provider=market)

    assignment.refresh_from_db()
    assert (assignment.state, approve_due(project=project)) == ("rejected", 0)


def test_what_is_listed_a_day_late_leaves_quarantine_and_is_paid(project, market) -> None:
    hit = a_hit(project)
    assignment = handed_over(hit, handed_over_at=timezone.now() - timedelta(hours=25))
    collect(project=project)
    assignment.refresh_from_db()
    assert assignment.state == "quarantined"
    market.lists(hit, assignment, "Submitted")

    collect(project=project, everything=True)

    assignment.refresh_from_db()
    assert (assignment.state, assignment.answers.get().counts) == ("submitted", True)


def test_work_that_was_listed_since_it_was_read_is_not_quarantined(project, market, monkeypatch) -> None:
    hit = a_hit(project)
    assignment = handed_over(hit, handed_over_at=timezone.now() - timedelta(hours=25))
    rows = Assignment.objects.filter

    def listed_in_between(*args, **kwargs):
        if "pk" in kwargs:
            Assignment.objects.update(state="submitted")
        return rows(*args, **kwargs)

    monkeypatch.setattr(Assignment.objects, "filter", listed_in_between)
    assert collecting.quarantine(project=project) == 0
    monkeypatch.undo()
    assignment.refresh_from_db()
    assert assignment.state == "submitted"


# --- What a stranger's browser sends ---------------------------------------------------------------

KILLERS = {
    "deep lists": "[" * 100_000,
    "deep and closed": "[" * 50_000 + "]" * 50_000,
    "deep objects": '{"a":' * 50_000,
    "just too deep": json.dumps({"values": eval("[" * 40 + "]" * 40)}),
    "a long text": json.dumps({"values": {"comment": ["x" * 900_000]}}),
    "very many": json.dumps({"values": {"comment": ["x"] * 100_000}}),
    "no number": '{"answers": {"1": NaN}}',
    "too big a number": '{"answers": {"1": 1e999}}',
    "digits": '{"answers": {"1": ' + "9" * 5_000 + "}}",
    "half a character": '{"answers": {"\\ud800": "x"}}',
    "nul": '{"comment": "a\\u0000b", "answers": {}}',
    "no json": "<answers/>",
}


@pytest.mark.parametrize("sent", KILLERS.values(), ids=KILLERS)
def test_a_copy_that_no_page_sends_is_not_taken_and_its_worker_is_paid_all_the_same(project, market, sent) -> None:
    hit = a_hit(project)
    claimed = Assignment(assignment_id="KILLER", worker=make_worker())
    market.lists(hit, claimed, "Submitted", sent)

    assert collect_hit(hit=hit, provider=market) == 1

    assignment = Assignment.objects.get()
    assert (assignment.state, assignment.answers.count(), assignment.comment) == ("submitted", 0, "")


def test_a_hit_that_can_not_be_taken_in_stops_no_other(project, market, monkeypatch) -> None:
    bad, good = a_hit(project), a_hit(project)
    market.lists(bad, handed_over(bad), "Submitted")
    market.lists(good, handed_over(good), "Submitted")
    count = collecting.count_answers

    def broken(*, assignment):
        if assignment.hit_id == bad.pk:
            raise RuntimeError("nobody thought of this")
        count(assignment=assignment)

    monkeypatch.setattr(collecting, "count_answers", broken)

    found = collect(project=project)

    assert (found.changed, len(found.unread)) == (1, 1)
    assert bad.assignments.get().state == "handed_over", "nothing half done"
    assert good.assignments.get().state == "submitted"
    bad.refresh_from_db()
    assert bad.collect_after > timezone.now()


# --- What counts ------------------------------------------------------------------------------------


@pytest.fixture
def side_by_side(project, market):
    """One worker's work on one item in two HITs that were open at once."""
    first, item, worker = a_hit(project), None, make_worker()
    item = first.items.get()
    second = make_hit(project, item, max_assignments=3)
    both = [handed_over(first, worker), handed_over(second, worker)]
    for assignment in both:
        market.lists(assignment.hit, assignment, "Submitted")
        collect_hit(hit=assignment.hit, provider=market)
    return both


def test_an_item_counts_once_a_worker_and_both_are_paid(project, side_by_side) -> None:
    assert [one.answers.get().counts for one in side_by_side] == [True, False]
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    assert approve_due(project=project) == 2


def test_where_the_one_that_counts_is_rejected_the_other_takes_its_place(project, market, side_by_side) -> None:
    first = side_by_side[0]
    market.lists(first.hit, first, "Rejected")
    collect_hit(hit=first.hit, provider=market)
    assert [one.answers.get().counts for one in side_by_side] == [False, True]


@pytest.mark.parametrize(("state", "after"), [("answered", "open"), ("settled", "answered")])
def test_a_rejection_after_the_answers_were_in_sets_the_item_back(project, market, state, after) -> None:
    hit = a_hit(project, state="closed")
    item = hit.items.get()
    assignment = make_assignment(hit)
    make_answer(item, GRAVITY, assignment=assignment)
    if state == "settled":
        make_outcome(item, {})
    then = timezone.now() - timedelta(days=1)
    Item.objects.update(state=state, state_since=then)
    market.lists(hit, assignment, "Rejected")

    collect_hit(hit=hit, provider=market)

    item.refresh_from_db()
    assert item.state == after
    assert item.state_since > then


def test_a_rejection_by_hand_after_the_hit_closed_is_found(project, market) -> None:
    hit = a_hit(project, max_assignments=1)
    assignment = handed_over(hit)
    market.lists(hit, assignment, "Submitted")
    collect(project=project)
    hit.refresh_from_db()
    assert (hit.state, hit.collect_after > timezone.now()) == ("closed", True)
    market.lists(hit, assignment, "Rejected")
    HIT.objects.update(collect_after=timezone.now())

    collect(project=project)

    assignment.refresh_from_db()
    hit.refresh_from_db()
    assert (assignment.state, hit.collect_after) == ("rejected", None)


@pytest.mark.parametrize(("kind", "shown"), [("approve", "Rejected"), ("reject", "Approved")])
def test_what_the_marketplace_shows_instead_of_what_we_asked_for_is_taken_in(project, kind, shown) -> None:
    assignment = make_assignment(a_hit(project, state="closed"))
    with acting_as("user:1"):
        approve(assignment=assignment) if kind == "approve" else reject(assignment=assignment, reason="Empty.")
    Intent.objects.update(state="refused", result={"code": "RuledOut", "status": shown})

    absorb_decisions(project=project)

    assignment.refresh_from_db()
    assert assignment.state == shown.lower()
    assert Event.objects.get(verb=f"assignment.{shown.lower()}").data["by"] == "somebody at the marketplace"


def test_work_that_was_settled_by_hand_and_is_listed_after_all_is_left_to_a_person(project, market) -> None:
    hit = a_hit(project)
    assignment = handed_over(hit, state="quarantined")
    with acting_as("user:3"):
        settle_by_hand(assignment=assignment, how="paid_outside", reason="Bank transfer.")
    market.lists(hit, assignment, "Submitted")

    collect_hit(hit=hit, provider=market)

    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    assert approve_due(project=project) == 0
    assert list(unplaced(project)) == [assignment]
    assert "Bank transfer" in Event.objects.get(verb="assignment.listed_after_all").data["settlement"]


# --- How often it is asked --------------------------------------------------------------------------


@pytest.fixture
def many(project, market) -> list[HIT]:
    hits = [a_hit(project) for _ in range(12)]
    market.hits = [RemoteHIT(hit.remote_id, "Assignable", "", 3, None, None, 3, 0) for hit in hits]
    return hits


def test_of_many_hits_those_that_nobody_took_cost_one_listing(project, market, many) -> None:
    HIT.objects.update(collect_after=timezone.now())

    collect(project=project)

    assert market.calls == ["hits"]
    assert not HIT.objects.filter(collect_after__lte=timezone.now()).exists()


def test_hits_that_somebody_took_or_that_are_over_are_asked_about(project, market, many) -> None:
    taken, decided, over, waiting, *_ = many
    places = {hit.pk: place for place, hit in enumerate(many)}
    market.hits[places[taken.pk]] = RemoteHIT(taken.remote_id, "Assignable", "", 3, None, None, 2, 0)
    market.hits[places[decided.pk]] = RemoteHIT(decided.remote_id, "Assignable", "", 3, None, None, 2, 1)
    HIT.objects.update(collect_after=timezone.now())
    HIT.objects.filter(pk=over.pk).update(expires_at=timezone.now())
    handed_over(waiting)

    collect(project=project)

    assert set(market.calls) == {"hits", *(f"assignments of {hit.remote_id}" for hit in many[:4])}


@pytest.mark.parametrize("second", ["while the first reads the list", "after the first"])
def test_two_collectors_take_the_same_in_once(project, market, second) -> None:
    hit = a_hit(project, max_assignments=1)
    market.lists(hit, handed_over(hit), "Submitted")
    mine, theirs = HIT.objects.get(pk=hit.pk), HIT.objects.get(pk=hit.pk)

    class Meanwhile(Market):
        def list_assignments(self, hit_id: str):
            rows = list(market.list_assignments(hit_id))
            collect_hit(hit=theirs, provider=market)
            yield from rows

    if second == "while the first reads the list":
        collect_hit(hit=mine, provider=Meanwhile())
    else:
        collect_hit(hit=theirs, provider=market)
        collect_hit(hit=mine, provider=market)

    assert Event.objects.filter(verb="assignment.submitted").count() == 1
    assert Event.objects.filter(verb="hit.closed").count() == 1
