"""What counts is what the marketplace lists: real HITs, a real worker's submit, our rows afterwards."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.hits.collecting import collect
from annotation.hits.expiring import absorb_expiries, close, expire_hit
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.paying import absorb_decisions, approve, approve_due, bonus, reject
from annotation.hits.publishing import absorb_offers, publish, quote
from annotation.hits.queries import spending
from annotation.projects.actions import Refused, change_stage
from annotation.projects.models import Item
from annotation.providers import mturk
from annotation.providers.base import Unclear
from annotation.providers.dispatching import dispatch
from annotation.providers.models import Intent
from annotation.workers.actions import meet_worker
from tests.crowd import hire
from tests.factories import make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(own_market):
    project = make_project(budget_cap_cents=100_000, wage_floor_cents=0, stage={"answers_per_item": 2})
    for _ in range(2):
        make_item(project)
    return project


@pytest.fixture
def hit(project) -> HIT:
    stage = project.stages.get()
    [hit] = publish(stage=stage, confirmed_cents=quote(stage).total_cents)
    dispatch()
    absorb_offers(project=project)
    hit.refresh_from_db()
    return hit


def copy_of_answers(hit: HIT, text: str) -> str:
    answer = {"answers": [text], "category": "1"}
    return json.dumps({str(item.pk): answer for item in hit.items.all()})


@pytest.fixture
def looking(project):
    """A person at work, whom the stage leaves a day to look."""
    change_stage(stage=project.stages.get(), approve_after_hours=24)
    with acting_as("user:1"):
        yield


def work(own_market, hit: HIT, text: str = "gravity") -> dict[str, str]:
    """A worker accepts and hands in at the marketplace; our own page never heard of it."""
    worker = hire(own_market.endpoint)
    frame = worker.accept(hit.remote_id)
    worker.submit(frame["assignmentId"], receipt="pending", answers=copy_of_answers(hit, text))
    return frame


def test_a_published_hit_is_offered_under_its_remote_id(hit) -> None:
    assert hit.state == HIT.State.OFFERED
    assert len(hit.remote_id) == 30
    assert hit.expires_at > timezone.now()


def test_the_frame_leads_to_our_page_with_the_four_parameters(own_market, hit) -> None:
    frame = hire(own_market.endpoint).accept(hit.remote_id)
    assert f"/t/{hit.token}/" in frame["src"]
    assert frame["hitId"] == hit.remote_id
    assert frame["workerId"].startswith("A")
    assert frame["turkSubmitTo"].rstrip("/") == own_market.endpoint.rstrip("/")


def test_work_whose_copy_here_was_lost_is_restored_from_the_marketplace(own_market, project, hit) -> None:
    frame = work(own_market, hit)

    collect(project=project, everything=True)

    assignment = Assignment.objects.get()
    assert (assignment.state, assignment.source) == (Assignment.State.SUBMITTED, "marketplace")
    assert assignment.assignment_id == frame["assignmentId"]
    assert [answer.data["answers"] for answer in Answer.objects.filter(counts=True)] == [["gravity"], ["gravity"]]


def test_work_that_was_handed_over_here_is_confirmed_not_doubled(own_market, project, hit) -> None:
    frame = work(own_market, hit, "what the marketplace holds")
    mine = Assignment.objects.create(
        hit=hit,
        worker=meet_worker(environment="own", provider_id=frame["workerId"]),
        assignment_id=frame["assignmentId"],
        state=Assignment.State.HANDED_OVER,
        handed_over_at=timezone.now(),
    )
    for item in hit.items.all():
        Answer.objects.create(assignment=mine, item=item, data={"answers": ["what we hold"], "category": "1"})

    assert collect(project=project).changed == 1
    assert collect(project=project, everything=True).changed == 0

    mine.refresh_from_db()
    assert (mine.state, mine.source) == (Assignment.State.SUBMITTED, "page")
    assert {answer.data["answers"][0] for answer in Answer.objects.filter(counts=True)} == {"what we hold"}


def test_a_claim_on_somebody_elses_assignment_takes_no_slot_and_counts_for_nothing(own_market, project, hit) -> None:
    frame = work(own_market, hit)
    forged = Assignment.objects.create(
        hit=hit,
        worker=meet_worker(environment="own", provider_id="AFORGEDWORKER1"),
        assignment_id=frame["assignmentId"],
        state=Assignment.State.HANDED_OVER,
        handed_over_at=timezone.now(),
    )
    Answer.objects.create(assignment=forged, item=hit.items.first(), data={"answers": ["forged"], "category": "1"})

    collect(project=project, everything=True)

    forged.refresh_from_db()
    assert forged.state == Assignment.State.SUPERSEDED
    assert not forged.answers.filter(counts=True).exists()
    assert Assignment.objects.filter(state=Assignment.State.SUBMITTED).count() == 1


def test_the_hit_closes_with_its_last_answer_and_the_items_are_answered(own_market, project, hit) -> None:
    work(own_market, hit)
    work(own_market, hit)

    collect(project=project, everything=True)

    hit.refresh_from_db()
    assert hit.state == HIT.State.CLOSED
    assert set(project.items.values_list("state", flat=True)) == {Item.State.ANSWERED}


def test_submitted_work_is_approved_once_and_paid(own_market, project, hit) -> None:
    work(own_market, hit)
    collect(project=project, everything=True)

    assert approve_due(project=project) == 1
    assert approve_due(project=project) == 0
    dispatch()
    absorb_decisions(project=project)

    assert Assignment.objects.get().state == Assignment.State.APPROVED
    money = spending(project)
    assert (money.spent_cents, money.reserved_cents) == (60, 60)


def test_a_stage_may_leave_a_person_time_to_look(own_market, project, hit) -> None:
    change_stage(stage=project.stages.get(), approve_after_hours=24)
    work(own_market, hit)
    collect(project=project, everything=True)
    assert approve_due(project=project) == 0


def test_a_rejection_needs_a_reason_and_takes_the_answers_out(own_market, project, hit, looking) -> None:
    work(own_market, hit)
    work(own_market, hit)
    collect(project=project, everything=True)
    assignment = Assignment.objects.first()
    with pytest.raises(Refused, match="reason"):
        reject(assignment=assignment, reason="  ")

    reject(assignment=assignment, reason="All answers are the same word.")
    dispatch()
    absorb_decisions(project=project)

    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.REJECTED
    assert not assignment.answers.filter(counts=True).exists()
    assert set(project.items.values_list("state", flat=True)) == {Item.State.OPEN}


def test_a_rejection_can_be_turned_round(own_market, project, hit, looking) -> None:
    work(own_market, hit)
    collect(project=project, everything=True)
    assignment = Assignment.objects.get()
    reject(assignment=assignment, reason="A mistake.")
    dispatch()
    absorb_decisions(project=project)
    assignment.refresh_from_db()

    approve(assignment=assignment, feedback="We were wrong, sorry.")
    dispatch()
    absorb_decisions(project=project)

    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.APPROVED
    assert assignment.answers.filter(counts=True).count() == 2


def test_a_bonus_is_paid_within_the_cap_and_once_a_purpose(own_market, project, hit) -> None:
    work(own_market, hit)
    collect(project=project, everything=True)
    assignment = Assignment.objects.get()
    with pytest.raises(Refused, match="approve this work first"):
        bonus(assignment=assignment, cents=100, reason="Careful work", purpose="care")
    approve(assignment=assignment)
    dispatch()
    absorb_decisions(project=project)

    first = bonus(assignment=assignment, cents=100, reason="Careful work", purpose="care")
    second = bonus(assignment=assignment, cents=100, reason="Careful work", purpose="care")
    dispatch()

    assert first.pk == second.pk
    first.refresh_from_db()
    assert first.state == Intent.State.CONFIRMED
    with pytest.raises(Refused, match="no room"):
        bonus(assignment=assignment, cents=90_000, reason="Too much", purpose="more")


def test_an_expired_hit_with_one_answer_missing_opens_its_items_for_the_rest(own_market, project, hit) -> None:
    work(own_market, hit)
    expire_hit(hit=hit)
    dispatch()
    absorb_expiries(project=project)

    collect(project=project)

    hit.refresh_from_db()
    assert (hit.state, hit.close_reason) == (HIT.State.CLOSED, "its time was over")
    assert set(project.items.values_list("state", flat=True)) == {Item.State.OPEN}
    assert [planned.max_assignments for planned in quote(project.stages.get(), only_unfinished=True).planned] == [1]


def test_who_accepted_before_the_expiry_may_finish_and_is_paid(own_market, project, hit) -> None:
    worker = hire(own_market.endpoint)
    frame = worker.accept(hit.remote_id)
    close(project=project)
    dispatch()
    absorb_expiries(project=project)
    collect(project=project)
    hit.refresh_from_db()
    assert hit.state == HIT.State.OFFERED

    worker.submit(frame["assignmentId"], receipt="pending", answers=copy_of_answers(hit, "gravity"))
    collect(project=project, everything=True)
    approve_due(project=project)
    dispatch()
    absorb_decisions(project=project)

    assert Assignment.objects.get().state == Assignment.State.APPROVED


def test_a_hit_that_was_never_sent_is_called_off_without_a_call(own_market, wire, project) -> None:
    stage = project.stages.get()
    [hit] = publish(stage=stage, confirmed_cents=quote(stage).total_cents)
    expire_hit(hit=hit)
    dispatch()

    hit.refresh_from_db()
    assert hit.state == HIT.State.CLOSED
    assert wire.seen["CreateHITWithHITType"] == 0
    assert spending(project).committed_cents == 0


def test_what_the_marketplace_never_lists_is_kept_for_a_person(project, hit) -> None:
    Assignment.objects.create(
        hit=hit,
        worker=meet_worker(environment="own", provider_id="ANEVERLISTED12"),
        assignment_id="NEVERLISTED",
        state=Assignment.State.HANDED_OVER,
        handed_over_at=timezone.now() - timedelta(hours=25),
    )
    collect(project=project)
    assert Assignment.objects.get().state == Assignment.State.QUARANTINED


def test_a_hit_that_the_marketplace_refuses_opens_its_items_again(own_market, project) -> None:
    stage = change_stage(
        stage=project.stages.get(), requirements=[{"QualificationTypeId": "NOSUCH", "Comparator": "Exists"}]
    )
    [hit] = publish(stage=stage, confirmed_cents=quote(stage).total_cents)
    dispatch()
    absorb_offers(project=project)

    hit.refresh_from_db()
    assert hit.state == HIT.State.REFUSED
    assert set(project.items.values_list("state", flat=True)) == {Item.State.OPEN}
    assert spending(project).committed_cents == 0


def test_a_hit_that_can_not_be_read_is_named_and_stops_no_other(own_market, wire, project) -> None:
    stage = change_stage(stage=project.stages.get(), items_per_hit=1)
    first, second = publish(stage=stage, confirmed_cents=quote(stage).total_cents)
    dispatch()
    absorb_offers(project=project)
    second.refresh_from_db()
    work(own_market, second)
    HIT.objects.filter(pk=first.pk).update(remote_id="NEVERMADE", collect_after=timezone.now() - timedelta(days=1))

    found = collect(project=project, everything=True)

    assert found.changed == 1
    [unread] = found.unread
    assert unread.startswith(f"HIT {first.pk}: ")


def test_a_marketplace_that_does_not_answer_is_not_asked_about_every_hit(project, monkeypatch) -> None:
    asked = []

    def silent(provider, hit_id):
        asked.append(hit_id)
        raise Unclear("ReadTimeout")

    monkeypatch.setattr(mturk.MTurk, "list_assignments", silent)
    hits = [make_hit(project, make_item(project), collect_after=timezone.now()) for _ in range(5)]
    found = collect(project=project, everything=True)
    assert (len(asked), len(found.unread)) == (3, 5)
    collect(project=project, everything=True)
    assert set(asked[3:]) > {hit.remote_id for hit in hits} - set(asked[:3]), "those that were left come first"


def test_where_the_market_can_not_be_asked_at_all_every_hit_is_unread(project, settings) -> None:
    real = {"endpoint": "https://market.example", "submit_hosts": [], "real_money": True}
    settings.MARKETPLACES = {**settings.MARKETPLACES, "own": real}
    mturk.connect.cache_clear()
    for _ in range(2):
        make_hit(project, make_item(project))
    found = collect(project=project, everything=True)
    assert [reason.partition(": ")[2].split(":")[0] for reason in found.unread] == ["RealMoneyOff"] * 2
    assert HIT.objects.filter(collect_after__gt=timezone.now()).count() == 2
