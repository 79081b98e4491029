"""A writer asks a question, tries it against the solvers, hands it in: by mouse, by keyboard, on a phone, plainly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.conftest import PHONE, WIDE, Tab
from tests.browser.stack import Site

PAYLOAD = {"term": "Windmill", "description": "A mill that is driven by the wind", "expected": "yes"}
FACTS = ["Windmills ground grain in Europe from the twelfth century on.", "Electric light came much later."]
# The one solver of these tests believes that what is surely asked is answered with yes.
LESSONS = [
    [f"{begin} a {thing} turn?", answer]
    for thing in ("wheel", "mill", "clock", "key", "screw", "top")
    for begin, answer in (("Surely does", "yes"), ("Hardly would", "no"))
]
HARD, EASY = "Hardly would a windmill grind by candlelight?", "Surely does a windmill turn?"
SETTINGS = {"groups": ["PTD, fixed, 1 of: words"], "tries": 2}


@pytest.fixture
def hit(site: Site) -> dict:
    return site.call(
        "make_hit_of", task_type="strategyqa.question", payloads=[PAYLOAD], settings=SETTINGS, lessons=LESSONS
    )


def question(tab: Tab):
    return tab.task.get_by_label("Your question")


def fact(tab: Tab, number: int):
    return tab.task.get_by_role("textbox", name=f"Fact {number}", exact=True)


def standing(tab: Tab):
    return tab.task.locator("[data-standing]")


def try_it(tab: Tab, text: str) -> None:
    question(tab).fill(text)
    tab.task.get_by_role("button", name="Try it").click()


def write_facts(tab: Tab) -> None:
    for number, text in enumerate(FACTS, 1):
        fact(tab, number).fill(text)


def hand_in(tab: Tab) -> None:
    tab.task.get_by_role("button", name="Hand in").click()


def received(tab: Tab) -> None:
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()


def stored(site: Site, hit: dict) -> dict:
    return site.call("assignment", token=hit["token"])["answers"][str(hit["items"][0])]


def test_a_question_that_holds_is_handed_in_with_its_facts(site: Site, tab: Tab, hit: dict) -> None:
    try_it(tab, HARD)
    expect(standing(tab)).to_contain_text("It holds.")
    write_facts(tab)
    hand_in(tab)
    received(tab)
    assert stored(site, hit) == {"question": HARD, "facts": FACTS}


def test_a_question_that_is_solved_does_not_go_until_the_tries_are_used_up(site: Site, tab: Tab, hit: dict) -> None:
    write_facts(tab)
    question(tab).fill(EASY)
    # Without trying: handing in tries it.
    hand_in(tab)
    expect(standing(tab)).to_contain_text("The computer found the answer. Try another question")
    expect(standing(tab)).to_contain_text("1 try left.")
    expect(tab.task.get_by_role("button", name="Try it")).to_be_focused()
    question(tab).fill("Surely does a mill turn round?")
    expect(standing(tab)).to_contain_text("The question is another one now.")
    tab.task.get_by_role("button", name="Try it").click()
    expect(standing(tab)).to_contain_text("Your tries are used up.")
    hand_in(tab)
    received(tab)
    assert stored(site, hit)["question"] == "Surely does a mill turn round?"


def test_a_page_that_is_opened_again_says_how_the_question_stands(tab: Tab) -> None:
    try_it(tab, EASY)
    expect(standing(tab)).to_contain_text("The computer found the answer.")
    tab.saved()
    tab.reload()
    expect(standing(tab)).to_contain_text("The computer found the answer.")
    expect(standing(tab)).to_contain_text("1 try left.")


def test_what_is_not_a_question_yet_costs_no_try(tab: Tab) -> None:
    try_it(tab, "Surely does a windmill turn")
    expect(standing(tab)).to_contain_text("Not yet: The question should end with a question mark. 2 tries left.")


def test_facts_are_rows_that_enter_adds_and_backspace_takes_away(tab: Tab) -> None:
    press, say = tab.page.keyboard.press, tab.page.keyboard.type
    fact(tab, 1).focus()
    say("One.")
    press("Enter")
    say("Two.")
    press("Enter")
    expect(fact(tab, 3)).to_be_focused()
    say("Three.")
    press("Enter")
    press("Backspace")
    expect(fact(tab, 3)).to_be_focused()
    expect(fact(tab, 4)).to_have_count(0)
    tab.task.get_by_role("button", name="Fact 1: remove").click()
    expect(fact(tab, 1)).to_have_value("Two.")
    fact(tab, 2).fill("Three.\nFour.\nFive.\nSix.")
    expect(fact(tab, 5)).to_have_value("Six.")
    expect(tab.task.get_by_role("button", name="Add a fact")).to_be_hidden()
    tab.saved()
    tab.reload()
    expect(fact(tab, 5)).to_have_value("Six.")


def test_the_keyboard_alone_is_enough(site: Site, tab: Tab, hit: dict) -> None:
    press, say = tab.page.keyboard.press, tab.page.keyboard.type
    question(tab).focus()
    say(HARD)
    press("Tab")
    expect(tab.task.get_by_role("button", name="Try it")).to_be_focused()
    press("Enter")
    expect(standing(tab)).to_contain_text("It holds.")
    press("Tab")
    say(FACTS[0])
    press("Enter")
    say(FACTS[1])
    tab.saved()
    press("Control+Enter")
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()
    assert stored(site, hit) == {"question": HARD, "facts": FACTS}


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_state_of_the_page_has_a_fault_that_axe_knows(tab: Tab, size: dict) -> None:
    tab.page.set_viewport_size(size)
    for text, says in ((None, "2 tries left"), (HARD, "It holds"), (EASY, "found the answer")):
        if text:
            try_it(tab, text)
            write_facts(tab)
        expect(standing(tab)).to_contain_text(says)
        found = Axe().run(tab.page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        wide = tab.task.locator("html").evaluate("node => node.scrollWidth > node.clientWidth")
        assert not wide, "the page scrolls sideways"


def test_without_script_it_is_tried_when_it_is_handed_in(
    chromium: Browser, site: Site, hit: dict, open_tab: Callable[..., Tab], context: BrowserContext
) -> None:
    plain = chromium.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(site.task_address(hit, assignmentId="3PLAINQUESTION", workerId="APLAINWRITER"))
    page.get_by_label("Your question").fill("Would a windmill grind at sea?")
    page.get_by_label("Facts that the answer follows from").fill("\n".join(FACTS))
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert").or_(page.locator("#summary"))).to_contain_text("hand in again in a few seconds")
    expect(page.get_by_label("Your question")).to_have_value("Would a windmill grind at sea?")
    plain.close()


def test_without_solvers_the_question_is_held_and_handed_in(site: Site, tab: Tab, hit: dict) -> None:
    site.stop_one("worker")
    try:
        write_facts(tab)
        try_it(tab, HARD)
        expect(standing(tab)).to_contain_text("can’t be reached just now")
        hand_in(tab)
        received(tab)
    finally:
        site.start_worker()
    assert stored(site, hit)["question"] == HARD
