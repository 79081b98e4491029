"""Whose place is free where a question falls: its own term's, whatever other keys look like."""

from __future__ import annotations

import pytest

from annotation.projects.actions import create_project
from annotation.projects.models import Item, Project
from annotation.review.actions import replace_fallen
from tests.factories import make_item

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return create_project(pipeline="strategyqa", name="Places", slug="places", settings={"tries_per_term": 3})


def question(project: Project, key: str, term: str, **fields) -> Item:
    payload = {"term": term, "description": "", "expected": "yes"}
    return make_item(project, key, stage=project.stages.first(), payload=payload, split="", **fields)


def fallen(project: Project, key: str, term: str) -> Item:
    return question(project, key, term, state=Item.State.REJECTED, reason="solved: the solvers found the answer")


def successor_of(item: Item) -> str:
    replace_fallen(project=item.project)
    item.refresh_from_db()
    assert item.is_fall_handled
    return Item.objects.filter(replaces=item).values_list("key", flat=True).first() or ""


def test_questions_of_a_longer_term_do_not_count(project: Project) -> None:
    for number in range(1, 6):
        question(project, f"Face/Off/{number}", "Face/Off")
    assert successor_of(fallen(project, "Face/1", "Face")) == "Face/2"


def test_a_record_with_a_key_of_its_own_is_alone(project: Project) -> None:
    question(project, "batch1/q6", "Fir")
    assert successor_of(fallen(project, "batch1/q7", "Cactus")) == ""


def test_a_key_that_another_record_has_is_not_given_away(project: Project) -> None:
    question(project, "Face/2", "Fir")
    assert successor_of(fallen(project, "Face/1", "Face")) == "Face/3"


def test_a_term_has_no_more_tries_than_the_setting_says(project: Project) -> None:
    for key in ("Face/2", "Face/2~2"):
        question(project, key, "Face")
    assert successor_of(fallen(project, "Face/1", "Face")) == ""
