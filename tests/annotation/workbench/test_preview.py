"""A preview shows the whole task, inert, knows nobody, writes nothing and gives no gold away."""

from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup

from annotation.events.models import Event
from annotation.hits.models import HIT, Assignment
from annotation.workers.models import Worker
from tests.annotation.workbench.conftest import QUESTIONS
from tests.factories import QUESTION

SPELLINGS = [
    "",
    "assignmentId=",
    "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE",
    "assignmentId=assignment_id_not_available",
    "assignmentId=%20ASSIGNMENT_ID_NOT_AVAILABLE%20",
    "assignmentId=ASSIGNMENT%5FID%5FNOT%5FAVAILABLE",
    "assignmentId=ASSIGNMENT-ID-NOT-AVAILABLE",
    "assignmentId=ASSIGNMENTIDNOTAVAILABLE&workerId=A1",
    "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&workerId=A1",
    "amp;assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&amp;workerId=A1",
    "assignmentId=3REAL",
    "assignmentId=3REAL&workerId=",
    "workerId=A1",
]


def rows_written():
    return Assignment.objects.count() + Worker.objects.count() + Event.objects.count()


@pytest.fixture
def page(hit, client):
    response = client.get(f"/t/{hit.token}/", {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": hit.remote_id})
    assert response.status_code == 200
    return BeautifulSoup(response.content, "html.parser")


@pytest.mark.parametrize("query", SPELLINGS)
def test_however_it_is_spelt_it_is_a_preview_and_nothing_is_written(hit, client, query):
    response = client.get(f"/t/{hit.token}/?{query}")
    assert response.status_code == 200
    assert b"This is a preview" in response.content
    assert rows_written() == 0


def test_nothing_that_is_sent_for_a_preview_is_taken(hit, client):
    address = f"/t/{hit.token}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"
    assert client.post(address, {f"{hit.items.first().pk}.answers": "gravity"}).status_code == 403
    draft = client.post(f"/t/{hit.token}/draft", "{}", content_type="application/json")
    assert draft.status_code == 403
    assert client.get(f"/t/{hit.token}/findings").status_code == 403
    assert (
        client.get(f"/t/{hit.token}/context?{urlencode({'assignmentId': '3A', 'workerId': 'A1'})}").status_code == 403
    )
    assert rows_written() == 0


def test_every_control_is_disabled_and_there_is_no_form_and_no_script(page):
    assert not page.find_all(["form", "script", "button"])
    controls = page.find_all(["input", "textarea", "select"])
    assert controls
    assert all(control.find_parent("fieldset", disabled=True) for control in controls)


def test_it_tells_pay_time_approval_rule_and_whom_to_ask(page):
    facts = {row.dt.text: row.dd.text for row in page.select(".facts div")}
    assert facts["Pay"].startswith("$0.50")
    assert facts["Time"].startswith("1 hour")
    assert "approved" in facts["Approval"]
    assert "crowd@example.org" in facts["Asked by"]


def test_it_shows_the_items_and_a_worked_example_in_the_real_form(page):
    shown = [each.get_text(strip=True) for each in page.select("article .question")]
    assert shown[1:] == QUESTIONS
    example = page.select_one("article.example")
    assert example.select_one("input[type=text]")["value"] == "gravity"
    assert example.select_one("input[checked]")["value"] == "single"


def test_no_page_before_the_answer_holds_key_or_options(page, hit):
    text = str(page)
    for choice in QUESTION["choices"][:2]:
        assert choice["text"] not in text
    assert "answer_key" not in text
    assert "choices" not in text


@pytest.mark.parametrize("state", ["closed", "refused"])
def test_a_hit_that_is_no_longer_offered_says_so(hit, client, state):
    HIT.objects.filter(pk=hit.pk).update(state=state)
    assert b"no longer offered" in client.get(f"/t/{hit.token}/").content
