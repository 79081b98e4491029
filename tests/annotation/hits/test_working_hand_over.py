"""Handing over: stored once whatever is sent twice, replaced until the marketplace speaks, evidence after that."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from annotation.events.models import Event
from annotation.hits import working
from annotation.hits.models import Answer, Assignment
from tests.factories import make_assignment, make_hit, make_item, make_project


@pytest.fixture
def assignment(db):
    project = make_project()
    row = make_assignment(make_hit(project, make_item(project)), state="open", handed_over_at=None, submitted_at=None)
    return working.assignment_to_hand_over(row.pk)


def answers(assignment, text="gravity"):
    return {assignment.hit.items.get().pk: {"answers": [text], "category": "single"}}


def hand_over(assignment, text="gravity", comment=""):
    return working.hand_over(assignment=assignment, answers=answers(assignment, text), comment=comment)


def state(assignment):
    return Assignment.objects.values_list("state", flat=True).get(pk=assignment.pk)


def test_answers_time_and_comment_are_stored_with_one_event(assignment):
    handed = hand_over(assignment, comment="odd question")
    assignment.refresh_from_db()
    assert (assignment.state, assignment.comment, assignment.receipt) == ("handed_over", "odd question", handed.receipt)
    assert assignment.seconds_spent is not None
    assert assignment.handed_over_at is not None
    assert Answer.objects.get().data == {"answers": ["gravity"], "category": "single"}
    assert not Answer.objects.get().counts
    assert Event.objects.get().verb == "assignment.handed_over"


def test_the_same_content_again_gives_the_same_receipt_and_stores_nothing(assignment):
    first, second = hand_over(assignment), hand_over(assignment)
    assert first.receipt == second.receipt
    assert (first.is_new, second.is_new) == (True, False)
    assert Answer.objects.count() == Event.objects.count() == 1


def test_other_content_replaces_the_first_while_the_marketplace_has_not_confirmed(assignment):
    first, second = hand_over(assignment), hand_over(assignment, "the earth")
    assert first.receipt != second.receipt
    assert second.replaces
    assert Answer.objects.get().data["answers"] == ["the earth"]
    [item] = answers(assignment)
    assert Event.objects.last().data == {"replaced": {str(item): {"answers": ["gravity"], "category": "single"}}}


@pytest.mark.parametrize("confirmed", ["submitted", "approved", "rejected", "superseded"])
def test_other_content_after_that_is_kept_as_evidence_and_not_used(assignment, confirmed):
    first = hand_over(assignment)
    Assignment.objects.filter(pk=assignment.pk).update(state=confirmed)
    with pytest.raises(working.NoLongerOpen):
        hand_over(assignment, "something else")
    assert hand_over(assignment).receipt == first.receipt
    assert Answer.objects.get().data["answers"] == ["gravity"]
    assert state(assignment) == confirmed
    evidence = Event.objects.get(verb="assignment.contested")
    assert list(evidence.data["answers"].values()) == [{"answers": ["something else"], "category": "single"}]


def test_receipts_depend_on_worker_assignment_and_content(assignment):
    receipts = {
        working.receipt_of(*case)
        for case in [("3A", 1, {1: {}}, ""), ("3B", 1, {1: {}}, ""), ("3A", 2, {1: {}}, ""), ("3A", 1, {2: {}}, "")]
    }
    assert len(receipts) == 4


@pytest.mark.django_db(transaction=True)
def test_fifty_posts_at_once_make_one_row_and_fifty_equal_receipts(transactional_db):
    project = make_project()
    row = make_assignment(make_hit(project, make_item(project)), state="open", handed_over_at=None, submitted_at=None)

    def once(_):
        try:
            return hand_over(working.assignment_to_hand_over(row.pk)).receipt
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        receipts = list(pool.map(once, range(50)))
    assert len(receipts) == 50
    assert len(set(receipts)) == 1
    assert Answer.objects.count() == 1
    assert Event.objects.filter(verb="assignment.handed_over").count() == 1
