import itertools
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.hits.models import Answer, Assignment
from annotation.hits.queries import timings
from annotation.projects.models import Item
from annotation.review import figures
from annotation.review.models import Outcome, Review
from annotation.workers.queries import release_pseudonym
from tests.factories import (
    make_answer,
    make_answered_item,
    make_assignment,
    make_hit,
    make_item,
    make_outcome,
    make_project,
    make_user,
    make_worker,
)

pytestmark = pytest.mark.django_db

ANSWER = {"answers": ["gravity"], "category": "1"}
VALUE = {"answers": []}


def make_rejected(project, reason, reviewer=None, undone=False):
    item = make_item(project)
    outcome = make_outcome(item, VALUE, state=Outcome.State.REJECTED, reason=reason)
    Item.objects.filter(pk=item.pk).update(state=Item.State.REJECTED, reason=reason)
    if reviewer:
        undone_at = timezone.now() if undone else None
        Review.objects.create(
            outcome=outcome, reviewer=reviewer, decision="reject", reason=reason, value=VALUE, undone_at=undone_at
        )
    return item


def make_full_project():
    """Two excluded, one open, one that came back, one offered, one answered, one settled, rejections, one accepted."""
    project, expert = make_project(), make_user()
    make_item(project, state="excluded", reason='"which of"')
    make_item(project, state="excluded", reason='"which of"')
    make_item(project)
    make_hit(project, make_item(project), state="closed")
    make_hit(project, make_item(project, state="offered"))
    make_answered_item(project, ANSWER)
    make_outcome(make_item(project), VALUE)
    make_rejected(project, "too open: no two workers agree")
    make_rejected(project, "too open: no two workers agree", expert, undone=True)
    make_rejected(project, "still too open", expert)
    accepted = make_item(project)
    make_outcome(accepted, VALUE, state=Outcome.State.ACCEPTED)
    Item.objects.filter(pk=accepted.pk).update(state=Item.State.ACCEPTED)
    return project


def test_the_funnel_counts_every_item_on_its_way():
    steps = {step.name: step for step in figures.funnel(make_full_project(), released=0)}
    assert {name: (step.reached, step.lost, step.waiting) for name, step in steps.items()} == {
        "entered": (11, 0, 0),
        "kept": (9, 2, 0),
        "offered": (8, 0, 1),
        "answered": (6, 0, 2),
        "agreed": (3, 2, 1),
        "accepted": (1, 1, 1),
        "released": (0, 0, 1),
    }


def test_what_one_step_loses_and_keeps_waiting_is_the_difference_to_the_next():
    steps = figures.funnel(make_full_project())
    for before, after in itertools.pairwise(steps):
        assert before.reached == after.reached + after.lost + after.waiting, after.name


def test_a_rejection_is_an_experts_only_while_their_review_stands():
    steps = {step.name: step for step in figures.funnel(make_full_project())}
    assert steps["kept"].reasons == (('"which of"', 2),)
    assert steps["agreed"].reasons == (("too open: no two workers agree", 2),)
    assert steps["accepted"].reasons == (("still too open", 1),)


def test_what_was_taken_back_unanswered_was_neither_offered_nor_answered_nor_rejected_by_rule():
    project = make_full_project()
    for reason in ("withdrawn: wrong answer", "withdrawn: wrong answer", ""):
        make_item(project, state="rejected", reason=reason)
    steps = figures.funnel(project)
    for before, after in itertools.pairwise(steps):
        assert before.reached == after.reached + after.lost + after.waiting, after.name
    told = {step.name: (step.reached, step.lost, step.waiting) for step in steps}
    assert (told["entered"], told["offered"], told["answered"], told["agreed"]) == (
        (14, 0, 0),
        (8, 3, 1),
        (6, 0, 2),
        (3, 2, 1),
    )
    reasons = {step.name: step.reasons for step in steps}
    assert reasons["offered"] == (("withdrawn: wrong answer", 2), ("no reason given", 1))
    assert reasons["agreed"] == (("too open: no two workers agree", 2),)


def test_a_rejection_that_an_expert_overturned_is_not_an_experts_when_the_item_falls_by_a_rule():
    project, expert = make_project(), make_user()
    item = make_rejected(project, "too open", expert)
    Review.objects.create(outcome=item.outcome, reviewer=expert, decision="accept", value=VALUE)
    Item.objects.filter(pk=item.pk).update(reason="wrong answer: 2 of 3 said so")
    steps = {step.name: step for step in figures.funnel(project)}
    assert steps["agreed"].reasons == (("wrong answer: 2 of 3 said so", 1),)
    assert steps["accepted"].lost == 0


def test_the_funnel_of_an_empty_project_is_all_zero():
    assert [step.reached for step in figures.funnel(make_project())] == [0, 0, 0, 0, 0, 0]


def test_agreement_falls_into_ten_bins_with_one_in_the_last():
    project = make_project()
    for value in (0.0, 0.3, 0.35, 0.99, 1.0):
        make_outcome(make_item(project), VALUE, agreement=value, is_disputed=value == 0.0)
    make_outcome(make_item(project), VALUE, agreement=None)
    shown = figures.agreement(project.stages.get())
    assert shown.bins == (1, 0, 0, 2, 0, 0, 0, 0, 0, 2)
    assert (shown.count, shown.disputed) == (5, 1)
    assert shown.mean == pytest.approx(0.528)


def test_progress_wants_no_more_of_items_that_are_through():
    project = make_project(stage={"answers_per_item": 3})
    make_answered_item(project, ANSWER, ANSWER)  # through with two, though three are asked now
    offered = make_item(project, state="offered")
    make_answer(offered, ANSWER)
    make_answer(offered, ANSWER, counts=False)
    make_item(project, extra_answers=1)
    make_item(project, state="excluded")
    shown = figures.progress(project.stages.get())
    assert (shown.collected, shown.remaining, shown.wanted) == (3, 2 + 4, 9)


def test_time_to_finish_follows_from_the_rate_of_the_last_day():
    project = make_project(stage={"answers_per_item": 5})
    item = make_item(project, state="offered")
    make_answer(item, ANSWER)
    make_answer(item, ANSWER)
    now = timezone.now()
    Answer.objects.update(created_at=now - timedelta(hours=4))
    shown = figures.progress(project.stages.get(), now=now)
    assert shown.per_hour == pytest.approx(0.5)
    assert shown.hours_left == pytest.approx(6)


def test_without_recent_answers_nobody_can_tell_when_it_is_finished():
    project = make_project()
    make_answer(make_item(project, state="offered"), ANSWER)
    Answer.objects.update(created_at=timezone.now() - timedelta(days=3))
    assert figures.progress(project.stages.get()).hours_left is None


def test_answers_by_hour_names_the_empty_hours_between():
    project, other = make_project(), make_project()
    start = datetime(2026, 11, 3, 23, 15, tzinfo=UTC)
    for hours in (0, 0, 2):
        answer = make_answer(make_item(project), ANSWER)
        Answer.objects.filter(pk=answer.pk).update(created_at=start + timedelta(hours=hours))
    make_answer(make_item(other), ANSWER)
    assert figures.answers_by_hour(project, since=start - timedelta(days=1)) == [
        (datetime(2026, 11, 3, 23, tzinfo=UTC), 2),
        (datetime(2026, 11, 4, 0, tzinfo=UTC), 0),
        (datetime(2026, 11, 4, 1, tzinfo=UTC), 1),
    ]


def test_workers_are_named_as_in_releases_and_ordered_by_their_work():
    project = make_project(stage={"reward_cents": 50})
    busy, new = make_worker(), make_worker()
    hit = make_hit(project, make_item(project))
    make_assignment(hit, busy, state=Assignment.State.APPROVED, seconds_spent=90)
    make_assignment(hit, busy, state=Assignment.State.REJECTED, seconds_spent=110)
    make_assignment(hit, new, state=Assignment.State.HANDED_OVER, seconds_spent=None)
    make_assignment(hit, make_worker(), state=Assignment.State.OPEN)
    first, second = figures.workers_of(project)
    assert first.pseudonym == release_pseudonym(project, busy.pseudonym)
    assert (first.assignments, first.approved, first.rejected, first.waiting) == (2, 1, 1, 0)
    assert (first.seconds, first.hourly_cents) == (100, 1800)
    assert (second.assignments, second.waiting, second.seconds) == (1, 1, None)


def test_the_oldest_unreviewed_outcome_is_the_one_settled_first():
    project = make_project()
    make_outcome(make_item(project), VALUE, state=Outcome.State.ACCEPTED)
    oldest = make_outcome(make_item(project), VALUE)
    make_outcome(make_item(project), VALUE)
    Outcome.objects.filter(pk=oldest.pk).update(settled_at=timezone.now() - timedelta(days=2))
    assert figures.oldest_unreviewed(project) == oldest


def test_an_item_that_several_phrases_exclude_counts_under_each():
    project = make_project()
    for reason in ("most", "which of|most", "which of"):
        make_item(project, state="excluded", reason=reason)
    step = figures.funnel(project)[1]
    assert (step.lost, step.reasons) == (3, (("most", 2), ("which of", 2)))


def test_pay_is_measured_from_work_that_is_paid():
    project = make_project(stage={"reward_cents": 50}, wage_floor_cents=1_000)
    for seconds in (90, 120, 360):
        item = make_item(project)
        make_answer(item, ANSWER, assignment=make_assignment(make_hit(project, item), seconds_spent=seconds))
    make_assignment(make_hit(project, make_item(project)), state=Assignment.State.REJECTED, seconds_spent=1)
    assert figures.hourly_pay(project) == figures.Pay(3, 1000, 1500, 1750, 1, 190.0)
    assert figures.hourly_pay(make_project()).median is None


def test_times_in_which_nobody_works_say_nothing_of_pay():
    """One question, expected to take a minute, an hour allowed: less than 3 s is a robot's, more than 3,600 s a nap."""
    project = make_project(stage={"reward_cents": 50, "items_per_hit": 1})
    hit = make_hit(project, make_item(project))
    robot, worker = make_worker(), make_worker()
    make_assignment(hit, robot, seconds_spent=1)
    make_assignment(hit, robot, seconds_spent=0)
    make_assignment(hit, make_worker(), seconds_spent=3_601)
    assert figures.hourly_pay(project) == figures.Pay(0, None, None, None, 0, None, left_out=3)
    make_assignment(hit, worker, seconds_spent=3)
    make_assignment(hit, worker, seconds_spent=3_600)
    shown = figures.hourly_pay(project)
    assert (shown.count, shown.left_out) == (2, 3)
    assert timings(project.stages.get()).count == 2
    assert {row.hourly_cents for row in figures.workers_of(project)} == {None, 100}
