"""An item that quotes paragraphs gets their texts from the project's corpus when it comes into being."""

import json
import shutil

import pytest

from annotation.corpus.actions import import_corpus
from annotation.corpus.base import IndexMissing
from annotation.projects.actions import use_corpus
from annotation.projects.items import add_item, add_successor
from annotation.projects.models import Item
from tasks import registry
from tasks.base import SourceItem
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.factories import make_project

pytestmark = pytest.mark.django_db
KIND = registry.task_type("strategyqa.verifying")
NOTHING = {"paragraphs": None, "is_operation": True, "lacks_evidence": False}


@pytest.fixture
def project(settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    source = tmp_path / "mills.jsonl"
    source.write_text("".join(json.dumps(each._asdict()) + "\n" for each in PARAGRAPHS))
    project = make_project("mills", stage={"name": "verification", "task_type": KIND.name})
    use_corpus(project=project, corpus=import_corpus(name="mills", paths=[source]).corpus)
    return project


@pytest.fixture
def source():
    """An item as a pipeline promotes it: paragraphs by their ids, one of them unknown."""
    found = {"paragraphs": ["Red Mill-3", "Blue Mill-1"], "is_operation": False, "lacks_evidence": False}
    steps = [{"text": "Who made the clock of the Red Mill?"}, {"text": "Was #1 a clockmaker?"}]
    payload = {"term": "Red Mill", "question": "Did a clockmaker work there?", "answer": True, "steps": steps}
    return SourceItem("Red Mill/1", payload | {"matched": [found, NOTHING]}, split="train")


def test_the_texts_are_copied_and_what_the_corpus_lacks_is_left_out(project, source):
    item = add_item(stage=project.stages.get(), source=source, origin_id=1)
    quoted = KIND.Item.model_validate(item.payload).quoted
    assert list(quoted) == ["Red Mill-3"]
    assert (quoted["Red Mill-3"].title, quoted["Red Mill-3"].section) == ("Red Mill", "The clock")
    assert quoted["Red Mill-3"].text.startswith("A clock in the gable, made by Otto Fenn")


def test_they_stay_when_the_corpus_goes_and_the_same_item_again_changes_nothing(project, source):
    stage = project.stages.get()
    item = add_item(stage=stage, source=source)
    use_corpus(project=project, corpus=None)
    assert add_item(stage=stage, source=source).payload == item.payload
    assert add_successor(of=item, source=SourceItem("Red Mill/1~2", source.payload)).payload["quoted"] == {}


def test_without_the_index_no_item_comes_into_being(project, source, settings, tmp_path):
    shutil.rmtree(tmp_path / "corpora")
    with pytest.raises(IndexMissing):
        add_item(stage=project.stages.get(), source=source)
    assert not Item.objects.exists()


def test_other_items_ask_no_corpus(project, source):
    stage = project.stages.get()
    stage.task_type = "arc_da.direct_answer"
    assert add_item(stage=stage, source=source).payload == source.payload
