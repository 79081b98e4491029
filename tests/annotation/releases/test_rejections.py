"""A pipeline that releases what it rejected, beside what it accepted."""

from __future__ import annotations

import json

import pytest

from annotation.projects.actions import create_project
from annotation.projects.models import Item
from annotation.releases.actions import build
from annotation.releases.storage import open_folder
from annotation.review.actions import promote, settle
from tasks import registry
from tests.annotation.review.small_pipeline import install
from tests.factories import make_answer, make_item

pytestmark = pytest.mark.django_db


def test_rejected_items_of_the_named_stage_become_rows_of_their_own(monkeypatch):
    install(monkeypatch)
    small = registry.pipeline("small")
    small.released, small.released_rejections = "writing", "writing"
    seen = []

    def rejected_rows(rejected, accepted, settings):
        seen.extend(rejected)
        return {"filtered": [{"thing": one.key, "idea": one.code} for one in seen], "train": []}

    monkeypatch.setattr(small, "rejected_rows", rejected_rows, raising=False)
    monkeypatch.setattr(
        small, "release_rows", lambda accepted, settings: {"test": [{"thing": one.key} for one in accepted]}
    )
    monkeypatch.setattr(small, "licence", "CC0-1.0")
    project = create_project(pipeline="small", name="Small", slug="small")
    for key, idea in (("spoon/1", "dig"), ("fork/1", "")):
        item = make_item(project, key, stage=project.stages.first(), payload={"thing": key, "idea": ""})
        make_answer(item, {"idea": idea})
        Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)
    settle(project=project)
    promote(project=project)
    folder = open_folder(build(project=project, created_by="test").location)
    with folder.open("data/filtered.jsonl") as lines:
        assert [json.loads(line) for line in lines] == [{"thing": "fork/1", "idea": "empty"}]
    (one,) = seen
    assert (one.value, one.judgements[0]["answer"]) == ({"idea": ""}, {"idea": ""})
