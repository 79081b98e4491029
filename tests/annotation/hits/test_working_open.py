"""Opening a HIT's page makes one row for assignment and worker, and refuses before any work, not after."""

import pytest

from annotation.events.models import Event
from annotation.hits import working
from annotation.hits.models import HIT, Assignment
from annotation.workers.models import Worker
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_project, make_worker

pytestmark = pytest.mark.django_db
OPEN = Assignment.State.OPEN


@pytest.fixture
def hit():
    project = make_project()
    return make_hit(project, make_item(project), make_item(project))


def opened(hit, assignment_id="3A", worker_id="AONE"):
    return working.open_assignment(hit=hit, assignment_id=assignment_id, provider_worker_id=worker_id)


def test_the_first_opening_makes_the_row_and_one_event(hit):
    assignment = opened(hit)
    assert (assignment.state, assignment.draft, assignment.hit_id) == (OPEN, {}, hit.pk)
    assert list(Event.objects.values_list("verb", "subject")) == [("assignment.opened", f"assignment:{assignment.pk}")]
    assert Event.objects.get().actor == f"worker:{assignment.worker.pseudonym}"


def test_a_second_opening_finds_the_same_row(hit):
    assert opened(hit).pk == opened(hit).pk
    assert Assignment.objects.count() == Event.objects.count() == 1


def test_another_worker_on_the_same_assignment_id_gets_a_row_of_their_own_and_an_empty_draft(hit):
    first = opened(hit)
    working.save_draft(assignment_pk=first.pk, worker_pk=first.worker_id, base_revision=0, values={"comment": ["mine"]})
    second = opened(hit, worker_id="ATWO")
    assert second.pk != first.pk
    assert second.draft == {}


def test_a_worker_who_takes_a_returned_hit_again_finds_the_old_draft(hit):
    first = opened(hit)
    working.save_draft(
        assignment_pk=first.pk, worker_pk=first.worker_id, base_revision=0, values={"comment": ["half done"]}
    )
    again = opened(hit, assignment_id="3B")
    assert again.draft == {"comment": ["half done"]}
    assert again.draft_revision == 1


def test_a_barred_worker_is_refused_and_no_row_is_written(hit):
    worker = make_worker("AONE")
    Worker.objects.filter(pk=worker.pk).update(is_barred=True)
    with pytest.raises(working.Refused, match="barred"):
        opened(hit)
    assert not Assignment.objects.exists()


def test_a_worker_who_answered_one_of_the_items_in_another_hit_is_refused(hit):
    worker = make_worker("AONE")
    item = hit.items.first()
    make_answer(item, {"answers": ["gravity"]}, assignment=make_assignment(make_hit(hit.project, item), worker))
    with pytest.raises(working.Refused, match="answered"):
        opened(hit)


def test_a_worker_whose_work_on_this_hit_is_confirmed_is_refused_another_assignment_of_it(hit):
    make_assignment(hit, make_worker("AONE"), assignment_id="3OLD")
    with pytest.raises(working.Refused, match="answered"):
        opened(hit, assignment_id="3NEW")


def test_a_worker_whose_work_never_reached_the_marketplace_may_take_the_hit_again(hit):
    make_assignment(hit, make_worker("AONE"), assignment_id="3OLD", state="handed_over")
    assert opened(hit, assignment_id="3NEW").state == OPEN


def test_an_assignment_id_of_another_hit_is_refused(hit):
    make_assignment(
        make_hit(hit.project, make_item(hit.project)), make_worker("AONE"), assignment_id="3A", state="open"
    )
    with pytest.raises(working.Refused, match="foreign"):
        opened(hit)


def test_a_hit_that_the_marketplace_refused_can_not_be_opened(hit):
    HIT.objects.filter(pk=hit.pk).update(state=HIT.State.REFUSED)
    hit.refresh_from_db()
    with pytest.raises(working.Refused, match="withdrawn"):
        opened(hit)


def test_an_expired_hit_can_still_be_opened_by_who_accepted_it_in_time(hit):
    HIT.objects.filter(pk=hit.pk).update(state=HIT.State.CLOSED)
    hit.refresh_from_db()
    assert opened(hit).state == OPEN
