"""Our own page turns away who may not take a test, before any work, whatever the marketplace let through."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.hits.models import Assignment
from annotation.hits.working import Refused, open_assignment
from annotation.providers.models import Intent
from annotation.trials.models import Trial
from annotation.workers.qualifying import grant
from tests.annotation.trials.test_grading import read
from tests.factories import make_assignment, make_hit, make_item, make_worker


@pytest.fixture
def second_set(programme):
    items = [one.item for one in programme.trial_items.all()][2:4]
    return make_hit(programme.stage.project, *items, trial_of=programme.qualification, max_assignments=9)


def open_it(hit, worker):
    return open_assignment(hit=hit, assignment_id="ANOTHER1", provider_worker_id=worker.identity.provider_id)


def reason(hit, worker) -> str:
    with pytest.raises(Refused) as refused:
        open_it(hit, worker)
    return refused.value.reason


def test_who_waits_for_a_verdict_or_failed_takes_no_other_set(take, graders, second_set) -> None:
    trial = take()
    assert reason(second_set, trial.worker) == "trial_taken"

    for grader in graders:
        read(trial, grader, "fail")

    assert reason(second_set, trial.worker) == "trial_taken"


def test_work_that_the_marketplace_has_not_listed_yet_counts_already(take, programme, second_set) -> None:
    worker = make_worker()
    hit = take().assignment.hit
    make_assignment(hit, worker, state="handed_over")

    assert reason(second_set, worker) == "trial_taken"


def test_who_may_try_again_takes_other_items_and_not_the_same(take, graders, second_set) -> None:
    trial = take()
    for grader in graders:
        read(trial, grader, "again")

    same_items = make_hit(trial.assignment.hit.project, *trial.assignment.hit.items.all(), trial_of=second_set.trial_of)
    assert reason(same_items, trial.worker) == "answered"
    assert open_it(second_set, trial.worker).hit == second_set


def test_who_holds_the_qualification_needs_no_test(programme, second_set) -> None:
    worker = make_worker()
    grant(qualification=programme.qualification, worker=worker, value=50)

    assert reason(second_set, worker) == "trial_taken"
    assert not Trial.objects.exists()


def test_a_real_hit_is_not_closed_to_who_took_the_test(programme, take) -> None:
    trial = take()
    project = programme.stage.project
    real = make_hit(project, make_item(project))

    assert open_it(real, trial.worker).hit == real


def test_one_test_is_open_at_a_time_while_its_time_lasts(programme, take, second_set) -> None:
    worker = make_worker()
    opened = make_assignment(take().assignment.hit, worker, state="open", handed_over_at=None)

    assert reason(second_set, worker) == "trial_open"
    Assignment.objects.filter(pk=opened.pk).update(opened_at=timezone.now() - timedelta(minutes=61))
    assert open_it(second_set, worker).hit == second_set


def test_one_test_more_than_a_worker_may_take_is_paid_and_read_by_nobody(programme, take) -> None:
    worker = make_worker()
    type(programme).objects.update(most_attempts=1)
    first, extra = take(worker), take(worker, place=1)

    assert (first.state, first.attempt) == (Trial.State.WAITING, 1)
    assert (extra.state, extra.attempt) == (Trial.State.FAILED, 2)
    pay = Intent.objects.get(kind="approve")
    assert pay.request["assignment_id"] == extra.assignment.assignment_id
    assert "nobody reads it" in pay.request["feedback"]
