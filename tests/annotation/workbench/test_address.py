"""The marketplace's four parameters: read with patience, believed by nobody."""

import pytest

from annotation.events.models import Event
from annotation.hits.models import HIT, Assignment
from annotation.workbench import parameters
from annotation.workers.models import Worker
from tests.annotation.workbench.conftest import HOST


def test_twice_escaped_ampersands_are_read_as_ampersands(hit, client):
    response = client.get(f"/t/{hit.token}/?assignmentId=3A&amp;hitId={hit.remote_id}&amp;amp;workerId=A1")
    assert b"data-work" in response.content
    assert Assignment.objects.get().assignment_id == "3A"


@pytest.mark.parametrize(
    "query",
    [
        "assignmentId=3A&assignmentId=3B&workerId=A1",
        "assignmentId=3A&amp;assignmentId=3A&workerId=A1",
        "assignmentId=3A&workerId=A1&workerId=A2",
        "assignmentId=3A/../x&workerId=A1",
        "assignmentId=3A&workerId=A1%00",
        "assignmentId=3A&workerId=" + "A" * 65,
        "assignmentId=%F0%9F%98%80&workerId=A1",
        "&".join(["assignmentId=3A&workerId=A1", *[f"x{number}=1" for number in range(60)]]),
    ],
)
def test_doubled_and_damaged_parameters_are_refused_with_a_clear_page(hit, client, query):
    response = client.get(f"/t/{hit.token}/?{query}")
    assert response.status_code == 400
    assert b"address of this page is damaged" in response.content
    assert not Assignment.objects.exists()


def test_a_hit_id_that_is_not_this_page_s_is_refused(hit, client):
    for query in ("assignmentId=3A&workerId=A1&hitId=OTHER", "hitId=OTHER"):
        response = client.get(f"/t/{hit.token}/?{query}")
        assert response.status_code == 403
        assert b"belongs to another HIT" in response.content
    assert not Assignment.objects.exists()


def test_a_known_assignment_with_a_foreign_hit_id_is_refused_too(page):
    page.open()
    page.hit.remote_id = "OTHER"
    assert page.open().status_code == 403


def test_a_hit_whose_remote_id_is_not_known_yet_can_be_worked_on(hit, page):
    HIT.objects.filter(pk=hit.pk).update(remote_id=None)
    assert page.open().status_code == 200


def test_an_unknown_token_is_a_clear_page(db, client):
    response = client.get("/t/nothing/?assignmentId=3A&workerId=A1")
    assert response.status_code == 404
    assert b"There is no such HIT" in response.content


@pytest.mark.parametrize(
    ("claimed", "host"),
    [
        (HOST, HOST),
        (f"{HOST}/", HOST),
        (HOST.upper().replace("HTTP", "http"), HOST),
        ("", HOST),
        ("http://evil.example", HOST),
        (f"{HOST}.evil.example", HOST),
        ("javascript:alert(1)", HOST),
        ("http://127.0.0.1:8001@evil.example", HOST),
        ("//evil.example", HOST),
        ("http://[broken", HOST),
    ],
)
def test_only_allowed_hosts_are_ever_posted_to(claimed, host):
    assert parameters.submit_host("own", claimed) == host


def test_a_second_allowed_host_is_used_when_the_marketplace_names_it():
    assert parameters.submit_host("mturk_production", "https://worker.mturk.com/") == "https://worker.mturk.com"


@pytest.mark.parametrize(("reason", "words"), [("barred", "not open to you"), ("answered", "answered some of these")])
def test_a_refused_worker_gets_a_polite_page_before_any_work(page, hit, reason, words):
    from tests.factories import make_answer, make_assignment, make_hit, make_worker

    worker = make_worker(page.worker_id)
    if reason == "barred":
        Worker.objects.update(is_barred=True)
    else:
        item = hit.items.first()
        make_answer(item, {}, assignment=make_assignment(make_hit(hit.project, item), worker))
    response = page.open()
    assert response.status_code == 403
    assert words in response.content.decode()
    assert "return it" in response.content.decode()
    assert not Event.objects.exists()
