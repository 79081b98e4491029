"""A researcher at work in a browser: every page reads well to people and machines, and leads to offered HITs."""

import json
import os
import re
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from annotation.corpus.actions import import_corpus
from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.paying import bonus
from annotation.projects.actions import use_corpus
from annotation.projects.models import Project
from annotation.providers.models import Intent
from annotation.releases.actions import build
from annotation.review.actions import decide, settle
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.browser.conftest import PHONE, WIDE
from tests.factories import (
    make_answered_item,
    make_assignment,
    make_hit,
    make_item,
    make_project,
    make_user,
)

# The browser's driver keeps a loop in this thread; the database is asked between its calls, never within.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

GRAVITY = {"answers": ["gravity"], "category": "single"}
EVIL = {"answers": ["<img src=x onerror=alert(1)>", "gra\u202evity"], "category": "several"}


@pytest.fixture
def project(transactional_db, settings, tmp_path):
    """A project in full swing: something of everything that a page can show."""
    settings.RELEASE_STORAGE = str(tmp_path / "releases")
    cache.clear()
    project = make_project("forces", name="Forces & <b>waves</b>", budget_cap_cents=100_000)
    settings.CORPORA = str(tmp_path / "corpora")
    (tmp_path / "mills.jsonl").write_text("".join(f"{json.dumps(each._asdict())}\n" for each in PARAGRAPHS))
    use_corpus(project=project, corpus=import_corpus(name="mills", paths=[tmp_path / "mills.jsonl"]).corpus)
    expert = make_user("expert", project=project, role="reviewer")
    for number in range(3):
        make_answered_item(project, GRAVITY, EVIL, GRAVITY, key=f"ARCEZ_{number}")
    settle(project=project)
    first, second = project.outcomes.order_by("pk")[:2]
    decide(outcome=first, reviewer=expert, decision="accept", version=first.version, confirmed=True)
    decide(
        outcome=second, reviewer=expert, decision="reject", reason="too open", version=second.version, confirmed=True
    )
    build(project=project, version="1.0.0", created_by="ana")
    build(project=project, version="1.1.0", notes="Once more.", created_by="ana")
    make_item(project, state="excluded", reason="which of|most")
    for _ in range(4):
        make_item(project)
    make_assignment(make_hit(project, make_item(project)), state="quarantined", comment="Please pay me")
    decided = make_hit(project, make_item(project))
    make_assignment(decided, state="rejected", decided_at=timezone.now(), feedback="All the same word.")
    paid = make_assignment(decided, state="approved", decided_at=timezone.now())
    with acting_as("user:1"):
        call = bonus(assignment=paid, cents=40, reason="Care", purpose="care")
    Intent.objects.filter(pk=call.pk).update(state="refused", error="InsufficientFunds", first_sent_at=timezone.now())
    project.stages.update(approve_after_hours=24)
    make_hit(project, make_item(project), state="refused", close_reason="The title is too long", remote_id=None)
    return project


@pytest.fixture
def ana(project):
    return make_user("ana", project=project, role="owner")


@pytest.fixture
def page(context, live_server, ana):
    """A tab of the signed-in owner that fails the test on any error of a script or of the policy."""
    client = Client()
    client.force_login(ana)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    tab = context.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    tab.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
    yield tab
    # A refusal of ours (422, 404) is written to the console by the browser itself.
    assert [fault for fault in faults if "Failed to load resource" not in fault] == []


def violations(page) -> list:
    found = Axe().run(page).response["violations"]
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]


ADDRESSES = [
    "/",
    "/account/",
    "/projects/new/",
    "/projects/new/arc_da/",
    "/projects/forces/",
    "/projects/forces/settings/",
    "/projects/forces/log/",
    "/projects/forces/import/",
    "/projects/forces/stages/direct_answer/",
    "/projects/forces/stages/direct_answer/quote/",
    "/projects/forces/board/",
    "/projects/forces/items/",
    "/projects/forces/items/?text=nothing+of+the+kind",
    "/projects/forces/assignments/",
    "/projects/forces/assignments/?state=quarantined",
    "/projects/forces/assignments/?worker=w-nobody",
    "/projects/forces/releases/",
    "/projects/forces/releases/1.1.0/",
    "/projects/forces/releases/compare/?from=1.0.0&to=1.1.0",
    "/projects/forces/corpus/",
    "/projects/forces/corpus/?q=clock+mill",
    "/projects/forces/corpus/?q=zebra",
    "/projects/forces/people/",
    "/projects/forces/workers/",
    "/projects/forces/problems/",
    "/projects/no-such-project/",
]


def assignment_pages(project) -> list[str]:
    """The page of an assignment in every state there is, and the pages that ask for a decision."""
    by_state = {one.state: one.pk for one in Assignment.objects.filter(hit__project=project)}
    place = "/projects/forces/assignments"
    asked = [("submitted", "reject"), ("submitted", "worker"), ("rejected", "override"), ("approved", "bonus")]
    asked += [("quarantined", "settle"), ("approved", "reject")]
    pages = [f"{place}/{pk}/" for pk in by_state.values()]
    return pages + [f"{place}/{by_state[state]}/{what}/" for state, what in asked]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_wider_than_the_screen(page, live_server, project, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    items = [f"/projects/forces/items/{pk}/" for pk in project.items.order_by("pk").values_list("pk", flat=True)[:2]]
    for address in ADDRESSES + items + assignment_pages(project):
        page.goto(f"{live_server.url}{address}")
        for details in page.locator("details").all():
            details.evaluate("details => { details.open = true; }")
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], address


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_where_somebody_signs_in(context, live_server, transactional_db, size):
    page = context.new_page()
    page.set_viewport_size(size)
    page.goto(f"{live_server.url}/projects/forces/")
    assert violations(page) == []
    page.fill("#id_username", "ana")
    page.fill("#id_password", "wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("do not go together")
    assert violations(page) == []


def test_axe_finds_nothing_in_forms_that_come_back_with_faults(page, live_server):
    for address, field, value in [
        ("/projects/forces/stages/direct_answer/", "countries", "Germany"),
        ("/projects/forces/settings/", "name", ""),
        ("/projects/new/arc_da/", "slug", "forces"),
        ("/projects/forces/releases/", "version", "one"),
        ("/projects/forces/people/", "username", "nobody"),
    ]:
        page.goto(f"{live_server.url}{address}")
        page.fill(f'main [name="{field}"]', value)
        page.locator(f'form:has([name="{field}"]) button.primary').click()
        fault = page.locator("main [role=alert]")
        expect(fault).to_be_visible()
        expect(fault).to_be_focused()
        assert page.locator(f'[name="{field}"]').get_attribute("aria-invalid") == "true", address
        assert violations(page) == [], address


def test_a_researcher_comes_from_nothing_to_offered_hits(page, live_server, tmp_path, monkeypatch):
    monkeypatch.setattr("annotation.hits.publishing.wake", lambda *args: None)
    page.goto(live_server.url)
    page.get_by_role("link", name="New project").click()
    page.get_by_role("link", name=re.compile("ARC-DA")).click()
    page.get_by_label("Name", exact=True).fill("Wärme & Licht 2026")
    expect(page.get_by_label("Short name")).to_have_value("warme-licht-2026")
    expect(page.locator("[data-real-money]")).to_be_hidden()
    page.get_by_label("Mechanical Turk, real money").check()
    expect(page.locator("[data-real-money]")).to_be_visible()
    page.get_by_label("Own marketplace").check()
    page.get_by_label("Budget in dollars").fill("20")
    page.get_by_role("button", name="Make the project").click()

    bad, good = tmp_path / "ARC-Easy-Dev.jsonl", tmp_path / "ARC-Easy-Train.jsonl"
    bad.write_text("{broken\n")
    choices = [{"label": "A", "text": "light"}, {"label": "B", "text": "heat"}]
    rows = [
        {"id": str(n), "question": {"stem": f"What is {n}?", "choices": choices}, "answerKey": "A"} for n in range(7)
    ]
    good.write_text("\n".join(map(json.dumps, rows)))
    page.get_by_label("Source files").set_input_files([bad, good])
    expect(page.locator("[data-chosen] li")).to_have_count(2)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was imported: 1 problem")
    page.get_by_label("Source files").set_input_files([good])
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("7 items imported")).to_be_visible()

    page.get_by_role("link", name="See the quote").click()
    page.get_by_role("button", name="Publish for $12.00").click()
    expect(page.get_by_text("2 HITs on the way to the marketplace.")).to_be_visible()
    assert HIT.objects.filter(project=Project.objects.get(slug="warme-licht-2026")).count() == 2


def test_a_rejection_takes_two_steps_by_keyboard_alone(page, live_server, project, monkeypatch):
    monkeypatch.setattr("annotation.hits.paying.wake", lambda *args: None)
    work = Assignment.objects.filter(hit__project=project, state="submitted").last()
    page.goto(f"{live_server.url}/projects/forces/assignments/{work.pk}/")
    page.get_by_role("link", name="Reject…").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Reason").focus()
    page.keyboard.type("Both answers are the same word.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Once more, before it happens")).to_be_visible()
    assert violations(page) == []
    assert not Intent.objects.filter(kind="reject").exists()
    page.get_by_label("I have looked at this work").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This work is being rejected.")).to_be_visible()
    expect(page.get_by_text("A decision is on its way")).to_be_visible()
    assert violations(page) == []
    assert Intent.objects.get(kind="reject").request["reason"] == "Both answers are the same word."


def test_the_overview_refreshes_itself_and_leaves_what_is_open_alone(page, live_server, project):
    page.clock.install()
    page.goto(f"{live_server.url}/projects/forces/")
    page.locator('details[data-keep="funnel-table"] summary').click()
    before = page.locator(".tile").first.inner_text()
    item = make_answered_item(project, GRAVITY, GRAVITY)
    Answer.objects.filter(item=item).update(counts=True)
    cache.clear()
    page.locator("#main").focus()
    page.clock.run_for(21_000)
    expect(page.locator("[data-refreshed]")).to_contain_text("Fresh at")
    expect(page.locator(".tile").first).not_to_have_text(before)
    expect(page.locator('details[data-keep="funnel-table"]')).to_have_attribute("open", "")


def test_a_part_in_which_nothing_happened_is_left_as_it_is(page, live_server, project):
    Event.objects.update(at=timezone.now() - timedelta(days=3))
    page.clock.install()
    page.goto(f"{live_server.url}/projects/forces/")
    time = '[data-live="events"] time'
    # A property of the node itself: it goes with the node.
    page.eval_on_selector(time, "node => { node.isTheSame = true; }")
    page.clock.run_for(21_000)
    expect(page.locator("[data-refreshed]")).to_contain_text("Fresh at")
    assert page.eval_on_selector(time, "node => node.isTheSame === true")


def test_a_token_is_copied_with_a_button(page, context, live_server):
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_server.url)
    page.goto(f"{live_server.url}/account/")
    page.get_by_role("button", name="Make a token").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#secret").inner_text()
    assert violations(page) == []


def test_the_api_s_documentation_keeps_to_the_policy(page, live_server):
    page.goto(f"{live_server.url}/api/v1/docs")
    expect(page.get_by_text("/api/v1/projects/{slug}/stages/{name}/publish")).to_be_visible()


def test_without_script_every_page_still_works(chromium, live_server, ana):
    client = Client()
    client.force_login(ana)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/projects/forces/stages/direct_answer/")
    page.fill('[name="reward_cents"]', "0.75")
    page.get_by_role("button", name="Save the stage").click()
    expect(page.get_by_text("The stage is changed.")).to_be_visible()
    assert Project.objects.get(slug="forces").stages.get().reward_cents == 75
    context.close()
