"""A page whose work stands elsewhere than the page left it: another worker's by now, settled, or lost with a backup."""

import json

import pytest
from bs4 import BeautifulSoup

from annotation.events.models import Event
from annotation.hits.models import Answer, Assignment
from annotation.hits.sheets import read_copy, sheet_of
from tests.annotation.workbench.conftest import answers_to
from tests.factories import make_worker

WORDS = {
    "superseded": "gave it to somebody else",
    "quarantined": "a person will look at it",
    "submitted": "stays as it was",
    "approved": "stays as it was",
}


@pytest.mark.parametrize("state", WORDS)
def test_what_comes_too_late_is_kept_and_the_page_says_why(page, hit, state):
    page.open()
    page.submit(answers_to(hit))
    Assignment.objects.update(state=state)
    other = answers_to(hit, "weight")

    html = page.submit(other)
    script = page.submit_by_script(other)

    assert (html.status_code, script.status_code) == (409, 409)
    assert WORDS[state] in " ".join(BeautifulSoup(html.content, "html.parser").text.split())
    assert script.json() == {"problem": "contested", "message": "", "state": state}
    assert Event.objects.filter(verb="assignment.contested").count() == 2
    assert {data["answers"][0] for data in Answer.objects.values_list("data", flat=True)} == {"gravity"}


@pytest.mark.parametrize("state", ["quarantined", "superseded"])
def test_settled_work_offers_nothing_more_to_do(page, hit, state):
    page.open()
    page.submit(answers_to(hit))
    Assignment.objects.update(state=state, settlement="The worker was paid outside the marketplace: by bank.")
    shown = BeautifulSoup(page.open().content, "html.parser")
    assert shown.find("form") is None
    assert "settled it" in shown.text
    assert "by bank" not in shown.text


def test_who_lost_an_assignment_before_handing_in_reads_no_word_of_stored_answers(page):
    page.open()
    Assignment.objects.update(state="superseded")
    text = BeautifulSoup(page.open().content, "html.parser").text
    assert "another worker" in text
    assert "stored" not in text and "Receipt" not in text


def test_a_page_from_before_a_restored_backup_touches_nobody_else_s_row(page, hit):
    page.open()
    page.save({"comment": ["mine"]})
    Assignment.objects.update(worker=make_worker("AOTHER1"), draft={"comment": ["theirs"]})
    headers = {"X-Context": page.context}

    saved = page.save({"comment": ["mine, and more"]}, base_revision=1)
    asked = page.client.get(f"/t/{hit.token}/draft?after=0", headers=headers)
    handed = page.submit(answers_to(hit))

    assert (saved.status_code, asked.status_code, handed.status_code) == (403, 403, 503)
    row = Assignment.objects.get()
    assert (row.draft, row.state, row.answers.count()) == ({"comment": ["theirs"]}, "open", 0)
    # The words are not lost: the marketplace keeps them, and they are collected from there.
    posted = {one["name"]: one["value"] for one in BeautifulSoup(handed.content, "html.parser").find_all("input")}
    assert posted["receipt"] == "pending"
    assert len(read_copy(sheet_of(hit.token), posted["answers"]).answers) == 5


def test_a_row_that_a_backup_lost_does_not_lose_the_work(page, hit):
    page.open()
    Assignment.objects.all().delete()
    response = page.submit_by_script(answers_to(hit))
    assert (response.status_code, response.json()["problem"]) == (503, "unstored")
    assert json.loads(page.save({"comment": ["x"]}).content)["problem"] == "context"
