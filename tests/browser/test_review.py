"""An expert at work in a browser: keys, live checks, edits that survive, and no violation of accessibility rules."""

import os
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from annotation.review.actions import decide, settle
from annotation.review.models import Outcome, Review
from tests.browser.conftest import PHONE, WIDE
from tests.factories import make_answered_item, make_project, make_user

# The browser's driver keeps a loop in this thread; the database is asked between its calls, never within.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

GRAVITY = {"answers": ["gravity"], "category": "single"}
WORDY = {"answers": ["the force of gravity that pulls all things down to the ground"], "category": "single"}
EVIL = {"answers": ["gra\u202evity", "<img src=x onerror=alert(1)> gravity"], "category": "several"}
WIND = {"answers": ["wind"], "category": "unknown"}


@pytest.fixture
def project(transactional_db):
    project = make_project("forces", stage={"blind_share": 0})
    make_answered_item(project, GRAVITY, EVIL, WIND, WORDY, key="ARCEZ_first")
    make_answered_item(project, GRAVITY, GRAVITY, WORDY, key="ARCEZ_second")
    make_answered_item(project, GRAVITY, GRAVITY, key="ARCEZ_third")
    settle(project=project)
    return project


@pytest.fixture
def expert(project):
    return make_user("expert", project=project)


@pytest.fixture
def outcomes(project):
    return list(Outcome.objects.order_by("-doubt", "id"))


@pytest.fixture
def page(context, live_server, expert):
    """A tab of the signed-in expert that fails the test on any error of a script or of the policy."""
    client = Client()
    client.force_login(expert)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    tab = context.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    tab.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
    yield tab
    # A refusal of ours (422, 409) is written to the console by the browser itself, and so is the missing icon.
    assert [fault for fault in faults if "Failed to load resource" not in fault] == []


@pytest.fixture
def visit(page, live_server):
    def go(outcome):
        page.goto(f"{live_server.url}/admin/review/outcome/{outcome.pk}/change/")
        ready(page)

    return go


def ready(page):
    """Waits until the page's script listens: before, keys are the browser's own."""
    expect(page.locator(".review.outcome[data-ready]")).to_be_attached()


def checked(page):
    """Waits until the checks have spoken on the edits as they stand."""
    expect(page.locator(".review.outcome[data-checked]")).to_be_attached()


def test_an_expert_decides_with_the_keyboard_alone(page, visit, outcomes, live_server):
    first, second, third = outcomes
    page.goto(f"{live_server.url}/admin/review/outcome/")
    page.get_by_role("link", name="Start deciding").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}/admin/review/outcome/{first.pk}/change/")
    ready(page)

    wind = [answer["text"] for answer in first.value["answers"]].index("wind")
    page.keyboard.press(str(wind + 1))
    page.keyboard.press("e")
    page.keyboard.press("Control+a")
    page.keyboard.type("What pulls a dropped ball down?")
    expect(page.locator("ins").first).to_be_visible()
    page.keyboard.press("Alt+n")
    page.keyboard.type("gravitation")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    checked(page)
    page.keyboard.press("a")

    expect(page).to_have_url(f"{live_server.url}/admin/review/outcome/{second.pk}/change/?done={first.pk}")
    ready(page)
    first.refresh_from_db()
    texts = [answer["text"] for answer in first.final["answers"]]
    assert (first.state, first.final["question"]) == ("accepted", "What pulls a dropped ball down?")
    assert "wind" not in texts and texts[-1] == "gravitation"

    page.keyboard.press("x")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{live_server.url}/admin/review/outcome/{third.pk}/change/?done={second.pk}")
    ready(page)
    second.refresh_from_db()
    assert (second.state, second.reason) == ("rejected", "not_alone")

    page.keyboard.press("z")
    expect(page).to_have_url(f"{live_server.url}/admin/review/outcome/{second.pk}/change/")
    second.refresh_from_db()
    assert second.state == "pending"
    assert Review.objects.filter(undone_at=None).count() == 1


def test_digits_name_reasons_where_a_rejection_came_back_without_one(page, visit, outcomes):
    visit(outcomes[0])
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_be_focused()
    ready(page)
    page.keyboard.press("2")
    expect(page.locator("#reject input[value=not_alone]")).to_be_checked()
    expect(page.locator(".remove input:checked")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"done={outcomes[0].pk}$"))
    outcomes[0].refresh_from_db()
    assert (outcomes[0].state, outcomes[0].reason) == ("rejected", "not_alone")


def test_letters_are_only_letters_in_a_text_field(page, visit, outcomes):
    visit(outcomes[0])
    page.locator("#field-question").fill("")
    page.keyboard.type("axsz1u?")
    expect(page.locator("#field-question")).to_have_value("axsz1u?")
    assert not Review.objects.exists()
    page.locator('[name="answers.add"]').first.fill("an answer")
    page.keyboard.press("Enter")
    assert not Review.objects.exists()


def test_single_letters_can_be_switched_off(page, visit, outcomes):
    visit(outcomes[0])
    page.keyboard.press("?")
    page.locator("#single-keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.wait_for_timeout(300)
    assert not Review.objects.exists()
    page.keyboard.press("Alt+a")
    expect(page.locator(".note.done")).to_be_visible()
    assert Review.objects.count() == 1


def test_warnings_are_shown_while_typing_and_confirmed_once(page, visit, outcomes):
    first = outcomes[0]
    visit(first)
    page.locator("#field-question").fill("It is pulled down by")
    expect(page.locator("#findings")).to_contain_text("does not end with a question mark")
    page.locator("#accept").click()
    expect(page.locator("#accept")).to_contain_text("Accept anyway")
    assert not Review.objects.exists()
    page.locator("#accept").click()
    expect(page.locator(".note.done")).to_be_visible()
    first.refresh_from_db()
    assert first.final["question"] == "It is pulled down by"


def test_what_blocks_is_not_sent(page, visit, outcomes):
    visit(outcomes[0])
    for box in page.locator('[name="answers.remove"]').all():
        box.check()
    expect(page.locator("#findings")).to_contain_text("No answer is left")
    page.locator("#accept").click()
    expect(page.locator("#check-state")).to_contain_text("Put this right first")
    assert not Review.objects.exists()


def test_edits_survive_a_reload_and_are_gone_once_decided(page, visit, outcomes):
    first = outcomes[0]
    visit(first)
    page.locator("#field-question").fill("What pulls a dropped ball down?")
    page.locator('[name="answers.remove"]').nth(1).check()
    page.locator('[name="answers.add"]').last.fill("gravitation")
    page.reload()
    ready(page)
    expect(page.locator("#field-question")).to_have_value("What pulls a dropped ball down?")
    expect(page.locator('[name="answers.remove"]').nth(1)).to_be_checked()
    expect(page.locator('[name="answers.add"]').first).to_have_value("gravitation")
    expect(page.locator("#kept")).to_contain_text("are back")
    checked(page)
    page.locator("#accept").click()
    expect(page.locator(".note.done")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('review:')).length") == 0


def test_what_was_typed_outlives_a_skip(page, visit, outcomes, live_server):
    first, second, _ = outcomes
    visit(first)
    page.locator("#field-question").fill("What pulls a dropped ball down?")
    page.keyboard.press("Alt+s")
    expect(page).to_have_url(f"{live_server.url}/admin/review/outcome/{second.pk}/change/")
    ready(page)
    visit(first)
    expect(page.locator("#field-question")).to_have_value("What pulls a dropped ball down?")


@pytest.mark.parametrize("is_undone", [True, False], ids=["undone", "standing"])
def test_what_was_typed_after_a_decision_outlives_the_page_that_told_of_it(page, visit, outcomes, is_undone):
    visit(outcomes[0])
    page.locator("#accept").click()
    expect(page.locator(".note.done")).to_be_visible()
    told = page.url
    visit(outcomes[0])
    if is_undone:
        page.locator("[data-undo-last]").first.click()
        expect(page.locator(".review.outcome[data-version='2'][data-ready]")).to_be_attached()
    page.locator("#field-question").fill("What pulls a dropped ball down?")
    page.goto(told)
    ready(page)
    visit(outcomes[0])
    expect(page.locator("#field-question")).to_have_value("What pulls a dropped ball down?")


def test_the_last_decision_leaves_no_edits_behind(page, visit, outcomes, expert):
    for outcome in outcomes[:2]:
        decide(outcome=outcome, reviewer=expert, decision="accept", version=0, confirmed=True)
    visit(outcomes[2])
    page.locator("#field-question").fill("What pulls a dropped ball down?")
    checked(page)
    page.locator("#accept").click()
    expect(page.get_by_text("That was the last one")).to_be_visible()
    page.wait_for_function("Object.keys(localStorage).every((key) => !key.startsWith('review:'))")


def test_a_colleague_s_decision_is_explained_and_no_edit_is_lost(page, visit, outcomes, project):
    first = outcomes[0]
    visit(first)
    page.locator("#field-question").fill("What pulls a dropped ball down?")
    checked(page)
    colleague = make_user("colleague", project=project)
    Outcome.objects.update(held_by=None, held_until=None)
    decide(outcome=first, reviewer=colleague, decision="reject", reason="too_open", version=0)
    page.locator("#accept").click()
    expect(page.locator("#problem")).to_contain_text("colleague decided to reject")
    expect(page.locator("#field-question")).to_have_value("What pulls a dropped ball down?")
    # Nor when the question is opened anew: the edits were never sent.
    page.goto(page.url)
    ready(page)
    expect(page.locator("#field-question")).to_have_value("What pulls a dropped ball down?")
    checked(page)
    page.locator("#accept").click()
    expect(page.locator(".note.done")).to_be_visible()
    first.refresh_from_db()
    assert (first.state, first.final["question"]) == ("accepted", "What pulls a dropped ball down?")


def test_edits_made_before_somebody_s_decision_are_offered(page, visit, outcomes, project):
    first = outcomes[0]
    visit(first)
    page.locator("#field-question").fill("What pulls a dropped ball down?")
    colleague = make_user("colleague", project=project)
    Outcome.objects.update(held_by=None, held_until=None)
    decide(outcome=first, reviewer=colleague, decision="accept", version=0)
    visit(first)
    expect(page.locator("#kept")).to_contain_text("before it was decided")
    expect(page.locator("#field-question")).to_have_value(first.value["question"])
    page.locator("[data-keep]").click()
    expect(page.locator("#field-question")).to_have_value("What pulls a dropped ball down?")


def test_an_edit_is_undone_and_the_rest_stays(page, visit, outcomes):
    visit(outcomes[0])
    boxes = page.locator('[name="answers.remove"]')
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("u")
    expect(boxes.nth(0)).to_be_checked()
    expect(boxes.nth(1)).not_to_be_checked()
    page.keyboard.press("u")
    expect(boxes.nth(0)).not_to_be_checked()
    expect(page.locator("#undo-edit")).to_be_disabled()


def test_a_tick_adds_the_short_version(page, visit, outcomes):
    outcome = outcomes[0]
    visit(outcome)
    page.locator(".short input").check()
    short = page.locator(".short input").get_attribute("value")
    checked(page)
    page.locator("#accept").click()
    expect(page.locator(".note.done")).to_be_visible()
    outcome.refresh_from_db()
    assert outcome.final["answers"][-1]["text"] == short


def test_text_of_workers_is_text_and_its_hidden_characters_are_seen(page, visit, outcomes):
    visit(outcomes[0])
    expect(page.locator(".answers .hidden-character").first).to_have_text("RLO")
    expect(page.locator(".answers")).to_contain_text("<img src=x onerror=alert(1)> gravity")
    assert page.locator("img[src=x]").count() == 0


def test_hidden_characters_of_an_expert_s_rewording_are_seen_as_a_worker_s_are(page, visit, outcomes):
    visit(outcomes[0])
    page.locator("#field-question").fill("Wh\U000e0041at\u0301 i\u202es" + "\u0301" * 6 + " it?")
    marks = page.locator('[data-diff-of="question"] .hidden-character')
    expect(marks).to_have_text(["U+E0041", "U+202E", "+6 marks"])


def test_every_key_that_an_answer_shows_removes_it(page, visit, project):
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu".split()
    item = make_answered_item(project, *({"answers": [word], "category": "several"} for word in words))
    settle(project=project)
    visit(item.outcome)
    boxes = page.locator('[name="answers.remove"]')
    expect(boxes).to_have_count(len(words) + 1)
    for place, key in enumerate(page.locator(".answer kbd.place").all_text_contents()):
        page.keyboard.press(key.replace("⇧", "Shift+Digit") if "⇧" in key else f"Digit{key}")
        expect(boxes.nth(place)).to_be_checked()


def test_a_tower_of_combining_marks_does_not_stretch_the_page(page, visit, project):
    tower = {"answers": ["gravity" + "\u0301" * 900], "category": "single"}
    item = make_answered_item(project, tower, GRAVITY, key="ARCEZ_tower")
    settle(project=project)
    visit(item.outcome)
    for text in page.locator(".answer .text").all():
        assert text.bounding_box()["height"] < 100


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_expert_s_pages(page, live_server, outcomes, expert, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    decide(outcome=outcomes[2], reviewer=expert, decision="accept", operations=[], version=0)
    addresses = ["", "review/outcome/", "review/outcome/?show=mine", "review/review/"]
    addresses += [f"review/outcome/{outcome.pk}/change/" for outcome in (outcomes[0], outcomes[2])]
    for address in addresses:
        page.goto(f"{live_server.url}/admin/{address}")
        page.wait_for_timeout(500)
        found = Axe().run(page).response["violations"]
        assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], address


def test_axe_finds_nothing_when_a_decision_is_refused(page, visit, outcomes):
    visit(outcomes[0])
    page.keyboard.press("x")
    page.locator("#reject button").click()
    expect(page.locator("#problem")).to_contain_text("needs a reason")
    ready(page)
    page.keyboard.press("?")
    found = Axe().run(page).response["violations"]
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == []


def test_without_script_the_page_still_decides(chromium, live_server, outcomes, expert):
    client = Client()
    client.force_login(expert)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = chromium.new_context(java_script_enabled=False)
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])
    tab = context.new_page()
    first = outcomes[0]
    tab.goto(f"{live_server.url}/admin/review/outcome/{first.pk}/change/")
    tab.locator("#field-question").fill("What pulls a dropped ball down?")
    tab.locator('[name="answers.remove"]').nth(1).check()
    tab.locator('[name="answers.add"]').fill("gravitation")
    tab.locator("#accept").click()
    expect(tab.locator(".note.done")).to_be_visible()
    first.refresh_from_db()
    assert first.final["answers"][-1]["text"] == "gravitation"
    tab.locator("[data-undo-last]").first.click()
    tab.locator("#reject summary").click()
    tab.locator('#reject [value="too_open"]').check()
    tab.locator("#reject button").click()
    expect(tab.locator(".note.done")).to_be_visible()
    context.close()
    first.refresh_from_db()
    assert (first.state, first.reason) == ("rejected", "too_open")
