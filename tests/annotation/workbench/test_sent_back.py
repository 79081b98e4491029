"""Work that went back to its author: the page says why, and holds what they wrote. Nobody else gets the form."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.projects.items import add_successor
from annotation.projects.models import Item
from annotation.review.models import Feedback
from tasks.base import SourceItem
from tests.factories import make_answer, make_hit, make_item, make_project, make_worker

pytestmark = pytest.mark.django_db
GRAVITY = {"answers": ["gravity, mostly"], "category": "single"}


@pytest.fixture
def author():
    return make_worker()


@pytest.fixture
def hit(author):
    project = make_project("forces")
    item = make_item(project, "q/1", state=Item.State.REJECTED)
    answer = make_answer(item, GRAVITY, worker=author)
    later = make_item(project, "later")
    again = add_successor(of=item, source=SourceItem("q/1~2", item.payload), reserved_for=[answer.pk])
    Feedback.objects.create(
        project=project,
        item=later,
        about=item,
        kind="answer_incorrect",
        reason="It is <not> gravity.",
        answers=[1],
        asked=1,
        state="done",
        effect="author",
        successor=again,
    )
    return make_hit(project, again)


def opened(hit, provider_id):
    query = {"assignmentId": "ONE", "hitId": hit.remote_id, "workerId": provider_id}
    return Client().get(f"/t/{hit.token}/", query)


def test_the_author_reads_why_and_goes_on_from_their_own_words(hit, author):
    html = opened(hit, author.identity.provider_id).content.decode()
    assert "You did this before, and it came back." in html
    assert "answer incorrect" in html
    assert "It is &lt;not&gt; gravity." in html
    assert "gravity, mostly" in html


def test_anybody_else_is_asked_to_return_it(hit):
    answer = opened(hit, make_worker().identity.provider_id)
    assert answer.status_code == 403
    html = answer.content.decode()
    assert "This HIT is for somebody else" in html
    assert "gravity, mostly" not in html


def test_who_was_never_met_before_is_asked_as_well_and_leaves_no_row(hit):
    assert opened(hit, "ANOBODYKNOWN1").status_code == 403
    assert not hit.assignments.exists()


def test_the_preview_shows_neither_reason_nor_words(hit):
    html = Client().get(f"/t/{hit.token}/", {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}).content.decode()
    assert "gravity, mostly" not in html
    assert "came back" not in html
