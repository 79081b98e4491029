"""An outcome whose paragraphs can't be had now waits, and holds up nothing else."""

import pytest

from annotation.corpus.base import IndexMissing
from annotation.projects.models import Item
from annotation.review import actions
from annotation.review.actions import promote
from annotation.review.models import Outcome
from tasks import registry
from tasks.base import SourceItem
from tests.factories import QUESTION, make_answered_item, make_outcome, make_project, make_stage

pytestmark = pytest.mark.django_db


def test_the_others_go_on_and_it_goes_on_when_the_index_is_back(monkeypatch):
    project = make_project()
    make_stage(project, name="later")
    for _ in range(3):
        item = make_answered_item(project, {"answers": ["gravity"], "category": "single"})
        make_outcome(item, {"question": "?", "answers": []}, state=Outcome.State.ACCEPTED)
    lost = Item.objects.filter(project=project).order_by("id").first().key

    def promoting(stage, key, payload, outcome, settings, *, split):
        return [("later", SourceItem(f"{key}/1", QUESTION))] if stage != "later" else []

    def adding(*, stage, source, origin_id):
        found = real(stage=stage, source=source, origin_id=origin_id)
        if source.key.startswith(lost) and is_gone:
            raise IndexMissing("the index of corpus wiki is gone")
        return found

    real, is_gone = actions.add_item, True
    monkeypatch.setattr(registry.pipeline("arc_da"), "promote", promoting)
    monkeypatch.setattr(actions, "add_item", adding)
    monkeypatch.setattr(actions, "PROMOTION_BATCH", 2)

    assert promote(project=project) == 2
    assert Item.objects.filter(stage__name="later").count() == 2, "nothing half made"
    is_gone = False
    assert promote(project=project) == 1
    assert promote(project=project) == 0
    assert Item.objects.filter(stage__name="later").count() == 3
