"""One process at a time carries a project forward."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation import pipeline
from annotation.pipeline import advance
from annotation.projects.models import Project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def meanwhile(monkeypatch, do):
    """Does something in the midst of a run."""
    monkeypatch.setattr(pipeline, "settle", lambda *, project: do(project) or 0)


def test_a_project_is_advanced_by_one_at_a_time_and_is_free_afterwards(monkeypatch):
    seen = []
    meanwhile(monkeypatch, lambda project: seen.append(advance(project)))
    project = make_project()
    assert advance(project) is not None
    assert seen == [None]
    project.refresh_from_db()
    assert project.advancing_until is None


def test_a_run_that_took_too_long_leaves_its_successor_s_lease_alone(monkeypatch):
    theirs = timezone.now() + timedelta(minutes=30)
    meanwhile(monkeypatch, lambda project: Project.objects.filter(pk=project.pk).update(advancing_until=theirs))
    project = make_project()
    advance(project)
    project.refresh_from_db()
    assert project.advancing_until == theirs


def test_a_run_that_broke_frees_the_project(monkeypatch):
    def breaks(project):
        raise RuntimeError("the power went")

    meanwhile(monkeypatch, breaks)
    project = make_project()
    with pytest.raises(RuntimeError):
        advance(project)
    project.refresh_from_db()
    assert project.advancing_until is None
