import pytest

from annotation.desk import jobs
from annotation.events.actions import current_actor
from annotation.hits.models import Assignment
from annotation.pipeline import Progress
from annotation.providers.actions import plan
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def advanced(monkeypatch):
    """The projects that were advanced, and by whom."""
    seen = []

    def advance(project):
        seen.append((project.slug, current_actor()))
        if project.slug == "broken":
            raise RuntimeError("the marketplace is away")
        moves = {"busy": Progress(collected=1), "unread": Progress(unread=("HIT 1: NotReachable",))}
        return moves.get(project.slug, Progress())

    monkeypatch.setattr(jobs, "advance", advance)
    return seen


def test_each_project_is_advanced_by_the_clock_although_one_fails(advanced):
    for slug in ("broken", "busy", "idle", "unread"):
        make_project(slug)
    make_project("paused", state="paused")
    assert jobs.advance_all() == 1
    assert advanced == [(slug, "clock") for slug in ("broken", "busy", "idle", "unread", "paused")]


def test_a_closed_project_is_advanced_until_its_work_is_collected_and_paid(advanced):
    for slug in ("done", "live", "unpaid", "unsettled"):
        make_project(slug, state="closed")
    projects = {project.slug: project for project in jobs.Project.objects.all()}
    make_assignment(make_hit(projects["done"], make_item(projects["done"]), state="closed"), state="approved")
    make_hit(projects["live"], make_item(projects["live"]))
    closed = make_hit(projects["unpaid"], make_item(projects["unpaid"]), state="closed")
    make_assignment(closed, state=Assignment.State.SUBMITTED)
    plan(environment="own", kind="approve", key="k", request={}, project_id=projects["unsettled"].pk)
    jobs.advance_all()
    assert [slug for slug, _ in advanced] == ["live", "unpaid", "unsettled"]
