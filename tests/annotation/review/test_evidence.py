"""Matchers' evidence as experts and researchers read it: by step, with the texts of the project's corpus."""

import json

import pytest
from django.urls import reverse

from annotation.corpus import backends
from annotation.corpus.actions import import_corpus
from annotation.corpus.base import IndexFailed
from annotation.desk.showing import answer
from annotation.projects.actions import use_corpus
from annotation.review.actions import settle
from annotation.review.evidence import by_step
from annotation.review.models import Outcome
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.factories import make_answered_item, make_project, make_user

STEPS = ["What is a red mill?", "Is #1 red?"]
PAYLOAD = {
    "term": "Mill",
    "question": "Is a red mill red?",
    "answer": True,
    "steps": [{"text": text, "page": ""} for text in STEPS],
}
CLOCK, CHURCH = "Red Mill-3", "Red Mill-1"
CLOCK_TEXT = next(paragraph.text for paragraph in PARAGRAPHS if paragraph.id == CLOCK)


def step(*paragraphs, operation=False, lacks=False):
    return {"paragraphs": list(paragraphs) or None, "is_operation": operation, "lacks_evidence": lacks}


ONE = [step(CLOCK, CHURCH), step(operation=True)]
OTHER = [step(CLOCK, lacks=True), step(lacks=True)]
THIRD = [step("Nowhere-1", CLOCK)]


@pytest.fixture
def project(db, settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    source = tmp_path / "mills.jsonl"
    source.write_text("".join(json.dumps(each._asdict()) + "\n" for each in PARAGRAPHS))
    made = make_project(
        "mills", pipeline="r4c", stage={"name": "evidence", "task_type": "strategyqa.matching", "blind_share": 0}
    )
    use_corpus(project=made, corpus=import_corpus(name="mills", paths=[source]).corpus)
    return made


def test_each_paragraph_stands_once_with_its_finders_the_most_agreed_first(project):
    first, last = by_step([("a", ONE), ("b", OTHER), ("c", THIRD)], STEPS, project)
    assert [(each.id, each.finders) for each in first.paragraphs] == [
        (CLOCK, ["a", "b", "c"]),
        (CHURCH, ["a"]),
        ("Nowhere-1", ["c"]),
    ]
    assert (first.paragraphs[0].title, first.paragraphs[0].text) == ("Red Mill", CLOCK_TEXT)
    assert (first.paragraphs[2].title, first.paragraphs[2].text) == ("Nowhere", "")
    assert first.marks == [("only partial evidence", ["b"])]
    assert last.marks == [("operation", ["a"]), ("no evidence", ["b"])]


def test_the_ids_stay_readable_where_the_corpus_does_not_answer(project, monkeypatch):
    def fails(**named):
        raise IndexFailed("away")

    monkeypatch.setattr(backends, "opened", fails)
    found = by_step([("a", ONE)], STEPS, project)
    assert [(each.id, each.text) for each in found[0].paragraphs] == [(CLOCK, ""), (CHURCH, "")]


def test_experts_read_it_beside_the_steps_under_pseudonyms(project, client):
    make_answered_item(project, {"matched": ONE}, {"matched": OTHER}, payload=PAYLOAD)
    settle(project=project)
    client.force_login(make_user("expert", project=project, role="reviewer"))
    page = client.get(reverse("admin:review_outcome_change", args=[Outcome.objects.get().pk])).content.decode()
    assert CLOCK_TEXT[:40] in page
    assert "2 × " in page
    assert "operation ×1" in page
    assert "#1: Red Mill-3; only partial evidence" in page


def test_researchers_read_it_on_the_item_s_page(project):
    item = make_answered_item(project, {"matched": ONE}, payload=PAYLOAD)
    shown = answer(item, {"matched": ONE, "flags": []})
    assert CLOCK_TEXT[:40] in shown
    assert "What is a red mill?" in shown
    assert "operation" in shown
    evidence = {"evidence": [{"from_answers": [1], "matched": ONE}, {"from_answers": [2], "matched": OTHER}]}
    assert "matcher 1, matcher 2" in answer(item, evidence)
