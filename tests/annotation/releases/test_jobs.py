"""A release is ordered in a moment and built by a job; the row tells how far it is."""

import pytest
from celery.exceptions import OperationalError

from annotation.events.models import Event
from annotation.projects.models import Item
from annotation.releases import actions, jobs
from annotation.releases.models import Release


@pytest.mark.django_db(transaction=True)
def test_an_order_is_built_by_a_job(settings):
    from tests.annotation.releases.filling import fill

    settings.CELERY_TASK_ALWAYS_EAGER = True
    release = actions.order(project=fill(), notes="From the desk.", created_by="user:1")
    release.refresh_from_db()
    assert (release.state, release.version, release.progress) == ("ready", "1.0.0", 100)


def test_an_order_waits_for_its_builder(project, monkeypatch):
    monkeypatch.setattr(jobs.build_release, "apply_async", _no_broker)
    release = actions.order(project=project, created_by="user:1")
    assert release.state == Release.State.BUILDING
    assert release.version.startswith(actions.PROVISIONAL)


def _no_broker(*args, **kwargs):
    raise OperationalError("no broker")


def test_the_sweep_builds_what_no_message_reached(project, monkeypatch):
    release = actions.order(project=project, created_by="user:1")
    jobs.sweep()
    assert Release.objects.get().state == Release.State.BUILDING, "a moment's delay is no loss"
    monkeypatch.setattr(jobs, "UNCLAIMED_FOR", -jobs.UNCLAIMED_FOR)
    jobs.sweep()
    release.refresh_from_db()
    assert release.state == Release.State.READY
    assert Event.objects.get(verb="release.built").actor == "user:1", "whoever built it, a person ordered it"


def test_a_refusal_is_told_by_the_row_and_is_no_crash_of_the_job(project):
    release = actions.order(project=project, created_by="user:1")
    Item.objects.filter(project=project, state="accepted").update(state="settled")
    jobs.build_release(release.pk)
    release.refresh_from_db()
    assert release.state == Release.State.FAILED
    assert "no item of forces is accepted" in release.error


def test_progress_is_told_step_by_step(project):
    told = []
    actions.build(project=project, created_by="user:1", progress=lambda step, percent: told.append((percent, step)))
    assert told == sorted(told)
    assert [step for _, step in told][:2] == ["reading", "writing rows"]
