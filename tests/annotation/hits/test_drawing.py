"""What a task type draws for an item is drawn once, before the first worker, against what stands so far."""

import pytest

from annotation.hits.models import HIT
from annotation.hits.publishing import publish, quote, reopen_items
from annotation.projects.models import Item
from tests.factories import make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    project = make_project(
        wage_floor_cents=0,
        budget_cap_cents=1_000_000,
        release_key="always-the-same-draws",
        stage={"name": "question", "task_type": "strategyqa.question", "answers_per_item": 1, "items_per_hit": 1},
    )
    return project.stages.get()


def terms(stage, number, **payload):
    first = stage.items.count()
    return [
        make_item(stage.project, f"Term/{n}", payload={"term": f"Term {n}", **payload})
        for n in range(first, first + number)
    ]


def offer(stage):
    return publish(stage=stage, confirmed_cents=quote(stage).total_cents)


def drawn(stage):
    return dict(stage.items.order_by("id").values_list("pk", "payload__expected"))


def test_each_item_has_its_value_before_it_is_offered_and_the_values_even_out(stage):
    terms(stage, 40)
    offer(stage)
    values = list(drawn(stage).values())
    assert set(values) == {"yes", "no"}
    assert 12 <= values.count("yes") <= 28


def test_what_stands_so_far_weighs_on_the_draw(stage):
    for item in terms(stage, 60, expected="yes"):
        make_hit(stage.project, item)
    Item.objects.update(state=Item.State.ACCEPTED)
    fresh = terms(stage, 20)
    offer(stage)
    assert sum(drawn(stage)[item.pk] == "no" for item in fresh) >= 15


def test_rejected_items_weigh_nothing(stage):
    for item in terms(stage, 60, expected="yes"):
        make_hit(stage.project, item)
    Item.objects.update(state=Item.State.REJECTED)
    fresh = terms(stage, 20)
    offer(stage)
    assert 5 <= sum(drawn(stage)[item.pk] == "no" for item in fresh) <= 15


def test_a_value_from_the_source_file_stays(stage):
    terms(stage, 5, expected="no")
    offer(stage)
    assert set(drawn(stage).values()) == {"no"}


def test_an_item_that_is_offered_again_keeps_what_was_drawn(stage):
    terms(stage, 10)
    hits = offer(stage)
    before = drawn(stage)
    HIT.objects.update(state=HIT.State.CLOSED)
    reopen_items(hits=hits)
    offer(stage)
    assert drawn(stage) == before
