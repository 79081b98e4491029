"""An answer that was rejected after its item had settled is in no outcome any more, unless an expert decided."""

import pytest

from annotation.hits.collecting import count_answers
from annotation.hits.models import Assignment
from annotation.projects.models import Item
from annotation.review.actions import decide, settle
from annotation.review.models import Outcome
from tests.annotation.review.conftest import GRAVITY, SAME
from tests.factories import make_answered_item, make_project


def reject(item: Item) -> None:
    """The newest of an item's answers, on the marketplace's own page."""
    assignment = Assignment.objects.filter(answers__item=item).order_by("-pk").first()
    assignment.state = Assignment.State.REJECTED
    assignment.save()
    count_answers(assignment=assignment)


def settled(review: str, wanted: int) -> tuple:
    project = make_project(stage={"review": review, "answers_per_item": wanted})
    item = make_answered_item(project, GRAVITY, SAME, SAME)
    settle(project=project)
    item.refresh_from_db()
    return project, item


@pytest.mark.django_db
@pytest.mark.parametrize(("review", "stands"), [("all", "settled"), ("none", "accepted")])
def test_with_enough_answers_left_it_is_added_up_anew(review, stands):
    project, item = settled(review, 2)
    assert item.state == stands
    reject(item)

    settle(project=project)

    item.refresh_from_db()
    outcome = Outcome.objects.get()
    assert (item.state, outcome.version) == (stands, 1)
    assert outcome.contributors == list(item.answers.filter(counts=True).values_list("pk", flat=True))


@pytest.mark.django_db
@pytest.mark.parametrize("review", ["all", "none"])
def test_with_too_few_left_workers_get_it_once_more(review):
    project, item = settled(review, 3)
    reject(item)

    settle(project=project)

    item.refresh_from_db()
    assert item.state == "open"
    assert not Outcome.objects.exists()


def test_an_expert_s_decision_stands(project, answered, expert):
    item = answered()
    settle(project=project)
    decide(outcome=Outcome.objects.get(), reviewer=expert, decision="accept", version=0)
    before = Outcome.objects.get().contributors
    reject(item)

    settle(project=project)

    item.refresh_from_db()
    assert (item.state, Outcome.objects.get().contributors) == ("accepted", before)
