"""A worker answers steps from their paragraphs alone: by mouse, by keyboard alone, on a phone, without script."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, expect

from tasks import registry
from tests.browser.conftest import PHONE, WIDE, Tab
from tests.browser.stack import Site

KIND = registry.task_type("strategyqa.verifying")
FIELD = KIND.fields["answers"]
WHOLE, LACKING = KIND.examples()[:2]


@pytest.fixture
def hit(site: Site) -> dict:
    return site.call("make_hit_of", task_type=KIND.name, payloads=[WHOLE.item])


def answer(tab: Tab, number: int):
    return tab.task.get_by_label(f"Answer of step {number}", exact=True)


def step(tab: Tab, number: int):
    return tab.task.locator(f'[data-step="{number}"]')


def stored(site: Site, hit: dict) -> list[dict]:
    return site.call("assignment", token=hit["token"])["answers"][str(hit["items"][0])]["answers"]


def hand_in(tab: Tab) -> None:
    tab.saved()
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()


def test_later_steps_show_the_answers_that_they_refer_to(site: Site, tab: Tab, hit: dict) -> None:
    expect(step(tab, 3)).to_contain_text("not answered yet")
    answer(tab, 1).fill("4.3 metres")
    answer(tab, 2).fill("4.4 metres")
    expect(step(tab, 3).locator(".own-answer")).to_have_text(["4.3 metres", "4.4 metres"])
    expect(tab.task.locator("[data-state]")).to_have_text("")
    step(tab, 3).get_by_label("No", exact=True).check()
    expect(tab.task.locator("[data-state]")).to_have_text("Done")
    hand_in(tab)
    assert stored(site, hit) == WHOLE.answer["answers"]


def test_the_keyboard_alone_is_enough(site: Site, tab: Tab, hit: dict) -> None:
    press = tab.page.keyboard.press
    answer(tab, 1).focus()
    tab.page.keyboard.type("4.3 metres")
    press("Enter")
    expect(answer(tab, 2)).to_be_focused()
    tab.page.keyboard.type("how high a bus is today")
    press("Tab")
    press("Space")
    expect(step(tab, 3)).to_contain_text("not in the paragraphs")
    press("Tab")
    # From the reference links on to the choices.
    for _ in range(4):
        if step(tab, 3).get_by_label("Yes", exact=True).evaluate("node => node === document.activeElement"):
            break
        press("Tab")
    press("Space")
    press("ArrowDown")
    press("ArrowDown")
    expect(step(tab, 3).get_by_label("What is missing?")).to_be_visible()
    tab.saved()
    press("Control+Enter")
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()
    assert stored(site, hit) == LACKING.answer["answers"]


def test_findings_stand_at_the_step_that_they_concern(tab: Tab) -> None:
    step(tab, 1).get_by_label("The paragraphs don’t say").check()
    step(tab, 3).get_by_label("No", exact=True).check()
    expect(step(tab, 3)).to_contain_text("needs the answer of step 1, which you marked as missing")
    tab.task.get_by_role("button", name="Hand in").click()
    tab.task.get_by_role("link", name=re.compile("Step 2: please answer it")).click()
    expect(answer(tab, 2)).to_be_focused()
    expect(step(tab, 2)).to_contain_text("please answer it, or mark that the paragraphs don’t say")


def test_a_draft_comes_back_after_a_reload(tab: Tab) -> None:
    answer(tab, 1).fill("4.3 metres")
    step(tab, 2).get_by_label("The paragraphs don’t say").check()
    step(tab, 2).get_by_label("What is missing?").fill("the height")
    step(tab, 3).get_by_label("Yes", exact=True).check()
    tab.saved().reload()
    expect(answer(tab, 1)).to_have_value("4.3 metres")
    expect(step(tab, 2).get_by_label("What is missing?")).to_have_value("the height")
    expect(step(tab, 3).get_by_label("Yes", exact=True)).to_be_checked()


def test_without_script_answers_are_written_one_a_line(site: Site, chromium: Browser, hit: dict) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.task_address(hit, assignmentId=f"3{hit['token'].upper()}", workerId="APLAINWORKER"))
    expect(page.get_by_text("A grown giraffe stands 4.3 to 5.7 metres tall.").last).to_be_visible()
    page.get_by_role("textbox", name="Your answers").fill("1: 4.3 metres\n3: it is not")
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#summary")).to_contain_text("Step 2: please answer it")
    page.get_by_role("textbox", name="Your answers").fill("1: 4.3 metres\n2: ? how high a bus is today\n3: ?")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", name="Received")).to_be_visible()
    assert stored(site, hit) == LACKING.answer["answers"]
    context.close()


def test_what_was_answered_without_script_is_there_when_it_runs(
    site: Site, chromium: Browser, open_tab: Callable[..., Tab], hit: dict
) -> None:
    plain = chromium.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(site.task_address(hit, assignmentId=f"3{hit['token'].upper()}", workerId="ABROWSERWORKER"))
    page.get_by_role("textbox", name="Your answers").fill("1: 4.3 metres\n3: No")
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#summary")).to_contain_text("Step 2: please answer it")
    plain.close()
    tab = open_tab().ready()
    expect(step(tab, 3).get_by_label("No", exact=True)).to_be_checked()
    answer(tab, 2).fill("4.4 metres")
    hand_in(tab)
    assert stored(site, hit) == WHOLE.answer["answers"]


def test_the_page_reads_and_writes_lines_as_the_server_does(tab: Tab) -> None:
    dice = random.Random(3)
    several = [
        [
            {"answer": "".join(dice.choices("a 1?\\:é", k=dice.randint(0, 5))).strip(), "cannot": dice.random() < 0.3}
            for _ in range(dice.randint(0, 4))
        ]
        for _ in range(200)
    ]
    lines = [FIELD.present(answers) for answers in several]
    odd = ["2: b\n1: a", "a\n\nb", "3:x", "1: \\? a", "12: ?", ": a", " 2 : a \r\nb", "1: \\x"]
    written, read = tab.page.frames[1].evaluate(
        """async ([several, lines]) => {
            const rules = await import("/static/js/fields/stepanswers/lines.js");
            return [several.map(rules.write), lines.map(rules.read)];
        }""",
        [several, lines + odd],
    )
    assert written == lines
    assert read == [FIELD.parse([text]) for text in lines + odd]


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_violations_and_fits(
    open_tab: Callable[..., Tab], context: BrowserContext, viewport: dict, scheme: str
) -> None:
    tab = open_tab()
    tab.page.set_viewport_size(viewport)
    tab.page.emulate_media(color_scheme=scheme)
    tab.ready()
    answer(tab, 1).fill("as tall as " + "many " * 15 + "others")
    step(tab, 2).get_by_label("The paragraphs don’t say").check()
    step(tab, 3).get_by_label("Yes", exact=True).check()
    expect(step(tab, 3)).to_contain_text("which you marked as missing")
    frame = tab.page.frames[1]
    assert frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    found = Axe().run(frame)
    assert not found.response["violations"], found.generate_report()
