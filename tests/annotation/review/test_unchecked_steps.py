"""Steps of a decomposer who calls the answer incorrect: nothing was asked of them, so nothing comes of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from annotation.projects.actions import create_project
from annotation.projects.models import Item, Project
from annotation.review.actions import decide, heed, promote, settle
from annotation.review.models import Outcome
from tests.factories import make_answer, make_item, make_user

pytestmark = pytest.mark.django_db

UNSOUND = {
    "steps": [{"text": "What is #3?", "page": ""}],
    "flags": ["answer_incorrect"],
    "reason": "It never was.",
}


@pytest.fixture
def objected() -> Callable[[str], Project]:
    """A question whose decomposer objected, under a rule for such words."""

    def make(effect: str) -> Project:
        project = create_project(
            pipeline="strategyqa", name="Steps", slug="steps", settings={"answer_incorrect": effect}
        )
        project.stages.filter(name="question").update(settings={"groups": []})
        payload = {"term": "Cactus", "description": "", "expected": "yes"}
        item = make_item(project, "Cactus/1", stage=project.stages.first(), payload=payload)
        answered(item, {"question": "Is it old?", "facts": ["One.", "Two."]})
        answered(item_of(project, "decomposition", "Cactus/1"), UNSOUND)
        return project

    return make


def answered(item: Item, data: dict) -> None:
    make_answer(item, data)
    Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)
    settle(project=item.project)
    heed(project=item.project)
    promote(project=item.project)


def item_of(project: Project, stage: str, key: str) -> Item:
    return Item.objects.get(project=project, stage__name=stage, key=key)


def test_they_are_rejected_with_a_code_where_the_question_is_kept(objected):
    project = objected("keep")
    steps = item_of(project, "decomposition", "Cactus/1")
    assert (steps.state, steps.reason) == (Item.State.REJECTED, "answer_incorrect: It never was.")
    assert item_of(project, "question", "Cactus/1").state == Item.State.ACCEPTED
    assert not project.items.filter(stage__name="evidence").exists()


def test_a_question_that_an_expert_keeps_is_decomposed_anew(objected):
    project = objected("expert")
    question = Outcome.objects.get(item__key="Cactus/1", stage__name="question")
    assert question.state == Outcome.State.PENDING
    reviewer = make_user(project=project)
    decide(outcome=question, reviewer=reviewer, decision="accept", version=question.version, confirmed=True)
    promote(project=project)
    anew = item_of(project, "decomposition", "Cactus/1~2")
    assert (anew.state, anew.replaces.key) == (Item.State.OPEN, "Cactus/1")
