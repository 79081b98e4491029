"""A worker is barred by a person with a reason, at one marketplace, and may be let in again."""

import pytest

from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.projects.actions import Refused
from annotation.workers.actions import bar_worker, unbar_worker
from annotation.workers.queries import release_pseudonym, worker_called
from tests.factories import make_project, make_worker

pytestmark = pytest.mark.django_db


def test_barring_and_letting_in_again_change_the_worker_once_and_tell_why() -> None:
    worker = make_worker()
    with acting_as("user:2"):
        bar_worker(worker=worker, reason="The same word everywhere.", project_id=4)
        bar_worker(worker=worker, reason="Once more.", project_id=4)
        worker.refresh_from_db()
        assert (worker.is_barred, worker.note) == (True, "The same word everywhere.")
        unbar_worker(worker=worker, reason="We talked.", project_id=4)
    worker.refresh_from_db()
    assert worker.is_barred is False
    told = Event.objects.order_by("pk").values_list("verb", "actor", "project_id", "data__reason")
    assert list(told) == [
        ("worker.barred", "user:2", 4, "The same word everywhere."),
        ("worker.unbarred", "user:2", 4, "We talked."),
    ]


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001])
def test_barring_takes_a_reason_of_some_length(reason: str) -> None:
    worker = make_worker()
    with pytest.raises(Refused):
        bar_worker(worker=worker, reason=reason)
    worker.refresh_from_db()
    assert worker.is_barred is False


def test_a_worker_is_found_by_the_name_that_a_projects_releases_use() -> None:
    project, other = make_project(), make_project()
    worker = make_worker()
    assert worker_called(project, release_pseudonym(project, worker.pseudonym)) == worker
    assert worker_called(other, release_pseudonym(project, worker.pseudonym)) is None
    assert worker_called(project, worker.pseudonym) is None
