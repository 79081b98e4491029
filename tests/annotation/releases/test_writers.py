"""A split by writers where several people were asked for one question: who wrote the one that is released counts."""

from __future__ import annotations

import json

import pytest

from annotation.projects.actions import create_project
from annotation.projects.models import Item, Project
from annotation.releases.actions import build
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import open_folder
from annotation.review.actions import promote, settle
from annotation.review.models import Outcome
from annotation.workers.models import Worker
from tests.factories import make_answer, make_item, make_worker

pytestmark = pytest.mark.django_db

STEPS = {"steps": [{"text": "How old is it?"}, {"text": "Is #1 much?"}]}
OPERATION = {"is_operation": True}
EVIDENCE = {"matched": [OPERATION, OPERATION]}


@pytest.fixture
def project() -> Project:
    """Three questions: for two of them both people were asked, and each was first once."""
    project = create_project(
        pipeline="strategyqa",
        name="Writers",
        slug="writers",
        settings={"test_questions": 1, "others_only": False, "verification_share": 0},
    )
    project.stages.filter(position=0).update(settings={"groups": []})
    ann, bob = make_worker(), make_worker()
    for number, order in enumerate([(ann, bob), (bob, ann), (bob,)], 1):
        payload = {"term": "Cactus", "description": "", "expected": "yes"}
        item = make_item(project, f"Cactus/{number}", stage=project.stages.first(), payload=payload, split="")
        for worker in order:
            say(item, {"question": f"Is it by {name_of(worker, ann)}?", "facts": ["One.", "Two."]}, worker)
    settle(project=project)
    for answer in (STEPS, EVIDENCE):
        promote(project=project)
        for item in Item.objects.filter(project=project, state=Item.State.OPEN):
            say(item, answer, make_worker())
        settle(project=project)
    return project


def name_of(worker: Worker, ann: Worker) -> str:
    return "ann" if worker == ann else "bob"


def say(item: Item, data: dict, worker: Worker) -> None:
    make_answer(item, data, worker=worker)
    Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)


def questions(project: Project) -> dict[str, list[str]]:
    folder = open_folder(build(project=project, created_by="test").location)
    found = {}
    for split in ("train", "test"):
        with folder.open(f"data/{split}.jsonl") as lines:
            found[split] = [json.loads(line)["question"] for line in lines]
    return found


def test_whose_question_was_not_taken_did_not_write_it(project: Project) -> None:
    assert questions(project) == {"train": ["Is it by bob?", "Is it by bob?"], "test": ["Is it by ann?"]}


def test_where_nobody_knows_whose_was_taken_the_release_is_refused_with_the_reason(project: Project) -> None:
    Outcome.objects.update(details={})
    with pytest.raises(ReleaseRefused, match="no writer in both train and test set"):
        build(project=project, created_by="test")
