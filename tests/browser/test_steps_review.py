"""An expert rewrites a decomposition, and looks at a verification, in a browser: graph and checks follow the typing."""

import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from annotation.review.actions import settle
from annotation.review.models import Outcome
from tasks import registry
from tests.browser.conftest import PHONE, WIDE
from tests.factories import make_answered_item, make_project, make_user

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
KIND = registry.task_type("strategyqa.decomposing")
EXAMPLE = KIND.examples()[0]


@pytest.fixture
def review(context, live_server, transactional_db):
    """Opens the review page of an outcome that one answer made."""

    def opened(kind, item, answer):
        project = make_project("steps", stage={"name": "steps", "task_type": kind.name})
        make_answered_item(project, answer, payload=item)
        settle(project=project)
        client = Client()
        client.force_login(make_user("expert", project=project))
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
        tab = context.new_page()
        tab.goto(f"{live_server.url}/admin/review/outcome/{Outcome.objects.get().pk}/change/")
        expect(tab.locator(".review.outcome[data-ready]")).to_be_attached()
        return tab

    return opened


@pytest.fixture
def page(review):
    flagged = EXAMPLE.answer | {"flags": ["not_definitive"], "reason": "It depends on the giraffe."}
    return review(KIND, EXAMPLE.item, flagged)


def test_steps_are_rewritten_under_the_same_checks_as_the_worker_s(page):
    graph = page.get_by_role("img", name=re.compile("Step 3: Is #2 greater than #1"))
    expect(graph).to_be_visible()
    expect(page.get_by_text("The question has no definite answer").first).to_be_visible()
    page.keyboard.press("e")
    lines = page.locator("#field-steps")
    expect(lines).to_be_focused()
    lines.fill(lines.input_value().replace("#2", "#5"))
    expect(page.locator("#findings")).to_contain_text("Step 3 refers to #5, but there is no such step.")
    expect(graph).to_have_count(0)
    lines.fill(lines.input_value().replace("Is #5 greater", "Is #2 larger"))
    expect(page.locator(".review.outcome[data-checked]")).to_be_attached()
    page.locator("#accept").click()
    expect(page.get_by_text("Your last decisions")).to_be_visible()
    assert Outcome.objects.get().final["steps"][2] == {"text": "Is #2 larger than #1?", "page": ""}


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_page_has_no_accessibility_violations(page, viewport):
    page.set_viewport_size(viewport)
    expect(page.locator(".steps-graph .node")).to_have_count(3)
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()


def test_a_verification_is_shown_with_its_paragraphs_and_what_is_missing(review):
    kind = registry.task_type("strategyqa.verifying")
    example = kind.examples()[1]
    page = review(kind, example.item, example.answer)
    expect(page.get_by_label("Incomplete: a step can’t be answered from them")).to_be_checked()
    expect(page.get_by_text("#2: cannot be answered (how high a bus is today)").first).to_be_visible()
    expect(page.get_by_text("The first double-deckers were drawn by horses")).to_be_visible()
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()
