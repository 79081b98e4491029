"""What lets a page live in a marketplace's frame and nowhere else, without cookies."""

import pytest

from tests.annotation.workbench.conftest import HOST, answers_to


def responses(page, hit):
    yield page.client.get(f"/t/{hit.token}/")
    yield page.open()
    yield page.save({})
    yield page.client.get(f"/t/{hit.token}/findings", headers={"X-Context": page.context})
    yield page.submit({})
    yield page.submit(answers_to(hit))
    yield page.open()
    yield page.client.get(f"/t/{hit.token}/?assignmentId=3A&assignmentId=3A")
    yield page.client.get("/t/nothing/")
    yield page.client.get(f"/t/{hit.token}/draft")


def test_marketplaces_may_frame_every_answer_and_nobody_else_may(page, hit):
    for response in responses(page, hit):
        policy = dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
        assert HOST in policy["frame-ancestors"].split(), response
        assert not {"*", "'self'", "'none'"} & set(policy["frame-ancestors"].split())
        assert policy["form-action"].split()[:2] == ["'self'", HOST]
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert "X-Frame-Options" not in response


def test_a_hit_s_pages_are_framed_by_its_own_marketplace_alone(page):
    assert f"frame-ancestors {HOST};" in page.open()["Content-Security-Policy"]


def test_other_pages_keep_their_denial(client):
    response = client.get("/healthz")
    assert response["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


def test_no_cookie_is_set_and_none_is_read(page, hit):
    page.client.cookies.load({"crowdwright-main": "x" * 32, "crowdwright-main-csrf": "x" * 32})
    for response in responses(page, hit):
        assert not response.cookies
        assert "Cookie" not in response.get("Vary", "")


def test_nothing_is_kept_by_a_browser(page, hit):
    assert {response["Cache-Control"] for response in responses(page, hit)} == {"no-store"}


def test_pages_hold_no_inline_script_style_or_handler(page, hit):
    from bs4 import BeautifulSoup

    for response in responses(page, hit):
        if not response["Content-Type"].startswith("text/html"):
            continue
        soup = BeautifulSoup(response.content, "html.parser")
        assert all(script.get("src") or script.get("type") == "application/json" for script in soup.find_all("script"))
        assert not soup.find_all("style")
        for tag in soup.find_all(True):
            assert not [name for name in tag.attrs if name.startswith("on") or name == "style"], tag


@pytest.mark.parametrize("verb", ["put", "delete", "patch"])
def test_other_methods_are_refused(page, verb):
    assert getattr(page.client, verb)(page.address).status_code == 405
