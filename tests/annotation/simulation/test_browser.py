"""What the browser without eyes makes of a page."""

from __future__ import annotations

import pytest

from annotation.simulation.browser import Page

HTML = """
<main><h1>A page</h1>
<form method="post" action="/save">
  <input type="hidden" name="token" value="t1">
  <input name="answers" value="">
  <input type="radio" name="category" value="one"><input type="radio" name="category" value="many" checked>
  <input type="checkbox" name="consent"><input type="checkbox" name="next" checked>
  <textarea name="comment">
two
lines</textarea>
  <select name="order"><option value="a">A</option><option value="b" selected>B</option></select>
  <input name="gone" value="x" disabled>
  <button name="go" value="1">Go</button>
</form></main>
"""


@pytest.fixture
def page() -> Page:
    return Page("http://127.0.0.1:1/here/", 200, HTML)


def test_a_form_sends_what_a_browser_would_send(page: Page) -> None:
    form = page.form('.//input[@name="token"]')
    assert form.action == "http://127.0.0.1:1/save"
    assert {name: values for name, values in form.values.items() if values} == {
        "token": ["t1"],
        "answers": [""],
        "category": ["many"],
        "next": ["on"],
        "comment": ["two\nlines"],
        "order": ["b"],
    }


def test_a_form_that_is_not_there_is_none(page: Page) -> None:
    assert page.form('.//input[@name="password"]') is None


def test_an_unexpected_page_is_told_with_its_address_and_words(page: Page) -> None:
    assert str(page.unexpected("a receipt")) == (
        "expected a receipt at http://127.0.0.1:1/here/, found status 200: A page two lines AB Go"
    )


def test_an_empty_answer_is_a_page_too() -> None:
    assert Page("http://127.0.0.1:1/", 500, "").find("//form") is None
