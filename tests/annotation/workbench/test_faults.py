"""A database that fails: every address of a task page says so in its frame, and nothing is half done."""

from __future__ import annotations

import contextlib
import json

import pytest
from bs4 import BeautifulSoup
from django.db import Error, InterfaceError, OperationalError, connection

from annotation.events.models import Event
from annotation.hits.models import Answer
from annotation.hits.sheets import read_copy, sheet_of
from tests.annotation.workbench.conftest import HOST, answers_to

FAULTS = {
    "locked": OperationalError("database is locked"),
    "disk full": OperationalError("database or disk is full"),
    "gone": InterfaceError("connection already closed"),
}


@contextlib.contextmanager
def failing(error: Error):
    """Lets every statement fail."""

    def fail(execute, sql, params, many, context):
        raise error

    with connection.execute_wrapper(fail):
        yield


@pytest.mark.parametrize("error", FAULTS.values(), ids=FAULTS)
def test_a_page_that_can_not_be_made_says_so_in_the_frame(page, error):
    page.open()
    with failing(error):
        response = page.open()
    assert response.status_code == 503
    assert HOST in response["Content-Security-Policy"].split("frame-ancestors")[1].split(";")[0]
    assert "X-Frame-Options" not in response
    assert "The fault is ours" in BeautifulSoup(response.content, "html.parser").find("h1").parent.text


@pytest.mark.parametrize("error", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("address", ["findings", "draft?after=0", "context", "draft"])
def test_script_is_told_to_try_again(page, hit, address, error):
    page.open()
    query = page.address.partition("?")[2]
    path = f"/t/{hit.token}/{address}" + (f"?{query}" if address == "context" else "")
    with failing(error):
        if address == "draft":
            response = page.save({"comment": ["x"]})
        else:
            response = page.client.get(path, headers={"X-Context": page.context})
    assert (response.status_code, response.json()["problem"]) == (503, "down")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite can be told how big its file may grow")
def test_a_full_disk_takes_no_word_and_leaves_nothing_half_done(page, hit):
    page.open()
    page.save({"comment": ["short"]})
    long = {
        name: text + " " + "x" * 15_000 if name.endswith(".answers") else text for name, text in answers_to(hit).items()
    }
    long["comment"] = "y" * 5_000

    with connection.cursor() as cursor:
        cursor.execute("VACUUM")  # pages that other tests' rows left free would take the words
        cursor.execute("PRAGMA max_page_count")
        [most] = cursor.fetchone()
        cursor.execute("PRAGMA max_page_count = 1")  # as many as there are
    try:
        saved = page.save({name: [text] for name, text in long.items()}, base_revision=1)
        handed = page.submit(long)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {most}")

    assert (saved.status_code, handed.status_code) == (503, 503)
    posted = {one["name"]: one["value"] for one in BeautifulSoup(handed.content, "html.parser").find_all("input")}
    assert json.loads(posted["answers"])["values"]["comment"] == [long["comment"]], "the words go on to the marketplace"
    assert (page.assignment.state, page.assignment.draft) == ("open", {"comment": ["short"]})
    assert not Answer.objects.exists()
    assert not Event.objects.filter(verb="assignment.handed_over").exists()
    assert page.submit(answers_to(hit)).status_code == 200
    assert read_copy(sheet_of(hit.token), posted["answers"]).comment == long["comment"]
