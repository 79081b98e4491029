"""Projects and stages take what their rows can hold, and refuse the rest in words, in both databases alike."""

import threading

import pytest
from django.db import connections

from annotation.projects.actions import Refused, change_project, change_stage, create_project
from annotation.projects.models import Project
from tests.factories import make_project


def create(**fields) -> Project:
    return create_project(**{"pipeline": "arc_da", "name": "Forces", "slug": "forces"} | fields)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"slug": "x" * 61}, "slug: .*at most 60"),
        ({"slug": "two words"}, "slug: "),
        ({"slug": "new"}, "can't be called 'new'"),
        ({"name": "x" * 121}, "name: .*at most 120"),
        ({"name": ""}, "name: .*blank"),
        ({"contact": "x" * 201}, "contact: "),
        ({"wage_floor_cents": 2**31}, "wage floor cents must be between 0 and 1,000,000"),
        ({"wage_floor_cents": -1}, "wage floor cents"),
        ({"budget_cap_cents": 2**63}, "budget cap cents"),
        ({"budget_cap_cents": "much"}, "budget cap cents"),
    ],
)
def test_what_no_project_can_be_is_refused_with_its_field(fields, words) -> None:
    with pytest.raises(Refused, match=words):
        create(**fields)
    assert not Project.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"wage_floor_cents": 2**31}, {"name": "x" * 121}, {"budget_cap_cents": -1}])
def test_a_project_is_not_changed_into_what_none_can_be(fields) -> None:
    project = make_project()
    with pytest.raises(Refused):
        change_project(project=project, **fields)
    standing = Project.objects.get()
    assert all(getattr(standing, name) != value for name, value in fields.items())


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"review": "some"}, {"reward_cents": 2**31}, {"blind_share": 2}])
def test_a_stage_is_not_changed_into_what_none_can_be(fields) -> None:
    with pytest.raises(Refused):
        change_stage(stage=make_project().stages.get(), **fields)


@pytest.mark.django_db(transaction=True)
def test_two_who_take_the_same_short_name_at_once_make_one_project() -> None:
    barrier, refused = threading.Barrier(4), []

    def run() -> None:
        barrier.wait()
        try:
            create()
        except Refused as refusal:
            refused.append(str(refusal))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["there is a project 'forces' already"] * 3
    assert Project.objects.get().stages.count() == 1
