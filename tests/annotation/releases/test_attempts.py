"""Where solvers were asked, a release says what each answered to each question; elsewhere there is no such file."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotation.hits.models import Answer
from annotation.releases import actions
from annotation.releases.verification import verify
from annotation.solving.models import Attempt, Challenge
from tests.annotation.releases.conftest import lines
from tests.factories import make_assignment, make_hit


def challenge(assignment, item, text, verdict, is_handed_in=False):
    made = Challenge.objects.create(
        assignment=assignment,
        item=item,
        text=text,
        text_hash=text,
        right="yes",
        state=verdict,
        is_handed_in=is_handed_in,
        judged_at=timezone.now(),
    )
    for solver, answer in (("PTD/words", "no"), ("FNTD/words", "yes" if verdict == "solved" else "")):
        Attempt.objects.create(
            challenge=made, solver=solver, version="3+17", answer=answer, score=0.75, is_right=answer == "yes"
        )


@pytest.fixture
def challenged(project):
    """A worker of an accepted item tried one question and handed in another; somebody else went away again."""
    answer = Answer.objects.filter(item__state="accepted").select_related("assignment", "item").order_by("pk").first()
    challenge(answer.assignment, answer.item, "Is it easy?", "solved")
    challenge(answer.assignment, answer.item, "Is it hard?", "holds", is_handed_in=True)
    gone = make_assignment(make_hit(project, answer.item), state="open")
    challenge(gone, answer.item, "Is it mine?", "solved")
    return answer


def test_every_attempt_of_work_that_came_in_is_a_line(project, challenged, tmp_path):
    release = actions.build(project=project, created_by="user:1")
    assert verify(release.location) == []
    found = list(lines(tmp_path / "releases" / project.slug / release.version / "raw" / "attempts.jsonl"))
    assert [(row["try"], row["text"], row["solver"], row["verdict"], row["is_handed_in"]) for row in found] == [
        (1, "Is it easy?", "FNTD/words", "solved", False),
        (1, "Is it easy?", "PTD/words", "solved", False),
        (2, "Is it hard?", "FNTD/words", "holds", True),
        (2, "Is it hard?", "PTD/words", "holds", True),
    ]
    assert {row["item"] for row in found} == {challenged.item.key}
    assert found[0] | {"worker": ""} == {
        "item": challenged.item.key,
        "split": challenged.item.split,
        "stage": challenged.item.stage.name,
        "worker": "",
        "try": 1,
        "text": "Is it easy?",
        "right": "yes",
        "verdict": "solved",
        "is_handed_in": False,
        "solver": "FNTD/words",
        "version": "3+17",
        "answer": "yes",
        "score": 0.75,
        "is_right": True,
    }


def test_the_card_names_the_file_only_where_there_is_one(project, challenged, tmp_path):
    with_attempts = actions.build(project=project, created_by="user:1")
    folder = tmp_path / "releases" / project.slug
    assert "raw/attempts.jsonl" in (folder / with_attempts.version / "README.md").read_text()
    Challenge.objects.all().delete()
    without = actions.build(project=project, created_by="user:1")
    assert "attempts" not in (folder / without.version / "README.md").read_text()
    assert not (folder / without.version / "raw" / "attempts.jsonl").exists()
    assert not (folder / without.version / "schema" / "attempts.json").exists()
