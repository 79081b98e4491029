"""A task type that wants more answers of an item before anything is decided."""

import dataclasses

import pytest

from annotation.projects.models import Item
from annotation.review.actions import settle
from annotation.review.models import Outcome
from tasks import registry
from tests.factories import make_answer, make_answered_item, make_project

pytestmark = pytest.mark.django_db
GRAVITY = {"answers": ["gravity"], "category": "single"}


@pytest.fixture
def _wants_four(monkeypatch):
    kind = registry.task_type("arc_da.direct_answer")
    whole = kind.aggregate

    def aggregate(item, judgements, settings):
        return dataclasses.replace(whole(item, judgements, settings), more_answers=max(0, 4 - len(judgements)))

    monkeypatch.setattr(kind, "aggregate", aggregate)


@pytest.mark.usefixtures("_wants_four")
def test_an_item_is_offered_again_for_what_is_missing():
    project = make_project(stage={"answers_per_item": 2})
    item = make_answered_item(project, GRAVITY, GRAVITY)
    settle(project=project)
    item.refresh_from_db()
    assert (item.state, item.extra_answers) == (Item.State.OPEN, 2)
    assert not Outcome.objects.exists()

    for _ in range(2):
        make_answer(item, GRAVITY)
    Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)
    settle(project=project)
    assert Outcome.objects.get().item == item
