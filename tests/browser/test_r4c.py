"""A worker answers from articles and derives the answer: by mouse, by keyboard alone, on a phone, without script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, expect

from tasks import registry
from tests.browser.conftest import PHONE, WIDE, Tab
from tests.browser.stack import Site

EXAMPLES = registry.task_type("r4c.derivation").examples()
PAYLOAD = EXAMPLES[0].item
BUILT = {"title": "Ada Bell", "sentence": 1, "head": "Ada Bell", "relation": "built", "tail": "the Red Mill"}
STANDS = {"title": "Red Mill", "sentence": 1, "head": "the Red Mill", "relation": "stands in", "tail": "Torwich"}


@pytest.fixture
def hit(site: Site) -> dict:
    return site.call("make_hit_of", task_type="r4c.derivation", payloads=[PAYLOAD], is_prepared=True)


def sentence(tab: Tab, title: str, number: int):
    return tab.task.locator(f'[data-article="{title}"] [data-sentence="{number}"] button')


def part(tab: Tab, step: int, name: str):
    return tab.task.locator(".step").nth(step).get_by_label(name, exact=True)


def write(tab: Tab, step: int, head: str, relation: str, tail: str) -> None:
    for name, text in (("Head", head), ("Relation", relation), ("Tail", tail)):
        part(tab, step, name).fill(text)


def do_all(tab: Tab) -> None:
    tab.task.get_by_role("radio", name="Torwich").check()
    sentence(tab, "Ada Bell", 1).click()
    write(tab, 0, "Ada Bell", "built", "the Red Mill")
    sentence(tab, "Red Mill", 1).click()
    write(tab, 1, "the Red Mill", "stands in", "Torwich")


def stored(site: Site, hit: dict) -> dict:
    answers = site.call("assignment", token=hit["token"])["answers"]
    return answers[str(hit["items"][0])]


def test_an_answer_and_its_derivation_are_stored_as_they_were_written(site: Site, tab: Tab, hit: dict) -> None:
    do_all(tab)
    tab.saved()
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()
    assert stored(site, hit) == {"choice": "Torwich", "steps": [BUILT, STANDS]}


def test_the_keyboard_alone_is_enough(site: Site, tab: Tab, hit: dict) -> None:
    press = tab.page.keyboard.press
    tab.task.get_by_role("radio", name="Torwich").focus()
    press("Space")
    tab.task.get_by_role("button", name="Choose a sentence").focus()
    press("Enter")
    expect(tab.task.locator(".fact .sentence").first).to_be_focused()
    target = sentence(tab, "Ada Bell", 1)
    press("Home")
    for _ in range(80):
        if target.evaluate("node => node === document.activeElement"):
            break
        press("ArrowDown")
    press("Enter")
    expect(part(tab, 0, "Head")).to_be_focused()
    tab.page.keyboard.type("ada")
    expect(tab.task.get_by_role("option").first).to_contain_text("Ada Bell")
    press("ArrowDown")
    press("Enter")
    expect(part(tab, 0, "Head")).to_have_value("Ada Bell")
    expect(part(tab, 0, "Relation")).to_be_focused()
    tab.page.keyboard.type("built")
    press("Tab")
    tab.page.keyboard.type("the red")
    expect(tab.task.get_by_role("option").first).to_contain_text("the Red Mill")
    press("ArrowDown")
    press("Enter")
    expect(tab.task.get_by_role("button", name="Choose another sentence")).to_be_focused()
    press("Enter")
    press("PageUp")
    for _ in range(80):
        if sentence(tab, "Red Mill", 1).evaluate("node => node === document.activeElement"):
            break
        press("ArrowUp")
    else:
        sentence(tab, "Red Mill", 1).focus()
    press("Enter")
    for text in ("the Red Mill", "stands in", "Torwich"):
        tab.page.keyboard.type(text)
        press("Escape")
        press("Tab")
    tab.saved()
    press("Control+Enter")
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()
    assert stored(site, hit)["steps"] == [BUILT, STANDS]


def test_steps_are_moved_cited_anew_and_removed(tab: Tab) -> None:
    do_all(tab)
    tab.task.get_by_role("button", name="Step 2: move up").click()
    expect(part(tab, 0, "Head")).to_have_value("the Red Mill")
    part(tab, 0, "Tail").press("Alt+ArrowDown")
    expect(part(tab, 1, "Head")).to_have_value("the Red Mill")
    expect(part(tab, 1, "Tail")).to_be_focused()
    tab.task.get_by_role("button", name="Other sentence").nth(1).click()
    expect(sentence(tab, "Red Mill", 1)).to_be_focused()
    sentence(tab, "Red Mill", 0).click()
    expect(tab.task.locator(".step").nth(1)).to_contain_text("Red Mill, 1:")
    expect(part(tab, 1, "Tail")).to_have_value("Torwich")
    tab.task.get_by_role("button", name="Step 1: remove").click()
    expect(tab.task.locator(".step")).to_have_count(1)


def test_the_graph_grows_with_the_steps_and_says_what_it_shows(tab: Tab) -> None:
    do_all(tab)
    graph = tab.task.get_by_role("img", name=re.compile("Your steps as a graph"))
    expect(graph).to_have_accessible_name(
        "Your steps as a graph. Ada Bell built the Red Mill. the Red Mill stands in Torwich."
    )
    expect(graph.locator(".node")).to_have_count(3)
    expect(graph.locator(".edge")).to_have_count(2)


def test_a_draft_comes_back_after_a_reload(tab: Tab) -> None:
    do_all(tab)
    tab.saved().reload()
    expect(part(tab, 1, "Relation")).to_have_value("stands in")
    expect(tab.task.get_by_role("radio", name="Torwich")).to_be_checked()
    expect(sentence(tab, "Red Mill", 1)).to_have_class(re.compile("used"))


def test_findings_stand_beside_the_steps(tab: Tab) -> None:
    tab.task.get_by_role("radio", name="Torwich").check()
    sentence(tab, "Ada Bell", 1).click()
    part(tab, 0, "Head").fill("Ada Bell")
    expect(tab.task.get_by_text("Step 1 has no relation.")).to_be_visible()
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.locator("#summary")).to_be_focused()
    tab.task.get_by_role("link", name="Step 1 has no relation.").click()
    expect(part(tab, 0, "Head")).to_be_focused()


def test_sentences_are_found_in_a_long_context(tab: Tab) -> None:
    tab.task.get_by_role("searchbox", name="Find in the articles").fill("reaches the sea")
    found = sentence(tab, "Lune (river)", 1)
    expect(found).to_have_class(re.compile("found"))
    expect(found).to_be_visible()
    expect(tab.task.get_by_text("1 sentence", exact=True)).to_be_visible()


def test_without_a_reading_by_the_model_the_page_says_so(site: Site, open_tab: Callable[..., Tab], hit: dict) -> None:
    hit |= site.call("make_hit_of", task_type="r4c.derivation", payloads=[PAYLOAD])
    tab = open_tab().ready()
    sentence(tab, "Ada Bell", 1).click()
    part(tab, 0, "Head").fill("ad")
    expect(tab.task.get_by_role("option").first).to_contain_text("Ada Bell")
    expect(tab.task.get_by_text("Suggestions are simple ones for now")).to_be_visible()


def test_without_script_steps_are_written_one_a_line(site: Site, chromium: Browser, hit: dict) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.task_address(hit, assignmentId=f"3{hit['token'].upper()}", workerId="APLAINWORKER"))
    page.get_by_role("radio", name="Torwich").check()
    lines = "Ada Bell | 2 | Ada Bell | built | the Red Mill\nRed Mill | 2 | the Red Mill | stands in | Torwich"
    page.get_by_role("textbox", name="Part 2").fill(lines)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", name="Received")).to_be_visible()
    assert stored(site, hit) == {"choice": "Torwich", "steps": [BUILT, STANDS]}
    context.close()


def long_payload() -> dict:
    """An item of 14,000 characters, as the public data has them."""
    filler = [
        {
            "title": f"Village {number}",
            "sentences": [f"Village {number} has a well, a green and {n} old barns by the road." for n in range(3, 9)]
            * 3,
        }
        for number in range(14)
    ]
    return PAYLOAD | {"articles": [*PAYLOAD["articles"], *filler]}


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_violations_and_fits(
    site: Site, context: BrowserContext, open_tab: Callable[..., Tab], hit: dict, viewport: dict, scheme: str
) -> None:
    hit |= site.call("make_hit_of", task_type="r4c.derivation", payloads=[long_payload()], is_prepared=True)
    tab = open_tab()
    tab.page.set_viewport_size(viewport)
    tab.page.emulate_media(color_scheme=scheme)
    tab.ready()
    do_all(tab)
    tab.task.get_by_role("button", name="Open all articles").click()
    part(tab, 1, "Tail").fill("tor")
    expect(tab.task.get_by_role("option").first).to_be_visible()
    frame = tab.page.frames[1]
    overflow = frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
    found = Axe().run(frame)
    assert not found.response["violations"], found.generate_report()


@pytest.mark.parametrize("name", ["answerability", "derivability"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_judging_pages_have_no_accessibility_violations(
    site: Site, open_tab: Callable[..., Tab], hit: dict, name: str, viewport: dict
) -> None:
    kind = registry.task_type(f"r4c.{name}")
    hit |= site.call("make_hit_of", task_type=kind.name, payloads=[kind.examples()[0].item])
    tab = open_tab()
    tab.page.set_viewport_size(viewport)
    tab.ready()
    found = Axe().run(tab.page.frames[1])
    assert not found.response["violations"], found.generate_report()
