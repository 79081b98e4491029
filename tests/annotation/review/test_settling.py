"""Answers become outcomes: once an item, by what the task type says they add up to."""

from annotation.events.models import Event
from annotation.hits.models import Assignment
from annotation.review.actions import decide, settle
from annotation.review.models import Outcome, Review
from annotation.review.settling import is_in_blind_sample
from tests.annotation.review.conftest import GRAVITY, SAME, UNKNOWN, WIND
from tests.factories import make_answer, make_answered_item, make_item, make_project


def texts(outcome):
    return [answer["text"] for answer in outcome.value["answers"]]


def test_an_answered_item_gets_an_outcome_with_its_contributors(project, answered):
    item = answered(GRAVITY, SAME, WIND)
    assert settle(project=project) == 1
    outcome = Outcome.objects.get()
    item.refresh_from_db()
    assert (outcome.state, item.state) == ("pending", "settled")
    assert texts(outcome)[0].lower().startswith("gravity")
    assert outcome.contributors == list(item.answers.order_by("id").values_list("pk", flat=True))
    assert outcome.final == outcome.value
    assert 0 <= outcome.agreement <= 1
    assert outcome.doubt == 1 - outcome.agreement


def test_near_identical_answers_are_one_and_the_raw_ones_stay(project, answered):
    item = answered(GRAVITY, SAME, WIND)
    settle(project=project)
    merged = Outcome.objects.get().value["answers"][0]
    assert len(merged["from_answers"]) == 2
    assert [answer.data for answer in item.answers.order_by("id")] == [GRAVITY, SAME, WIND]


def test_answers_that_share_no_word_reject_the_item_as_too_open(project, answered):
    item = answered(GRAVITY, WIND)
    settle(project=project)
    item.refresh_from_db()
    assert (item.state, Outcome.objects.get().state) == ("rejected", "rejected")
    assert item.reason == Outcome.objects.get().reason
    assert "share a word" in item.reason


def test_settling_again_settles_nothing_twice(project, answered):
    answered()
    assert settle(project=project) == 1
    assert settle(project=project) == 0
    assert Outcome.objects.count() == 1


def test_only_items_with_all_their_answers_are_settled(project):
    for state in ["open", "offered", "excluded"]:
        make_answer(make_item(project, state=state), GRAVITY)
    assert settle(project=project) == 0


def test_answers_that_were_rejected_or_superseded_do_not_count(project, answered):
    item = answered(GRAVITY, WIND)
    for state in [Assignment.State.REJECTED, Assignment.State.SUPERSEDED]:
        other = make_answer(item, SAME)
        Assignment.objects.filter(pk=other.assignment_id).update(state=state)
    make_answer(item, SAME, counts=False)
    settle(project=project)
    assert Outcome.objects.get().state == "rejected"
    assert len(Outcome.objects.get().contributors) == 2


def test_an_answer_that_fits_no_shape_is_left_out_and_the_reviewer_told(project, answered):
    item = answered(GRAVITY, SAME)
    odd = make_answer(item, {"answers": ["gravity"], "category": "no such"})
    settle(project=project)
    outcome = Outcome.objects.get()
    assert outcome.state == "pending"
    assert list(outcome.details["unreadable"]) == [str(odd.pk)]


def test_a_stage_without_review_accepts_at_once(db):
    project = make_project(stage={"review": "none"})
    item = make_answered_item(project, GRAVITY, SAME)
    settle(project=project)
    item.refresh_from_db()
    assert (Outcome.objects.get().state, item.state) == ("accepted", "accepted")


def test_a_stage_that_reviews_disputes_accepts_the_rest(db):
    project = make_project(stage={"review": "disputed"})
    agreed = make_answered_item(project, GRAVITY, SAME)
    disputed = make_answered_item(project, GRAVITY, SAME, WIND, UNKNOWN, UNKNOWN)
    settle(project=project)
    states = dict(Outcome.objects.values_list("item_id", "state"))
    assert states == {agreed.pk: "accepted", disputed.pk: "pending"}


def test_a_limit_is_kept(project, answered):
    for _ in range(3):
        answered()
    assert settle(project=project, limit=2) == 2
    assert Outcome.objects.count() == 2


def test_a_batch_is_one_event(project, answered):
    answered()
    answered(GRAVITY, WIND)
    settle(project=project)
    event = Event.objects.get(verb="outcome.settled")
    assert (event.data["pending"], event.data["rejected"]) == (1, 1)


def test_the_blind_sample_has_about_its_share_and_is_the_same_each_time(db):
    project = make_project(stage={"blind_share": 0.1})
    stage = project.stages.get()
    keys = [f"ARCEZ_{number}" for number in range(5_000)]
    picked = [key for key in keys if is_in_blind_sample(stage, key)]
    assert picked == [key for key in keys if is_in_blind_sample(stage, key)]
    assert 400 < len(picked) < 600


def test_no_share_and_whole_share_pick_nothing_and_everything(db):
    for share, wanted in [(0, False), (1, True)]:
        project = make_project(stage={"blind_share": share})
        make_answered_item(project, GRAVITY, SAME)
        settle(project=project)
        assert Outcome.objects.get(project=project).wants_blind_review is wanted


def test_more_answers_renew_an_outcome_that_nobody_decided(project, answered):
    item = answered(GRAVITY, WIND)
    settle(project=project)
    make_answer(item, SAME)
    type(item).objects.filter(pk=item.pk).update(state="answered")
    assert settle(project=project) == 1
    outcome = Outcome.objects.get()
    assert (outcome.state, outcome.version, outcome.reason) == ("pending", 1, "")


def test_more_answers_leave_an_experts_decision_alone(project, answered, expert):
    item = answered()
    settle(project=project)
    outcome = Outcome.objects.get()
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    make_answer(item, SAME)
    type(item).objects.filter(pk=item.pk).update(state="answered")
    settle(project=project)
    item.refresh_from_db()
    assert (item.state, Outcome.objects.get().state) == ("accepted", "accepted")
    assert Review.objects.count() == 1
