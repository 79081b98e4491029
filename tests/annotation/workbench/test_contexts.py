"""The signed context: nothing is saved, checked or handed over without it, and it opens one assignment only."""

import time

import pytest

from annotation.hits.models import Assignment
from annotation.workbench import contexts
from tests.annotation.workbench.conftest import Page, answers_to
from tests.factories import make_hit


@pytest.fixture
def later(monkeypatch):
    """Lets a day and two hours pass for contexts."""

    def pass_by():
        now = time.time()
        monkeypatch.setattr(contexts.time, "time", lambda: now + 26 * 3600)

    return pass_by


def attempts(page, hit, context):
    """Every way to write, with this context."""
    yield page.save({}, context=context)
    yield page.client.get(f"/t/{hit.token}/findings", headers={"X-Context": context})
    yield page.client.post(f"/t/{hit.token}/", {"context": context, **answers_to(hit)})
    yield page.client.post(page.address, answers_to(hit), headers={"X-Context": context, "Accept": "application/json"})


@pytest.mark.parametrize(
    "spoil", [lambda c: "", lambda c: c[:-1], lambda c: "1" + c, lambda c: c.replace("own", "own2")]
)
def test_a_missing_or_forged_context_opens_nothing(page, hit, spoil):
    page.open()
    for response in attempts(page, hit, spoil(page.context)):
        assert response.status_code == 403
    assert page.assignment.state == "open"
    assert page.assignment.draft_revision == 0


def test_a_context_of_another_hit_opens_nothing(page, hit):
    other = Page(make_hit(hit.project, *hit.items.all()), assignment_id="3OTHER")
    other.open()
    page.open()
    for response in attempts(page, hit, other.context):
        assert response.status_code == 403


def test_another_worker_on_the_same_assignment_sees_and_touches_only_their_own(page, hit):
    page.open()
    item = hit.items.first().pk
    page.save({f"{item}.answers": ["mine alone"]})
    other = Page(hit, worker_id="AOTHER")
    assert b"mine alone" not in other.open().content
    other.save({f"{item}.answers": ["theirs"]})
    assert page.assignment.draft[f"{item}.answers"] == ["mine alone"]


def test_an_expired_context_is_renewed_for_the_true_triple_only(page, hit, later):
    page.open()
    later()
    assert page.save({}).json()["problem"] == "context"
    renewed = page.client.get(f"/t/{hit.token}/context{page.address[page.address.index('?') :]}")
    assert page.save({}, context=renewed.json()["context"]).status_code == 200
    for wrong in (page.address.replace("AWORKER1", "AWORKER2"), page.address.replace("3ASSIGNMENT1", "3ASSIGNMENT2")):
        response = page.client.get(f"/t/{hit.token}/context{wrong[wrong.index('?') :]}")
        assert response.status_code == 403
    assert Assignment.objects.count() == 1


def test_a_plain_form_with_an_expired_context_comes_back_with_its_words(page, hit, later):
    page.open()
    later()
    response = page.submit(answers_to(hit, "the force of gravity"))
    assert response.status_code == 403
    assert b"hand in once more" in response.content
    assert response.content.count(b'value="the force of gravity"') == 5
    page.context = response.content.decode().split('name="context" value="')[1].split('"')[0]
    assert page.submit(answers_to(hit, "the force of gravity")).status_code == 200


def test_a_foreign_site_s_form_is_refused_without_the_field(page, hit):
    page.open()
    response = page.client.post(
        f"/t/{hit.token}/",
        answers_to(hit),
        headers={"Origin": "https://evil.example", "Referer": "https://evil.example/"},
    )
    assert response.status_code == 403
    assert page.assignment.state == "open"
