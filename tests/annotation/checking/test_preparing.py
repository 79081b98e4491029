"""What is worked out of an item once, in a job, and what stands in for it until then."""

import pytest

from annotation.checking import preparing
from annotation.checking.models import Preparation
from annotation.projects.models import Item
from tasks import registry
from tests.factories import make_item, make_project

pytestmark = pytest.mark.django_db
KIND = registry.task_type("r4c.derivation")
PAYLOAD = KIND.examples()[0].item


class Doc:
    """A text in which a model found nothing."""

    ents = noun_chunks = ()

    def __iter__(self):
        return iter(())


@pytest.fixture
def reads(monkeypatch):
    """The texts that the model was given."""
    texts = []

    def read(text):
        texts.append(text)
        return Doc()

    monkeypatch.setattr(preparing, "model", lambda: read)
    monkeypatch.setattr(preparing, "_kept", type(preparing._kept)())
    return texts


@pytest.fixture
def item():
    project = make_project("bells", stage={"name": "derivation", "task_type": "r4c.derivation"})
    return make_item(project, payload=PAYLOAD, state=Item.State.OFFERED)


def prepared(item):
    return preparing.prepared_for(KIND, item.pk, KIND.Item.model_validate(item.payload))


def test_an_item_on_offer_is_read_once(reads, item):
    assert preparing.prepare_due(seconds=60) == 1
    assert len(reads) == len(PAYLOAD["articles"])
    assert preparing.prepare_due(seconds=60) == 0
    assert len(reads) == len(PAYLOAD["articles"])
    assert prepared(item).with_model


def test_items_that_nobody_can_open_wait(reads, item):
    Item.objects.update(state=Item.State.OPEN)
    make_item(make_project(), state=Item.State.OFFERED)
    assert preparing.prepare_due(seconds=60) == 0
    assert reads == []


def test_a_worker_who_is_faster_than_the_job_gets_simple_phrases_and_is_told(reads, item):
    found = prepared(item)
    assert not found.with_model
    assert found.data["phrases"]
    assert reads == []
    assert not Preparation.objects.exists()


def test_what_was_made_without_a_model_is_made_again_once_there_is_one(reads, item, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr(preparing, "model", lambda: None)
        assert preparing.prepare_due(seconds=60) == 1
        assert not prepared(item).with_model
        assert preparing.prepare_due(seconds=60) == 0
    assert preparing.prepare_due(seconds=60) == 1
    assert Preparation.objects.get().method.startswith("phrases/1 ")
    assert reads


def test_no_model_is_no_error(settings, caplog):
    settings.LANGUAGE_MODEL = "no_such_model_anywhere"
    preparing.model.cache_clear()
    assert preparing.model() is None
    assert "no language model" in caplog.text
    preparing.model.cache_clear()
