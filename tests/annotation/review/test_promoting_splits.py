"""What goes on to a later stage stays in its split, and remembers whose answers it was made of."""

import pytest

from annotation.projects.models import Item
from annotation.review.actions import promote
from annotation.review.models import Outcome
from tasks import registry
from tasks.base import SourceItem
from tests.factories import QUESTION, make_answered_item, make_outcome, make_project, make_stage

pytestmark = pytest.mark.django_db


def test_a_promoted_item_keeps_its_split_and_its_makers(monkeypatch):
    project = make_project()
    make_stage(project, name="later")
    item = make_answered_item(project, {"answers": ["gravity"], "category": "single"}, split="dev")
    answer = item.answers.get()
    make_outcome(item, {"question": "?", "answers": []}, state=Outcome.State.ACCEPTED)
    told = []

    def promoting(stage, key, payload, outcome, settings, *, split):
        told.append(split)
        return [("later", SourceItem(f"{key}/1", QUESTION, from_answers=(answer.pk,)))] if stage != "later" else []

    monkeypatch.setattr(registry.pipeline("arc_da"), "promote", promoting)
    assert promote(project=project) == 1
    later = Item.objects.get(stage__name="later")
    assert told == ["dev"]
    assert (later.split, later.origin_answers) == ("dev", [answer.pk])
