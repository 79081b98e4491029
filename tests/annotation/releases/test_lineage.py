"""Pipelines of several stages: a released item brings along what came before it."""

import pytest

from annotation.projects.models import Project
from annotation.releases import actions
from annotation.releases.snapshot import take
from annotation.review.models import Outcome
from tasks import registry
from tests.factories import make_answer, make_item, make_outcome, make_project, make_stage


def value(text: str) -> dict:
    return {"question": text, "answers": []}


def accept(item, text: str) -> Outcome:
    outcome = make_outcome(item, value(text), state="accepted")
    item.state = "accepted"
    item.save()
    return outcome


@pytest.fixture
def project(db) -> Project:
    """Two questions went on to a second stage, where one of them was accepted."""
    project = make_project("stages", stage={"name": "write"})
    second = make_stage(project, name="check")
    for name in ("one", "two"):
        source = make_item(project, name)
        make_answer(source, {"answers": [f"first of {name}"], "category": "single"})
        origin = accept(source, f"written {name}")
        promoted = make_item(project, f"{name}-q", stage=second, origin_id=origin.pk, payload={"question": name})
        make_answer(promoted, {"answers": [f"second of {name}"], "category": "many"})
        if name == "one":
            accept(promoted, f"checked {name}")
    return project


def test_an_accepted_item_brings_its_source_outcomes_and_judgements(project, tmp_path):
    [found] = take(project, tmp_path, tmp_path / "scratch").accepted
    assert found.key == "one-q"
    assert found.item["answer_key"] == "C", "not the source item's payload"
    assert found.outcomes == {"write": value("written one"), "check": value("checked one")}
    assert {stage: [given["answer"]["answers"] for given in said] for stage, said in found.judgements.items()} == {
        "write": [["first of one"]],
        "check": [["second of one"]],
    }


def test_raw_lines_tell_the_stages_apart(project, monkeypatch):
    arc = registry.pipeline("arc_da")
    monkeypatch.setattr(
        type(arc),
        "release_rows",
        lambda self, accepted, settings: {
            "train": [{"question_id": item.key, "tag": "x", "question": "?", "answers": []} for item in accepted]
        },
    )
    monkeypatch.setattr(type(arc), "statistics", lambda self, rows, accepted, settings: [])
    release = actions.build(project=project, created_by="user:1")
    assert release.counts["rows"] == 1
    assert release.counts["outcomes"] == 3
    assert release.counts["judgements"] == 3
