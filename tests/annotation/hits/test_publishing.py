"""Money has a ceiling and a floor, is shown first, and no item is offered twice."""

import threading

import pytest
from django.db import connections

from annotation.hits.models import HIT
from annotation.hits.publishing import publish, quote
from annotation.hits.queries import spending
from annotation.projects.actions import Refused, change_stage, pause_project, pause_stage
from annotation.projects.models import Item
from annotation.providers.models import Intent
from tests.factories import make_answer, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = make_project(budget_cap_cents=100_000, wage_floor_cents=0)
    for _ in range(12):
        make_item(project)
    return project


@pytest.fixture
def stage(project):
    return project.stages.get()


def test_a_quote_names_hits_assignments_reward_and_fee(stage) -> None:
    offer = quote(stage)

    # 12 items, five a HIT: three HITs of five assignments at $0.50 and a fifth of it in fees.
    assert (offer.items, offer.hits, offer.assignments) == (12, 3, 15)
    assert (offer.reward_cents, offer.fee_cents, offer.total_cents) == (750, 150, 900)
    assert offer.fits


def test_publishing_plans_each_item_once_with_a_token_before_any_call(stage) -> None:
    hits = publish(stage=stage, confirmed_cents=900)

    assert [hit.items.count() for hit in hits] == [5, 5, 2]
    assert set(Item.objects.values_list("state", flat=True)) == {Item.State.OFFERED}
    intents = Intent.objects.filter(kind="create_hit")
    assert {intent.state for intent in intents} == {Intent.State.PLANNED}
    assert len({intent.token for intent in intents}) == 3
    assert sum(intent.cents for intent in intents) == 900


def test_what_is_published_is_reserved(project, stage) -> None:
    publish(stage=stage, confirmed_cents=900)
    money = spending(project)
    assert (money.spent_cents, money.reserved_cents, money.free_cents) == (0, 900, 100_000 - 900)


def test_publishing_beyond_the_cap_is_refused_whole(project, stage) -> None:
    project.budget_cap_cents = 899
    project.save()

    with pytest.raises(Refused, match=r"budget cap of \$8.99 would be exceeded by \$0.01"):
        publish(stage=stage, confirmed_cents=900)
    assert not HIT.objects.exists()
    assert not Intent.objects.exists()


@pytest.mark.parametrize("confirmed", [0, 899, 901, 9, 90_000, -900])
def test_a_confirmed_sum_that_is_not_the_quote_publishes_nothing(stage, confirmed: int) -> None:
    with pytest.raises(Refused, match=r"\$9.00 now"):
        publish(stage=stage, confirmed_cents=confirmed)
    assert not HIT.objects.exists()


def test_pay_below_the_floor_needs_an_explicit_override(project, stage) -> None:
    # Five items at a minute each for $0.50: $6.00 an hour.
    project.wage_floor_cents = 1_000
    project.save()

    with pytest.raises(Refused, match=r"\$6.00 an hour, below the project's floor of \$10.00"):
        publish(stage=stage, confirmed_cents=900)
    assert publish(stage=stage, confirmed_cents=900, below_floor_ok=True)


def test_a_second_publish_finds_nothing_to_offer(stage) -> None:
    publish(stage=stage, confirmed_cents=900)
    with pytest.raises(Refused, match="no item of this stage is open"):
        publish(stage=stage, confirmed_cents=900)


def test_paused_stages_and_projects_publish_nothing(project, stage) -> None:
    pause_stage(stage=stage)
    with pytest.raises(Refused, match="the stage is paused"):
        publish(stage=stage, confirmed_cents=900)
    pause_project(project=project)
    with pytest.raises(Refused, match="the project is paused"):
        publish(stage=stage, confirmed_cents=900)


def test_ten_or_more_answers_are_split_into_hits_below_the_higher_fee(stage) -> None:
    change_stage(stage=stage, answers_per_item=12, items_per_hit=12)
    offer = quote(stage)
    assert [planned.max_assignments for planned in offer.planned] == [6, 6]
    assert offer.fee_cents == 12 * 10


def test_unfinished_items_want_only_the_answers_that_are_missing(project, stage) -> None:
    items = list(project.items.order_by("id"))
    for _ in range(3):
        make_answer(items[0], {"answers": ["gas"], "category": "1"})
    assert [(p.max_assignments, len(p.item_ids)) for p in quote(stage).planned] == [(5, 5), (5, 5), (5, 1), (2, 1)]
    assert [planned.item_ids for planned in quote(stage, only_unfinished=True).planned] == [(items[0].pk,)]


def test_a_limit_publishes_the_first_items_only(stage) -> None:
    offer = quote(stage, limit=5)
    assert (offer.items, offer.hits) == (5, 1)
    assert len(publish(stage=stage, limit=5, confirmed_cents=offer.total_cents)) == 1


@pytest.mark.django_db(transaction=True)
def test_ten_publishers_at_once_publish_once(stage) -> None:
    barrier, outcomes = threading.Barrier(10), []

    def run() -> None:
        barrier.wait()
        try:
            outcomes.append(len(publish(stage=stage, confirmed_cents=900)))
        except Refused as refusal:
            outcomes.append(str(refusal))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(map(str, outcomes))[0] == "3"
    assert len(outcomes) == 10
    assert HIT.objects.count() == 3
