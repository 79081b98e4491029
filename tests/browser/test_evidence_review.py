"""An expert reads what matchers found for each step, with its texts, in a browser."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as django_settings
from django.test import Client
from playwright.sync_api import expect

from annotation.corpus.actions import import_corpus
from annotation.projects.actions import use_corpus
from annotation.review.actions import settle
from annotation.review.models import Outcome
from tasks import registry
from tests.browser.conftest import PHONE, WIDE
from tests.factories import make_answered_item, make_project, make_user

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
KIND = registry.task_type("strategyqa.matching")
PAYLOAD = KIND.examples()[0].item
CORPUS = Path(__file__).parent / "corpus" / "giraffes.jsonl"


def step(*paragraphs, operation=False, lacks=False):
    return {"paragraphs": list(paragraphs) or None, "is_operation": operation, "lacks_evidence": lacks}


@pytest.fixture
def page(context, live_server, transactional_db, settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    project = make_project("evidence", stage={"name": "evidence", "task_type": KIND.name})
    use_corpus(project=project, corpus=import_corpus(name="giraffes", paths=[CORPUS]).corpus)
    last = step(operation=True)
    make_answered_item(
        project,
        {"matched": [step("Giraffe-2"), step("Double-decker bus-1"), last]},
        {"matched": [step("Giraffe-2", "Giraffe-1"), step("Low bridge-2", lacks=True), last]},
        {
            "matched": [step("Giraffe-2"), step("Double-decker bus-1", "Bus-9"), step(lacks=True)],
            "flags": ["answer_incorrect"],
            "reason": "Some giraffes are smaller than the bus.",
        },
        payload=PAYLOAD,
    )
    settle(project=project)
    client = Client()
    client.force_login(make_user("expert", project=project))
    cookie = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": django_settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    tab = context.new_page()
    tab.goto(f"{live_server.url}/admin/review/outcome/{Outcome.objects.get().pk}/change/")
    expect(tab.locator(".review.outcome[data-ready]")).to_be_attached()
    return tab


def test_what_several_found_stands_open_and_the_rest_is_a_click_away(page):
    evidence = page.locator('[data-field="evidence"]')
    expect(evidence.get_by_text("A grown giraffe stands 4.3 to 5.7 metres tall")).to_be_visible()
    rest = evidence.get_by_text("The giraffe is a large hoofed mammal")
    expect(rest).to_be_hidden()
    evidence.locator("summary", has_text="Giraffe-1").click()
    expect(rest).to_be_visible()
    evidence.locator("summary", has_text="Bus-9").click()
    expect(evidence.get_by_text("has no text of it at hand")).to_be_visible()
    expect(evidence.get_by_text("operation ×2")).to_be_visible()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_page_has_no_accessibility_violations(page, viewport):
    page.set_viewport_size(viewport)
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()
