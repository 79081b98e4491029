"""What the page's script talks to: drafts, findings, and the form as JSON."""

import json

import pytest

from annotation.checking import live
from annotation.hits.models import Answer
from annotation.workbench import views
from tests.annotation.workbench.conftest import answers_to


@pytest.fixture
def name(hit):
    return f"{hit.items.first().pk}.answers"


def test_a_draft_is_acknowledged_with_revision_and_time(page, name):
    page.open()
    told = page.save({name: ["grav"]}).json()
    assert told["revision"] == 1
    assert told["saved_at"] == page.assignment.draft_saved_at.isoformat()
    assert page.save({name: ["gravity"]}, base_revision=1).json()["revision"] == 2


def test_a_draft_wakes_the_live_check_after_it_is_on_disk(page, name, monkeypatch, django_capture_on_commit_callbacks):
    from annotation.checking.jobs import check_draft

    monkeypatch.setattr("annotation.waking.settings.CELERY_TASK_ALWAYS_EAGER", True, raising=False)
    page.open()
    asked = []
    monkeypatch.setattr(check_draft, "apply", asked.append)
    with django_capture_on_commit_callbacks(execute=True):
        page.save({name: ["gravity"]})
    assert asked == [(page.assignment.pk, 1)]


def test_another_tab_s_words_come_with_the_conflict(page, name):
    page.open()
    page.save({name: ["first"]}, tab="a", turn=1)
    response = page.save({name: ["second"]}, tab="b", turn=1)
    assert response.status_code == 409
    told = response.json()
    assert (told["problem"], told["revision"], told["values"]) == ("conflict", 1, {name: ["first"]})


def test_a_draft_after_handing_over_is_told_so(page, hit, name):
    page.open()
    page.submit(answers_to(hit))
    response = page.save({name: ["more"]})
    assert (response.status_code, response.json()["problem"]) == (409, "no_longer_open")


def test_a_page_asks_for_what_was_saved_after_it_was_made(page, hit, name):
    page.open()
    address, headers = f"/t/{hit.token}/draft?after=0", {"X-Context": page.context}
    assert page.client.get(address, headers=headers).json() == {"revision": 0}
    saved = page.save({name: ["gravity"]}, tab="a", turn=1).json()
    told = page.client.get(address, headers=headers).json()
    assert told == {"revision": 1, "values": {name: ["gravity"]}, "saved_at": saved["saved_at"]}
    assert page.client.get(address.replace("after=0", "after=1"), headers=headers).json() == {"revision": 1}
    page.submit(answers_to(hit))
    assert page.client.get(address, headers=headers).json()["problem"] == "no_longer_open"


@pytest.mark.parametrize("after", ["", "-1", "one", "9" * 400])
def test_what_is_no_revision_is_refused_in_words(page, hit, after):
    page.open()
    response = page.client.get(f"/t/{hit.token}/draft?after={after}", headers={"X-Context": page.context})
    assert (response.status_code, response.json()["problem"]) == (400, "body")


def test_the_page_holds_the_draft_as_form_and_as_data(page, name):
    page.open()
    page.save({name: ['</script><b>"&']})
    html = page.open().content.decode()
    assert "&lt;/script&gt;&lt;b&gt;&quot;&amp;" in html
    data = json.loads(html.split('id="page-data">')[1].split("</script>")[0])
    assert data["revision"] == 1
    assert html.count("</script>") == 2, "nothing that is typed ends the block of data"


NOTHING = {"revision": 0, "findings": [], "count": 0}


def test_findings_come_with_their_revision(page, hit, name):
    page.open()
    address = f"/t/{hit.token}/findings"
    assert page.client.get(address, headers={"X-Context": page.context}).json() == NOTHING
    page.save({name: ["?"], name.replace("answers", "category"): ["single"]})
    live.check_draft(assignment_pk=page.assignment.pk)
    told = page.client.get(address, headers={"X-Context": page.context}).json()
    assert told["revision"] == 1
    assert "disagrees_with_category" in [finding["check"] for finding in told["findings"]]


def test_the_form_as_json_comes_back_with_findings_then_with_the_receipt(page, hit, name):
    page.open()
    back = page.submit_by_script(answers_to(hit) | {name: "gravity; weight"})
    assert back.status_code == 422
    confirmation = back.json()["confirmation"]
    done = page.submit_by_script(answers_to(hit) | {name: "gravity; weight"}, confirmed=confirmation)
    assert done.json()["receipt"] == page.assignment.receipt
    assert json.loads(done.json()["answers"])["answers"]
    assert Answer.objects.count() == 5


BAD_VALUES = {
    "no object": "x",
    "a list of lists": {"NAME": [["a"]]},
    "a bare text": {"NAME": "gravity"},
    "numbers": {"NAME": [1]},
    "another HIT's item": {"999999.answers": ["a"]},
    "no field": {"NAME.more": ["a"]},
    "a prototype": {"__proto__": ["a"]},
    "NUL": {"NAME": ["a\x00b"]},
    "half a character": {"NAME": ["a\ud800b"]},
    "far too long": {"NAME": ["x" * 20_001]},
    "too many values": {"NAME": ["x"] * 51},
    "a novel as comment": {"comment": ["x" * 5_001]},
}


@pytest.mark.parametrize("values", BAD_VALUES.values(), ids=BAD_VALUES)
def test_values_that_no_page_sends_are_refused_in_words(page, name, values):
    page.open()
    if isinstance(values, dict):
        values = {key.replace("NAME", name): given for key, given in values.items()}
    response = page.save(values)
    assert response.status_code == 400
    assert response.json()["message"]
    assert page.assignment.draft_revision == 0


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"values": {}, "base_revision": "1"}',
        '{"values": {}, "base_revision": -1}',
        '{"values": {}, "base_revision": 1e400}',
        '{"values": {}, "base_revision": 99999999999}',
        '{"values": {}, "turn": true}',
        '{"values": {}, "tab": "<b>"}',
        '{"values": {}, "tab": ["a"]}',
        json.dumps({"values": {}, "padding": "x" * 2_500_001}),
    ],
    ids=range(13),
)
def test_bodies_that_no_page_sends_are_refused_in_words(page, hit, body):
    page.open()
    response = page.client.post(
        f"/t/{hit.token}/draft", body, content_type="application/json", headers={"X-Context": page.context}
    )
    assert response.status_code == 400
    assert response.json()["problem"] == "body"


@pytest.mark.parametrize("form", [{"NAME": "a\x00b"}, {"999999.answers": "a"}, {"NAME": "x" * 20_001}])
def test_a_plain_form_that_can_not_be_stored_is_refused_in_words(page, name, form):
    page.open()
    response = page.submit({key.replace("NAME", name): text for key, text in form.items()})
    assert response.status_code == 400
    assert b"your words are still there" in response.content


def test_a_form_of_more_than_a_page_can_hold_is_refused_in_words(page, name):
    page.open()
    response = page.client.post(
        page.address, f"{name}=" + "x" * 2_600_000, content_type="application/x-www-form-urlencoded"
    )
    assert response.status_code == 400
    assert b"more than a page can hold" in response.content


def test_a_field_of_another_version_of_the_form_is_kept_with_the_draft(page, name):
    page.open()
    assert page.save({name.replace("answers", "renamed"): ["kept"]}).status_code == 200
    assert page.assignment.draft[name.replace("answers", "renamed")] == ["kept"]


@pytest.mark.parametrize(("more", "woken"), [({}, 1), ({"check": True}, 1), ({"check": False}, 0)])
def test_a_save_asks_for_checks_unless_its_page_waits_for_a_better_moment(page, name, monkeypatch, more, woken):
    jobs = []
    monkeypatch.setattr(views, "wake", lambda job, *args: jobs.append(args))
    page.open()
    assert page.save({name: ["gravity"]}, **more).status_code == 200
    assert len(jobs) == woken


def test_the_gate_says_what_it_objects_to_only_so_often_and_takes_good_work_all_the_same(page, hit, name, monkeypatch):
    monkeypatch.setattr(views, "PACE", views.Pace(burst=2, a_second=0.0001))
    page.open()
    bad = answers_to(hit) | {name: "gravity; weight"}
    assert [page.submit_by_script(bad).status_code for _ in range(3)] == [422, 422, 429]
    returned = page.submit(bad)
    assert returned.status_code == 429
    assert "gravity; weight" in returned.content.decode()
    assert "Please check" not in returned.content.decode()
    assert page.submit_by_script(answers_to(hit)).status_code == 200
