"""An expert's decision: what it changes, what it never changes, and what is refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.models import Event
from annotation.hits.models import Answer
from annotation.review.actions import (
    BadOperation,
    HeldByOther,
    ReasonMissing,
    ReviewError,
    ReviewRefused,
    StaleReview,
    WantsConfirmation,
    decide,
    hold,
    settle,
)
from annotation.review.models import Outcome, Review


@pytest.fixture
def outcome(project, answered):
    answered()
    settle(project=project)
    return Outcome.objects.get()


def texts(value):
    return [answer["text"] for answer in value["answers"]]


def test_accepting_applies_the_operations_to_the_final_value_alone(outcome, expert):
    before = outcome.value
    wind = texts(before).index("wind")
    operations = [
        {"op": "reword", "text": "Which force pulls a ball down?"},
        {"op": "remove", "index": wind},
        {"op": "add", "text": "gravitation"},
    ]
    review = decide(outcome=outcome, reviewer=expert, decision="accept", operations=operations, version=0, seconds=31)
    outcome.refresh_from_db()
    assert outcome.value == before
    assert outcome.final["question"] == "Which force pulls a ball down?"
    assert texts(outcome.final) == [text for text in texts(before) if text != "wind"] + ["gravitation"]
    assert outcome.final["answers"][-1] == {"text": "gravitation", "from_answers": [], "origin": "reviewer"}
    assert (outcome.state, outcome.version, outcome.item.state) == ("accepted", 1, "accepted")
    assert (review.operations, review.value, review.seconds) == (operations, outcome.final, 31)


def test_answers_are_never_edited(outcome, expert):
    before = list(Answer.objects.order_by("id").values("id", "data", "counts"))
    decide(outcome=outcome, reviewer=expert, decision="accept", operations=[{"op": "remove", "index": 0}], version=0)
    assert list(Answer.objects.order_by("id").values("id", "data", "counts")) == before


def test_rejecting_keeps_its_reason_with_outcome_and_item(outcome, expert):
    decide(outcome=outcome, reviewer=expert, decision="reject", reason="  too open:\n insects ", version=0)
    outcome.refresh_from_db()
    assert (outcome.state, outcome.item.state) == ("rejected", "rejected")
    assert outcome.reason == outcome.item.reason == Review.objects.get().reason == "too open: insects"


def test_a_rejection_needs_a_reason(outcome, expert):
    with pytest.raises(ReasonMissing):
        decide(outcome=outcome, reviewer=expert, decision="reject", reason="  ", version=0)


def test_findings_that_block_refuse(outcome, expert):
    everything = [{"op": "remove", "index": index} for index in range(len(outcome.value["answers"]))]
    with pytest.raises(ReviewRefused, match="No answer is left") as refused:
        decide(outcome=outcome, reviewer=expert, decision="accept", operations=everything, version=0, confirmed=True)
    assert refused.value.findings[0].check == "no_answers_left"


def test_warnings_want_one_confirmation(outcome, expert):
    reworded = [{"op": "reword", "text": "It is pulled by"}]
    with pytest.raises(WantsConfirmation, match="question mark"):
        decide(outcome=outcome, reviewer=expert, decision="accept", operations=reworded, version=0)
    decide(outcome=outcome, reviewer=expert, decision="accept", operations=reworded, version=0, confirmed=True)
    assert outcome.final["question"] == "It is pulled by"


def test_a_rejection_asks_no_check(outcome, expert):
    everything = [{"op": "remove", "index": index} for index in range(len(outcome.value["answers"]))]
    decide(outcome=outcome, reviewer=expert, decision="reject", reason="wrong", operations=everything, version=0)
    assert outcome.state == "rejected"


def test_a_stale_page_is_told_who_decided_what(outcome, expert, colleague):
    decide(outcome=outcome, reviewer=colleague, decision="reject", reason="too open", version=0)
    with pytest.raises(StaleReview, match="colleague decided to reject") as stale:
        decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    assert stale.value.other.reviewer == colleague
    assert Review.objects.count() == 1


def test_deciding_again_on_the_new_version_replaces_what_stands(outcome, expert, colleague):
    decide(outcome=outcome, reviewer=colleague, decision="reject", reason="too open", version=0)
    decide(outcome=outcome, reviewer=expert, decision="accept", version=1)
    assert (outcome.state, outcome.reason, outcome.version) == ("accepted", "", 2)
    assert Review.objects.filter(undone_at=None).count() == 2


def test_what_a_colleague_has_open_can_not_be_decided_unless_the_lease_is_over(outcome, expert, colleague):
    assert hold(outcome=outcome, by=colleague)
    with pytest.raises(HeldByOther, match="colleague has this question open"):
        decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    Outcome.objects.update(held_until=timezone.now() - timedelta(seconds=1))
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    assert (outcome.held_by, outcome.held_until) == (None, None)


def test_a_hold_keeps_out_a_colleague_until_it_is_taken_over(outcome, expert, colleague):
    assert hold(outcome=outcome, by=expert)
    assert hold(outcome=outcome, by=expert)
    assert not hold(outcome=outcome, by=colleague)
    assert hold(outcome=outcome, by=colleague, take_over=True)
    assert Outcome.objects.get().held_by == colleague


def test_what_is_refused_changes_nothing(outcome, expert):
    before = Outcome.objects.values().get()
    for change in [
        {"decision": "perhaps"},
        {"decision": "accept", "operations": [{"op": "remove", "index": 99}]},
        {"decision": "accept", "operations": [{"op": "shout"}]},
    ]:
        with pytest.raises((ReviewError, BadOperation)):
            decide(outcome=outcome, reviewer=expert, version=0, **change)
    assert Outcome.objects.values().get() == before
    assert not Review.objects.exists()


def test_a_decision_is_one_event(outcome, expert):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    event = Event.objects.get(verb="outcome.accepted")
    assert (event.subject, event.project_id) == (f"outcome:{outcome.pk}", outcome.project_id)
    assert event.data["review"] == Review.objects.get().pk
