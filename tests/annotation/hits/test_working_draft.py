"""Drafts: one conditional write, the newest words win within a tab, and two tabs are never merged in silence."""

import pytest

from annotation.hits import working
from annotation.hits.models import Assignment
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment():
    project = make_project()
    return make_assignment(make_hit(project, make_item(project)), state="open", handed_over_at=None, submitted_at=None)


def save(assignment, text, base, **more):
    return working.save_draft(
        assignment_pk=assignment.pk,
        worker_pk=assignment.worker_id,
        base_revision=base,
        values={"comment": [text]},
        **more,
    )


def stored(assignment):
    assignment.refresh_from_db()
    return working.typed(assignment.draft).get("comment"), assignment.draft_revision


def test_each_save_is_one_write_and_gives_the_next_revision(assignment, django_assert_num_queries):
    assert save(assignment, "a", 0).revision == 1
    with django_assert_num_queries(1):
        assert save(assignment, "ab", 1).revision == 2
    assert stored(assignment) == (["ab"], 2)


def test_another_tab_that_saved_in_between_is_a_conflict_and_nothing_is_written(assignment):
    save(assignment, "from the first", 0, tab="first", turn=1)
    with pytest.raises(working.DraftConflict) as conflict:
        save(assignment, "from the second", 0, tab="second", turn=1)
    assert working.typed(conflict.value.assignment.draft) == {"comment": ["from the first"]}
    assert stored(assignment) == (["from the first"], 1)


def test_a_save_whose_acknowledgement_was_lost_is_no_conflict(assignment):
    save(assignment, "same", 0)
    assert save(assignment, "same", 0).revision == 1


def test_a_later_save_of_the_same_tab_wins_though_it_missed_an_acknowledgement(assignment):
    save(assignment, "a", 0, tab="one", turn=1)
    assert save(assignment, "ab", 0, tab="one", turn=2).revision == 2
    assert stored(assignment) == (["ab"], 2)


def test_an_older_save_that_was_overtaken_on_the_way_changes_nothing(assignment):
    save(assignment, "ab", 0, tab="one", turn=2)
    assert save(assignment, "a", 0, tab="one", turn=1).revision == 1
    assert stored(assignment) == (["ab"], 1)


def test_nothing_is_saved_after_handing_over(assignment):
    Assignment.objects.filter(pk=assignment.pk).update(state="handed_over")
    with pytest.raises(working.NoLongerOpen) as refusal:
        save(assignment, "late", 0)
    assert refusal.value.assignment.state == "handed_over"
    assert stored(assignment) == (None, 0)
