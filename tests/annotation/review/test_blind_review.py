"""A second expert decides without sight of the first: stored, compared, and without effect on the outcome."""

import pytest

from annotation.review.actions import NotAllowed, decide, settle, undo
from annotation.review.models import Outcome, Review
from annotation.review.queries import blind_agreement, counts_of, is_blind_for, queue, standing_decisions
from tests.annotation.review.conftest import GRAVITY, SAME, WIND
from tests.factories import make_answered_item, make_project, make_user


@pytest.fixture
def project(db):
    return make_project("forces", stage={"blind_share": 1})


@pytest.fixture
def outcome(project, answered):
    answered()
    settle(project=project)
    return Outcome.objects.get()


def test_a_blind_decision_is_stored_and_changes_nothing(outcome, expert, colleague):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    before = Outcome.objects.values("state", "final", "reason", "version", "decided_at").get()
    decide(outcome=outcome, reviewer=colleague, decision="reject", reason="too open", version=0, is_blind=True)
    assert Outcome.objects.values("state", "final", "reason", "version", "decided_at").get() == before
    assert outcome.item.state == "accepted"
    assert Review.objects.get(is_blind=True).reviewer == colleague


def test_the_first_reviewer_is_never_the_blind_one(outcome, expert):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    with pytest.raises(NotAllowed, match="You have decided"):
        decide(outcome=outcome, reviewer=expert, decision="accept", version=1, is_blind=True)


def test_there_is_no_blind_decision_before_the_first(outcome, expert):
    with pytest.raises(NotAllowed, match="no first yet"):
        decide(outcome=outcome, reviewer=expert, decision="accept", version=0, is_blind=True)


def test_one_blind_decision_is_enough(project, outcome, expert, colleague):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    decide(outcome=outcome, reviewer=colleague, decision="accept", version=0, is_blind=True)
    third = make_user("third", project=project)
    with pytest.raises(NotAllowed, match="wants no blind decision"):
        decide(outcome=outcome, reviewer=third, decision="accept", version=0, is_blind=True)


def test_taking_a_blind_decision_back_asks_for_one_again(outcome, expert, colleague):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    review = decide(outcome=outcome, reviewer=colleague, decision="accept", version=0, is_blind=True)
    assert not Outcome.objects.get().wants_blind_review
    undo(review=review, by=colleague)
    outcome.refresh_from_db()
    assert (outcome.wants_blind_review, outcome.state, outcome.version) == (True, "accepted", 1)


def test_the_queue_keeps_the_first_decision_unseen(project, outcome, expert, colleague):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    assert list(queue(colleague, project, show="blind")) == [outcome]
    assert list(queue(colleague, project, show="accepted")) == []
    assert list(queue(expert, project, show="blind")) == []
    assert list(queue(expert, project, show="accepted")) == [outcome]
    assert (is_blind_for(colleague, outcome), is_blind_for(expert, outcome)) == (True, False)
    assert (counts_of(colleague, [project])[project.pk].blind, counts_of(expert, [project])[project.pk].blind) == (1, 0)


def test_agreement_is_told_for_decisions_and_for_answers_kept(project, expert, colleague):
    for _ in range(4):
        make_answered_item(project, GRAVITY, SAME, WIND)
    settle(project=project)
    outcomes = list(Outcome.objects.order_by("id"))
    wind = [answer["text"] for answer in outcomes[0].value["answers"]].index("wind")
    remove = [{"op": "remove", "index": wind}]
    for outcome in outcomes[:3]:
        decide(outcome=outcome, reviewer=expert, decision="accept", operations=remove, version=0)
    decide(outcome=outcomes[3], reviewer=expert, decision="reject", reason="too open", version=0)

    decide(outcome=outcomes[0], reviewer=colleague, decision="accept", operations=remove, version=0, is_blind=True)
    decide(outcome=outcomes[1], reviewer=colleague, decision="accept", version=0, is_blind=True)
    decide(outcome=outcomes[2], reviewer=colleague, decision="reject", reason="x", version=0, is_blind=True)
    decide(outcome=outcomes[3], reviewer=colleague, decision="reject", reason="x", version=0, is_blind=True)

    found = blind_agreement(project)
    answers = len(outcomes[0].value["answers"])
    assert found.outcomes == 4
    assert found.decisions.value == 3 / 4
    assert found.decisions_kappa.value == pytest.approx(0.5)
    assert found.answers.value == pytest.approx((2 * answers - 1) / (2 * answers))
    assert found.answers.n == 2 * answers


def test_agreement_without_pairs_is_no_number(project):
    found = blind_agreement(project)
    assert (found.outcomes, found.decisions.value, found.answers_kappa.value) == (0, None, None)


def test_two_decisions_of_one_person_are_no_pair(project, outcome, expert, colleague):
    first = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    decide(outcome=outcome, reviewer=colleague, decision="accept", version=0, is_blind=True)
    undo(review=first, by=expert)
    decide(outcome=outcome, reviewer=colleague, decision="accept", version=2)
    assert blind_agreement(project).outcomes == 0


def test_a_decision_that_was_made_again_is_compared_as_it_stands(project, outcome, expert, colleague):
    decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    blind = decide(outcome=outcome, reviewer=colleague, decision="reject", reason="open", version=0, is_blind=True)
    again = decide(outcome=outcome, reviewer=expert, decision="reject", reason="too open", version=1)
    assert list(standing_decisions()) == [blind, again]
    assert (blind_agreement(project).outcomes, blind_agreement(project).decisions.value) == (1, 1)


def test_what_was_taken_back_stands_no_more(outcome, expert, colleague):
    first = decide(outcome=outcome, reviewer=expert, decision="accept", version=0)
    blind = decide(outcome=outcome, reviewer=colleague, decision="accept", version=0, is_blind=True)
    undo(review=decide(outcome=outcome, reviewer=expert, decision="reject", reason="open", version=1), by=expert)
    assert list(standing_decisions()) == [first, blind]
    undo(review=blind, by=colleague)
    assert list(standing_decisions()) == [first]
