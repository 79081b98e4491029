"""A stage's page tells how its solvers do, what waits for them, and why a training failed."""

import pytest
from django.utils import timezone

from annotation.hits.models import Assignment
from annotation.solving.models import Attempt, Challenge, SolverVersion
from tests.factories import make_assignment, make_hit, make_item, make_project, make_user

PLACE = "/projects/mills/stages/question/"


@pytest.fixture
def stage(db):
    project = make_project("mills", stage={"name": "question", "task_type": "strategyqa.question"})
    return project.stages.get()


@pytest.fixture
def page(client, stage):
    client.force_login(make_user(project=stage.project, role="researcher"))

    def shown() -> str:
        return client.get(PLACE).content.decode()

    return shown


def challenge(stage, state, **fields):
    item = make_item(stage.project, payload={"term": "Mill", "expected": "yes"})
    assignment = make_assignment(make_hit(stage.project, item), state=Assignment.State.APPROVED)
    return Challenge.objects.create(
        assignment=assignment, item=item, text="Is it?", text_hash="x", right="yes", state=state, **fields
    )


def test_it_shows_each_group_with_its_rule_and_how_often_its_solvers_were_right(stage, page):
    solved = challenge(stage, "solved")
    Attempt.objects.create(challenge=solved, solver="PTD/words", version="0", answer="yes", score=0.75, is_right=True)
    shown = page()
    assert "Rejects when 4 of 5 are right." in shown
    assert "Rejects when 3 of 3 are right." in shown
    assert "right in 100% of 1" in shown
    assert shown.count("not asked yet") == 7


def test_questions_that_are_held_stand_out(stage, page):
    assert "for the solvers</strong>" not in page()
    challenge(stage, "waiting", is_handed_in=True)
    assert "1 question waits" in page()


def test_a_training_that_failed_says_why(stage, page):
    SolverVersion.objects.create(
        stage=stage, solver="FNTD/words", number=1, state="failed", error="no room left", finished_at=timezone.now()
    )
    assert "training failed" in page() and "no room left" in page()


def test_the_learning_solvers_can_be_trained_by_hand(stage, client, page):
    page()
    response = client.post(f"{PLACE}state/", {"to": "train"}, follow=True)
    assert "The training of 3 solvers is ordered." in response.content.decode()
    assert "being trained" in page()


def test_without_solvers_there_is_no_such_part(stage, page):
    stage.settings = {"groups": []}
    stage.save()
    assert "Train the learning solvers" not in page()
