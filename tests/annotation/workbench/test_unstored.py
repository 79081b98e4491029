"""When our own storing fails, the worker still hands in at the marketplace, with the work as a copy."""

import json

import pytest
from bs4 import BeautifulSoup
from django.db import OperationalError

from annotation.hits import sheets, working
from annotation.hits.sheets import read_copy, sheet_of
from tests.annotation.workbench.conftest import HOST, answers_to


@pytest.fixture(params=["writing", "reading"])
def broken(request, monkeypatch):
    """Makes the database fail from now on: at the first write, or at everything."""

    def fail(*args, **kwargs):
        raise OperationalError("database is locked")

    def break_it():
        monkeypatch.setattr(working, "hand_over", fail)
        if request.param == "reading":
            monkeypatch.setattr(working, "assignment_to_hand_over", fail)
            monkeypatch.setattr("annotation.workbench.framing.sheet_of", fail)

    return break_it


def test_the_plain_form_leads_on_with_receipt_pending_and_a_copy_that_can_be_read(page, hit, broken):
    page.open()
    broken()
    response = page.submit(answers_to(hit))
    assert response.status_code == 503
    form = BeautifulSoup(response.content, "html.parser").find("form")
    posted = {field["name"]: field["value"] for field in form.find_all("input")}
    assert form["action"] == f"{HOST}/mturk/externalSubmit"
    assert (posted["assignmentId"], posted["receipt"]) == (page.assignment_id, "pending")
    answers = read_copy(sheets.sheet_of(hit.token), posted["answers"]).answers
    assert set(map(str, answers)) == {str(item.pk) for item in hit.items.all()}
    assert page.assignment.state == "open"


def test_script_is_told_that_nothing_was_stored(page, hit, broken):
    page.open()
    broken()
    response = page.submit_by_script(answers_to(hit))
    assert (response.status_code, response.json()["problem"]) == (503, "unstored")


def test_a_copy_of_the_page_s_script_is_read_as_answers(hit):
    copy = json.dumps({"values": {name: [text] for name, text in answers_to(hit).items()}})
    answers = read_copy(sheet_of(hit.token), copy).answers
    assert all(answer == {"answers": ["gravity"], "category": "single"} for answer in answers.values())


def test_nobody_without_a_context_gets_such_a_page(page, hit, broken):
    page.open()
    broken()
    assert page.client.post(f"/t/{hit.token}/", {"context": "x", **answers_to(hit)}).status_code == 403
