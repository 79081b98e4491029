"""A decision taken back: what stood before stands again, and the record keeps everything."""

import pytest

from annotation.projects.items import add_item
from annotation.review.actions import NotAllowed, decide, promote, settle, undo
from annotation.review.models import Outcome, Review
from tasks.base import SourceItem
from tests.annotation.review.conftest import GRAVITY, WIND
from tests.factories import QUESTION, make_stage, make_user


@pytest.fixture
def outcome(project, answered):
    answered()
    settle(project=project)
    return Outcome.objects.get()


def test_the_question_is_pending_again_as_aggregation_made_it(outcome, expert):
    review = decide(
        outcome=outcome, reviewer=expert, decision="accept", operations=[{"op": "remove", "index": 0}], version=0
    )
    undo(review=review, by=expert)
    outcome.refresh_from_db()
    assert (outcome.state, outcome.decided_at, outcome.item.state) == ("pending", None, "settled")
    assert outcome.final == outcome.value
    assert Review.objects.get().undone_at is not None


def test_undo_after_a_second_decision_restores_the_first(outcome, expert, colleague):
    decide(outcome=outcome, reviewer=colleague, decision="reject", reason="too open", version=0)
    decided_at = Outcome.objects.get().decided_at
    second = decide(outcome=outcome, reviewer=expert, decision="accept", version=1)
    undo(review=second, by=expert)
    outcome.refresh_from_db()
    assert (outcome.state, outcome.reason, outcome.decided_at) == ("rejected", "too open", decided_at)
    assert outcome.item.state == "rejected"


def test_a_rule_s_rejection_that_an_expert_overturned_is_back_with_its_reason(project, answered, expert):
    item = answered(GRAVITY, WIND)
    settle(project=project)
    outcome = Outcome.objects.get()
    reason = outcome.reason
    review = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    assert outcome.state == "accepted"
    undo(review=review, by=expert)
    item.refresh_from_db()
    assert (item.state, item.reason) == ("rejected", reason)


def test_only_the_newest_decision_can_be_taken_back(outcome, expert, colleague):
    first = decide(outcome=outcome, reviewer=colleague, decision="reject", reason="too open", version=0)
    decide(outcome=outcome, reviewer=expert, decision="accept", version=1)
    with pytest.raises(NotAllowed, match="decided this question again"):
        undo(review=first, by=colleague)


def test_nothing_is_taken_back_twice(outcome, expert):
    review = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    undo(review=review, by=expert)
    with pytest.raises(NotAllowed, match="taken back before"):
        undo(review=review, by=expert)


def test_a_colleague_can_not_take_it_back_but_who_runs_the_project_can(project, outcome, expert, colleague):
    review = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    with pytest.raises(NotAllowed, match="Only the reviewer"):
        undo(review=review, by=colleague)
    undo(review=review, by=make_user("boss", project=project, role="researcher"))
    assert Outcome.objects.get().state == "pending"


def test_what_went_on_to_the_next_stage_stands(project, outcome, expert):
    review = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    assert promote(project=project) == 1
    later = make_stage(project, name="later")
    add_item(stage=later, source=SourceItem(key="next", payload=QUESTION), origin_id=outcome.pk)
    with pytest.raises(NotAllowed, match="gone on to the next stage"):
        undo(review=review, by=expert)
    with pytest.raises(NotAllowed, match="gone on to the next stage"):
        decide(outcome=outcome, reviewer=expert, decision="reject", reason="late", version=1)


def test_a_promotion_that_made_no_item_does_not_stand_in_the_way(project, outcome, expert):
    review = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    promote(project=project)
    assert Outcome.objects.get().promoted_at is not None
    undo(review=review, by=expert)
    assert Outcome.objects.get().promoted_at is None
