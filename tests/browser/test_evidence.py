"""A worker matches evidence to steps: by drag and drop, by keyboard alone, on a phone, without script."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, expect

from tasks import registry
from tests.browser.conftest import PHONE, WIDE, Tab
from tests.browser.stack import Site

CORPUS = Path(__file__).parent / "corpus" / "giraffes.jsonl"
PAYLOAD = registry.task_type("strategyqa.matching").examples()[0].item
GIRAFFE, BUS = "Giraffe-2", "Double-decker bus-1"
NOTHING = {"paragraphs": None, "is_operation": False, "lacks_evidence": False}
OPERATION = NOTHING | {"is_operation": True}


@pytest.fixture
def hit(site: Site) -> dict:
    return site.call("make_hit_of", task_type="strategyqa.matching", payloads=[PAYLOAD], corpus=str(CORPUS))


def search(tab: Tab, text: str) -> None:
    tab.task.get_by_role("searchbox").fill(text)
    tab.task.get_by_role("searchbox").press("Enter")
    expect(tab.task.locator(".search-state")).to_contain_text(f"“{text}”")


def paragraph(tab: Tab, name: str) -> Locator:
    return tab.task.locator(f'.search [data-paragraph="{name}"]')


def step(tab: Tab, number: int) -> Locator:
    return tab.task.locator(f'[data-step="{number}"]')


def found(tab: Tab, number: int, name: str) -> Locator:
    return step(tab, number).locator(f'[data-found="{name}"]')


def use(tab: Tab, name: str, number: int) -> None:
    paragraph(tab, name).get_by_role("button", name=f"Use for step {number}").click()


def do_all(tab: Tab) -> None:
    search(tab, "grown giraffe tall")
    use(tab, GIRAFFE, 1)
    search(tab, "double-decker bus high")
    use(tab, BUS, 2)
    tab.task.get_by_role("button", name="Step 3", exact=True).click()
    step(tab, 3).get_by_label("Operation").check()


def stored(site: Site, hit: dict) -> dict:
    return site.call("assignment", token=hit["token"])["answers"][str(hit["items"][0])]


def hand_in(tab: Tab) -> None:
    tab.saved()
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()


def test_paragraphs_are_dragged_to_steps_one_of_them_to_two(site: Site, tab: Tab, hit: dict) -> None:
    search(tab, "grown giraffe tall")
    paragraph(tab, GIRAFFE).drag_to(step(tab, 1))
    expect(found(tab, 1, GIRAFFE)).to_contain_text("A grown giraffe stands 4.3 to 5.7 metres tall")
    search(tab, "double-decker bus high")
    paragraph(tab, BUS).drag_to(step(tab, 2))
    step(tab, 3).scroll_into_view_if_needed()
    found(tab, 2, BUS).drag_to(step(tab, 3))
    step(tab, 1).scroll_into_view_if_needed()
    found(tab, 1, GIRAFFE).drag_to(step(tab, 2))
    expect(found(tab, 2, GIRAFFE)).to_be_visible()
    expect(found(tab, 1, GIRAFFE)).to_be_visible()
    expect(tab.task.locator("[data-state]")).to_have_text("Done")
    hand_in(tab)
    assert [one["paragraphs"] for one in stored(site, hit)["matched"]] == [[GIRAFFE], [BUS, GIRAFFE], [BUS]]


def test_the_keyboard_alone_is_enough(site: Site, tab: Tab, hit: dict) -> None:
    press = tab.page.keyboard.press
    tab.task.get_by_role("button", name="Step 1", exact=True).focus()
    press("Enter")
    expect(tab.task.get_by_role("searchbox")).to_be_focused()
    tab.page.keyboard.type("grown giraffe tall")
    press("Enter")
    expect(tab.task.locator(".search-state")).to_contain_text("“grown giraffe tall”")
    press("ArrowDown")
    expect(paragraph(tab, GIRAFFE)).to_be_focused()
    press("Enter")
    expect(found(tab, 1, GIRAFFE)).to_be_visible()
    press("3")
    expect(found(tab, 3, GIRAFFE)).to_be_visible()
    press("Control+z")
    expect(found(tab, 3, GIRAFFE)).to_have_count(0)
    press("Escape")
    expect(tab.task.get_by_role("searchbox")).to_be_focused()
    press("Alt+2")
    expect(tab.task.get_by_role("button", name="Step 2", exact=True)).to_have_attribute("aria-pressed", "true")
    tab.page.keyboard.type("bus")
    press("Enter")
    expect(tab.task.locator(".search-state")).to_contain_text("“bus”")
    press("ArrowDown")
    for _ in range(10):
        if paragraph(tab, BUS).evaluate("node => node === document.activeElement"):
            break
        press("ArrowDown")
    press("p")
    here = tab.task.locator(f'dialog[open] [data-paragraph="{BUS}"]')
    expect(here).to_be_focused()
    press("Enter")
    expect(here.get_by_role("button", name="Use for step 2")).to_have_attribute("aria-pressed", "true")
    press("Escape")
    expect(paragraph(tab, BUS)).to_be_focused()
    for _ in range(30):
        press("Shift+Tab")
        if step(tab, 3).get_by_label("Operation").evaluate("node => node === document.activeElement"):
            break
    press("Space")
    tab.saved()
    press("Control+Enter")
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()
    first, second = ({**NOTHING, "paragraphs": [name]} for name in (GIRAFFE, BUS))
    assert stored(site, hit) == {"matched": [first, second, OPERATION], "flags": [], "reason": ""}


def test_a_phone_shows_one_column_with_the_chosen_step_in_view(site: Site, open_tab: Callable[..., Tab]) -> None:
    tab = open_tab()
    tab.page.set_viewport_size(PHONE)
    tab.ready()
    search(tab, "giraffe metres tall")
    paragraph(tab, "Giraffe-3").scroll_into_view_if_needed()
    chosen = tab.task.locator(".chosen-step")
    expect(chosen).to_be_in_viewport()
    expect(chosen).to_contain_text("How tall is a grown giraffe?")
    use(tab, "Giraffe-3", 1)
    chosen.get_by_role("button", name="Search for step 3").click()
    expect(chosen).to_contain_text("Is #1 more than #2?")
    expect(found(tab, 1, "Giraffe-3")).to_have_count(1)
    step(tab, 3).get_by_label("Operation").check()
    expect(step(tab, 1).get_by_label("Operation")).to_be_hidden()


def test_the_steps_stay_in_view_beside_long_results(tab: Tab) -> None:
    search(tab, "giraffe metres")
    tab.task.locator(".search [data-paragraph]").nth(5).scroll_into_view_if_needed()
    expect(tab.task.get_by_role("button", name="Step 1", exact=True)).to_be_in_viewport()


def test_what_was_collected_comes_back_with_its_texts(tab: Tab) -> None:
    do_all(tab)
    tab.saved().reload()
    expect(found(tab, 1, GIRAFFE)).to_contain_text("A grown giraffe stands")
    expect(step(tab, 3).get_by_label("Operation")).to_be_checked()
    step(tab, 2).get_by_role("button", name="remove").click()
    expect(found(tab, 2, BUS)).to_have_count(0)
    expect(tab.task.get_by_role("button", name="Step 2", exact=True)).to_be_focused()
    tab.task.get_by_role("button", name="Undo").click()
    expect(found(tab, 2, BUS)).to_contain_text("two floors")


def test_the_whole_page_is_read_around_a_paragraph_and_used_from_there(tab: Tab) -> None:
    search(tab, "giraffe calf birth")
    paragraph(tab, "Giraffe-3").get_by_role("button", name="Whole page").click()
    page = tab.task.get_by_role("dialog", name="Giraffe")
    expect(page.get_by_role("article")).to_have_count(6)
    expect(page.locator('[data-paragraph="Giraffe-3"]')).to_be_focused()
    page.locator('[data-paragraph="Giraffe-2"]').get_by_role("button", name="Use for step 1").click()
    page.get_by_role("button", name="Close").click()
    expect(found(tab, 1, "Giraffe-2")).to_be_visible()
    expect(paragraph(tab, "Giraffe-3").get_by_role("button", name="Whole page")).to_be_focused()


def test_more_results_come_when_asked_for_and_none_is_said(tab: Tab) -> None:
    search(tab, "giraffes")
    results = tab.task.locator(".search [data-paragraph]")
    expect(results).to_have_count(10)
    tab.task.get_by_role("button", name="More results (10 of").click()
    expect(results.nth(10)).to_be_focused()
    expect(results.nth(10).locator("mark").first).to_be_visible()
    search(tab, "zeppelins")
    expect(tab.task.get_by_text("Nothing holds “zeppelins”")).to_be_visible()
    expect(results).to_have_count(0)


def test_while_the_search_is_away_nothing_is_lost(tab: Tab) -> None:
    search(tab, "grown giraffe tall")
    use(tab, GIRAFFE, 1)
    tab.page.route(re.compile(r"/paragraphs\?"), lambda route: route.abort())
    tab.task.get_by_role("searchbox").fill("bus")
    tab.task.get_by_role("searchbox").press("Enter")
    expect(tab.task.locator(".search-state")).to_contain_text("Your work is kept")
    expect(found(tab, 1, GIRAFFE)).to_be_visible()
    expect(paragraph(tab, GIRAFFE)).to_be_visible()
    tab.page.unroute(re.compile(r"/paragraphs\?"))
    tab.task.get_by_role("button", name="Try again").click()
    expect(tab.task.locator(".search-state")).to_contain_text("“bus”")


def test_a_step_that_is_marked_oddly_is_asked_about_beside_it(tab: Tab) -> None:
    step(tab, 1).get_by_label("Operation").check()
    expect(step(tab, 1).get_by_text("Step 1: it is not the last one.")).to_be_visible()
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.locator("#summary")).to_be_focused()
    tab.task.get_by_role("link", name="Step 2: choose a paragraph").click()
    expect(step(tab, 2).locator(":focus")).to_have_count(1)


def test_a_wrong_answer_is_flagged_with_its_reason(site: Site, tab: Tab, hit: dict) -> None:
    do_all(tab)
    tab.task.get_by_label("The answer above is wrong").check()
    tab.task.get_by_label("Why is it wrong?").fill("Most giraffes are smaller.")
    hand_in(tab)
    answer = stored(site, hit)
    assert (answer["flags"], answer["reason"]) == (["answer_incorrect"], "Most giraffes are smaller.")


def test_references_lead_to_their_steps(tab: Tab) -> None:
    reference = step(tab, 3).get_by_role("link", name="the answer of step #1")
    reference.click()
    assert tab.page.frames[1].evaluate("location.hash") == f"#{step(tab, 1).get_attribute('id')}"


def test_without_script_paragraphs_are_named_a_line_a_step(site: Site, chromium: Browser, hit: dict) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.task_address(hit, assignmentId=f"3{hit['token'].upper()}", workerId="APLAINWORKER"))
    field = page.get_by_role("textbox", name="Evidence for each step")
    field.fill(f"1: {GIRAFFE}\n2: Bus-99\n3: operation")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert").get_by_text("Step 2: there is no paragraph “Bus-99”.")).to_be_visible()
    field.fill(f"1: {GIRAFFE}\n2: {BUS} | no_evidence\n3: operation")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", name="Received")).to_be_visible()
    assert stored(site, hit)["matched"][1] == {"paragraphs": [BUS], "is_operation": False, "lacks_evidence": True}
    context.close()


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_violations_and_fits(
    open_tab: Callable[..., Tab], viewport: dict, scheme: str
) -> None:
    tab = open_tab()
    tab.page.set_viewport_size(viewport)
    tab.page.emulate_media(color_scheme=scheme)
    tab.ready()
    do_all(tab)
    frame = tab.page.frames[1]
    for is_page_open in (False, True):
        if is_page_open:
            paragraph(tab, BUS).get_by_role("button", name="Whole page").click()
            expect(tab.task.locator("dialog[open] [data-paragraph]").first).to_be_visible()
        overflow = frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 0
        violations = Axe().run(frame)
        assert not violations.response["violations"], violations.generate_report()
