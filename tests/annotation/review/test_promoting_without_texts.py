"""An outcome whose paragraphs can't be had now waits, and holds up nothing else."""

import pytest
from django.db import connection

from annotation.corpus.base import IndexFailed
from annotation.projects.models import Item
from annotation.review import actions
from annotation.review.actions import decide, promote
from annotation.review.models import Outcome
from tasks import registry
from tasks.base import SourceItem
from tests.factories import QUESTION, make_answered_item, make_outcome, make_project, make_stage, make_user

pytestmark = pytest.mark.django_db


class Corpus:
    """A search server that hangs until it is back, and counts who waited for it."""

    def __init__(self):
        self.is_back, self.asked, self.meanwhile = False, 0, lambda: None
        self.refusals = 0
        self.depth = len(connection.savepoint_ids)

    def quotes(self, stage, payload):
        if stage.name != "quoting":
            return payload
        self.asked += 1
        assert len(connection.savepoint_ids) == self.depth, "nothing is locked while the server is asked"
        self.meanwhile()
        if self.refusals:
            self.refusals -= 1
            raise IndexFailed("OpenSearch at localhost refused POST (400)")
        if not self.is_back:
            raise IndexFailed("OpenSearch at localhost can't be reached: ReadTimeout")
        return payload


@pytest.fixture
def corpus(monkeypatch):
    """Of four accepted outcomes every other one goes on to a stage that quotes."""
    project, corpus = make_project(), Corpus()
    make_stage(project, name="plain")
    make_stage(project, name="quoting", task_type="strategyqa.verifying")
    for number in range(4):
        answer = {"answers": ["gravity"], "category": "single"}
        item = make_answered_item(project, answer, key=f"{'quoting' if number % 2 else 'plain'}-{number}")
        make_outcome(item, {"question": "?", "answers": []}, state=Outcome.State.ACCEPTED)

    def promoting(stage, key, payload, outcome, settings, *, split):
        return [(key.partition("-")[0], SourceItem(f"{key}/1", QUESTION))] if stage == "direct_answer" else []

    monkeypatch.setattr(registry.pipeline("arc_da"), "promote", promoting)
    monkeypatch.setattr(actions, "with_quotes", corpus.quotes)
    monkeypatch.setattr(actions, "PROMOTION_BATCH", 2)
    corpus.project = project
    return corpus


def went_on() -> list[str]:
    return list(Item.objects.exclude(stage__name="direct_answer").order_by("key").values_list("key", flat=True))


def test_the_others_go_on_and_it_goes_on_when_the_index_is_back(corpus):
    assert promote(project=corpus.project) == 2
    assert went_on() == ["plain-0/1", "plain-2/1"]
    corpus.is_back = True
    assert promote(project=corpus.project) == 2
    assert promote(project=corpus.project) == 0
    assert went_on() == ["plain-0/1", "plain-2/1", "quoting-1/1", "quoting-3/1"]


def test_a_server_that_hangs_is_waited_for_once_in_a_run(corpus, monkeypatch):
    monkeypatch.setattr(actions, "PATIENCE", -1)
    promote(project=corpus.project)
    assert corpus.asked == 1
    promote(project=corpus.project)
    assert corpus.asked == 2


def test_one_whose_texts_the_server_refuses_holds_up_no_other(corpus):
    corpus.refusals, corpus.is_back = 1, True
    assert promote(project=corpus.project) == 3
    assert went_on() == ["plain-0/1", "plain-2/1", "quoting-3/1"]


def test_what_was_decided_anew_while_texts_were_fetched_goes_on_as_it_stands_in_the_next_run(corpus):
    corpus.is_back = True
    outcome, expert = Outcome.objects.get(item__key="quoting-1"), make_user(project=corpus.project)

    def decided():
        corpus.meanwhile = lambda: None
        decide(outcome=outcome, reviewer=expert, decision="reject", reason="too open", version=0)

    corpus.meanwhile = decided
    assert promote(project=corpus.project) == 3
    assert went_on() == ["plain-0/1", "plain-2/1", "quoting-3/1"]
    assert promote(project=corpus.project) == 0
