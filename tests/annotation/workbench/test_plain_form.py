"""Without script the page is a form: words come back with what to fix, then the receipt goes to the marketplace."""

import json
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.utils import timezone

from annotation.checking.models import CheckResult
from annotation.events.models import Event
from annotation.hits.models import Answer, Assignment
from tests.annotation.workbench.conftest import HOST, answers_to


def soup(response):
    return BeautifulSoup(response.content, "html.parser")


@pytest.fixture
def item(hit):
    return hit.items.first().pk


def test_what_blocks_sends_the_page_back_with_every_word(page, hit, item):
    page.open()
    form = {f"{item}.answers": 'gravity; "weight" <b>', f"{item}.category": "nonsense", "comment": "Odd & old"}
    response = page.submit(form)
    assert response.status_code == 422
    back = soup(response)
    assert back.find("input", {"name": f"{item}.answers"})["value"] == form[f"{item}.answers"]
    assert back.find("input", {"name": f"{item}.category", "checked": True})["value"] == "nonsense"
    assert back.find("textarea", {"name": "comment"}).text == "Odd & old"
    assert Answer.objects.count() == 0


def test_the_summary_takes_the_focus_and_links_to_each_field_that_is_marked(page, hit, item):
    page.open()
    form = answers_to(hit) | {f"{item}.answers": "", f"{item}.category": ""}
    back = soup(page.submit(form))
    summary = back.find(id="summary")
    assert summary["role"] == "alert"
    assert summary.has_attr("autofocus")
    assert "2 things" in summary.h2.text
    for link in summary.find_all("a"):
        assert back.find(id=link["href"].removeprefix("#")), link
    entry = back.find("input", {"name": f"{item}.answers"})
    assert entry["aria-invalid"] == "true"
    message = back.find(id=f"f-{item}-answers-findings")
    assert message["id"] in entry["aria-describedby"].split()
    assert "Please fix:" in message.text


def test_the_words_of_a_form_that_came_back_are_there_after_a_reload(page, hit, item):
    page.open()
    page.submit({f"{item}.answers": "gravity"})
    assert soup(page.open()).find("input", {"name": f"{item}.answers"})["value"] == "gravity"


def test_a_warning_is_asked_about_once_and_then_taken(page, hit, item):
    page.open()
    form = answers_to(hit) | {f"{item}.answers": "gravity; weight"}
    first = page.submit(form)
    assert first.status_code == 422
    back = soup(first)
    assert back.find(attrs={"data-hand-in": True}).text == "Hand in as it is"
    confirmed = back.find("input", {"name": "confirmed"})["value"]
    assert page.submit(form, confirmed=confirmed).status_code == 200
    assert CheckResult.objects.get().check_name == "more_answers_than_announced"


def test_a_confirmation_does_not_cover_what_blocks(page, hit, item):
    page.open()
    confirmed = soup(page.submit(answers_to(hit) | {f"{item}.answers": "a; b"})).find("input", {"name": "confirmed"})
    assert page.submit({f"{item}.answers": "a; b"}, confirmed=confirmed["value"]).status_code == 422


def test_the_receipt_page_posts_to_the_marketplace_by_a_form_of_the_frame(page, hit):
    page.open()
    response = page.submit(answers_to(hit), comment="Thanks")
    form = soup(response).find("form")
    assert (form["method"], form["action"]) == ("post", f"{HOST}/mturk/externalSubmit")
    posted = {field["name"]: field["value"] for field in form.find_all("input")}
    assert posted["assignmentId"] == page.assignment_id
    assert posted["receipt"] == page.assignment.receipt
    copy = json.loads(posted["answers"])
    assert copy["comment"] == "Thanks"
    assert copy["answers"][str(hit.items.first().pk)] == {"answers": ["gravity"], "category": "single"}


def test_a_double_click_gives_the_same_receipt(page, hit):
    page.open()
    first, second = page.submit(answers_to(hit)), page.submit(answers_to(hit))
    assert soup(first).find("code").text == soup(second).find("code").text
    assert Answer.objects.count() == 5


def test_the_page_says_already_received_and_offers_to_hand_in_again_until_confirmed(page, hit):
    page.open()
    page.submit(answers_to(hit))
    again = soup(page.open())
    assert "Already received" in again.h1.text
    assert again.find("button").text == "Hand in again"
    assert "data-at-once" not in str(again)
    for state in ("submitted", "approved", "rejected"):
        Assignment.objects.update(state=state)
        assert not soup(page.open()).find("form")


def test_other_work_after_the_confirmation_is_refused_and_kept_as_evidence(page, hit):
    page.open()
    page.submit(answers_to(hit))
    Assignment.objects.update(state="submitted")
    response = page.submit(answers_to(hit, "something else"))
    assert response.status_code == 409
    assert "confirmed before" in response.content.decode()
    assert "something else" in str(Event.objects.get(verb="assignment.contested").data)


def test_a_returned_draft_is_offered_when_the_hit_is_taken_again(page, hit, item):
    page.open()
    page.save({f"{item}.answers": ["half an answer"]})
    page.assignment_id = "3ASSIGNMENT2"
    again = page.open()
    assert b"Welcome back" in again.content
    assert soup(again).find("input", {"name": f"{item}.answers"})["value"] == "half an answer"


def test_a_hit_that_expired_meanwhile_can_be_finished(page, hit):
    page.open()
    type(hit).objects.update(state="closed")
    assert b"you may still finish it" in page.open().content
    assert page.submit(answers_to(hit)).status_code == 200


def test_work_that_comes_after_its_time_is_kept(page, hit):
    page.open()
    Assignment.objects.update(opened_at=timezone.now() - timedelta(hours=2))
    returned = page.submit({})
    assert "Time is over" in soup(returned).find(attrs={"data-time": True}).text
    assert page.submit(answers_to(hit)).status_code == 200


def test_who_takes_a_hit_again_under_the_same_assignment_has_the_whole_time(page, hit):
    page.open()
    page.save({"comment": ["half a word"]})
    Assignment.objects.update(opened_at=timezone.now() - timedelta(hours=2))
    shown = soup(page.open())
    assert "59 min left" in shown.find(attrs={"data-time": True}).text
    assert "Welcome back" in shown.find(role="alert").text
    page.submit(answers_to(hit))
    assert page.assignment.seconds_spent < 60
