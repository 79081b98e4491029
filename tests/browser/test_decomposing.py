"""A worker parts a strategy question into steps: by mouse, by keyboard alone, on a phone, without script."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, expect

from tasks import registry
from tasks.strategyqa.decomposition import references, renumbered
from tasks.text import STOP_WORDS
from tests.browser.conftest import PHONE, WIDE, Tab
from tests.browser.stack import Site

KIND = registry.task_type("strategyqa.decomposing")
EXAMPLE = KIND.examples()[0]
STEPS = EXAMPLE.answer["steps"]
VECTORS = Path(__file__).parents[1] / "tasks" / "strategyqa" / "vectors.json"


@pytest.fixture
def hit(site: Site) -> dict:
    return site.call("make_hit_of", task_type=KIND.name, payloads=[EXAMPLE.item])


def text(tab: Tab, step: int):
    return tab.task.locator(".step").nth(step - 1).get_by_label("Question", exact=True)


def wiki(tab: Tab, step: int):
    return tab.task.locator(".step").nth(step - 1).get_by_label("Wikipedia page", exact=True)


def write(tab: Tab, *texts: str) -> None:
    for number, said in enumerate(texts, 1):
        if number > 1:
            tab.task.get_by_role("button", name="Add a step").click()
        text(tab, number).fill(said)


def do_all(tab: Tab) -> None:
    write(tab, *(step["text"] for step in STEPS))
    for number, step in enumerate(STEPS, 1):
        wiki(tab, number).fill(step["page"])


def texts(tab: Tab) -> list[str]:
    return [box.input_value() for box in tab.task.locator(".step textarea").all()]


def stored(site: Site, hit: dict) -> dict:
    return site.call("assignment", token=hit["token"])["answers"][str(hit["items"][0])]


def hand_in(tab: Tab) -> None:
    tab.saved()
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()


def test_steps_are_stored_as_they_were_written(site: Site, tab: Tab, hit: dict) -> None:
    do_all(tab)
    hand_in(tab)
    assert stored(site, hit) == {"steps": STEPS, "flags": [], "reason": ""}


def test_the_keyboard_alone_is_enough(site: Site, tab: Tab, hit: dict) -> None:
    press, type_ = tab.page.keyboard.press, tab.page.keyboard.type
    bus, giraffe, last = STEPS
    text(tab, 1).focus()
    type_(giraffe["text"])
    press("Enter")
    expect(wiki(tab, 1)).to_be_focused()
    type_(giraffe["page"])
    press("Enter")
    expect(text(tab, 2)).to_be_focused()
    type_(bus["text"])
    press("Enter")
    type_(bus["page"])
    press("Enter")
    # The answers of both, put in by a key.
    type_("Is")
    press("Alt+Digit1")
    type_(" greater than")
    press("Alt+Digit2")
    type_("?")
    expect(text(tab, 3)).to_have_value("Is #1 greater than #2?")
    # The bus goes first: what was #1 is #2 now.
    press("Shift+Tab")
    for _ in range(20):
        if text(tab, 2).evaluate("node => node === document.activeElement"):
            break
        press("Shift+Tab")
    press("Alt+ArrowUp")
    expect(text(tab, 1)).to_be_focused()
    expect(text(tab, 3)).to_have_value(last["text"])
    tab.saved()
    press("Control+Enter")
    expect(tab.task.get_by_text("The marketplace has your work.")).to_be_visible()
    assert stored(site, hit)["steps"] == STEPS


def test_references_follow_when_a_step_is_dragged(tab: Tab) -> None:
    tab.page.set_viewport_size({"width": 1280, "height": 1600})
    write(tab, "A?", "B of #1?", "C?", "Is #2 like #3?")
    handle = tab.task.locator(".step").nth(2).locator("[data-handle]")
    handle.scroll_into_view_if_needed()
    start, goal = handle.bounding_box(), tab.task.locator(".step").nth(0).bounding_box()
    mouse = tab.page.mouse
    mouse.move(start["x"] + 8, start["y"] + 8)
    mouse.down()
    mouse.move(start["x"] + 8, start["y"] - 60, steps=4)
    mouse.move(goal["x"] + 30, goal["y"] + 6, steps=4)
    expect(tab.task.locator(".step.drop-before")).to_have_count(1)
    mouse.up()
    expect(text(tab, 1)).to_have_value("C?")
    assert texts(tab) == renumbered(["A?", "B of #1?", "C?", "Is #2 like #3?"], [3, 1, 2, 4])


def test_a_removed_step_leaves_a_question_where_it_was_used_and_can_come_back(tab: Tab) -> None:
    write(tab, "A?", "B?", "Is #1 like #2?")
    tab.task.get_by_role("button", name="Step 1: remove").click()
    expect(text(tab, 1)).to_be_focused()
    assert texts(tab) == ["B?", "Is #? like #1?"]
    expect(tab.task.get_by_text("Step 2 referred to a step that was removed")).to_be_visible()
    tab.task.get_by_role("button", name="Undo").click()
    expect(tab.task.locator(".step")).to_have_count(3)
    assert texts(tab) == ["A?", "B?", "Is #1 like #2?"]


def test_an_answer_is_put_in_by_a_click_where_the_caret_is(tab: Tab) -> None:
    write(tab, "A?", "Is  old?")
    text(tab, 2).evaluate("node => node.setSelectionRange(3, 3)")
    tab.task.get_by_role("button", name="Put in the answer of step 1").click()
    expect(text(tab, 2)).to_have_value("Is #1 old?")
    expect(text(tab, 2)).to_be_focused()


def test_findings_stand_at_the_step_that_they_concern(tab: Tab) -> None:
    write(tab, "How tall is a bus?", "How tall is a giraffe?", "Is #1 more than #7?")
    steps = tab.task.locator(".step")
    # What may still come is no fault yet.
    expect(steps.nth(1)).to_contain_text("Still open: No later step uses the answer of step 2.")
    expect(steps.nth(2)).to_contain_text("Step 3 refers to #7, but there is no such step.")
    expect(text(tab, 3)).to_have_attribute("aria-invalid", "true")
    expect(text(tab, 1)).not_to_have_attribute("aria-invalid", "true")
    tab.task.get_by_role("button", name="Hand in").click()
    expect(tab.task.locator("#summary")).to_be_focused()
    expect(steps.nth(1)).to_contain_text("Please fix: No later step uses the answer of step 2.")
    tab.task.get_by_role("link", name="Step 3 refers to #7").click()
    expect(text(tab, 3)).to_be_focused()
    text(tab, 3).fill("Is #1 more than #2?")
    expect(steps.nth(1).locator(".finding.block")).to_have_count(0)


def test_a_question_whose_steps_are_not_all_used_is_not_done_yet(tab: Tab) -> None:
    write(tab, "How tall is a bus?", "How tall is a giraffe?")
    expect(tab.task.get_by_text("Still open:")).to_be_visible()
    expect(tab.task.locator("[data-state]")).to_have_text("")
    write_more = tab.task.get_by_role("button", name="Add a step")
    write_more.click()
    text(tab, 3).fill("Is #1 more than #2?")
    expect(tab.task.get_by_text("Still open:")).to_be_hidden()
    expect(tab.task.locator("[data-state]")).not_to_have_text("")


def test_the_graph_grows_with_the_steps_and_says_what_it_shows(tab: Tab) -> None:
    write(tab, "How tall is a bus?", "Is it so?", "Is #1 more than #9?")
    graph = tab.task.get_by_role("img", name=re.compile("Your steps as a graph"))
    expect(graph).to_have_accessible_name(
        "Your steps as a graph. Step 1: How tall is a bus? Used by step 3. Step 2: Is it so? Not used yet. "
        "Step 3: Is #1 more than #9? #9 is no earlier step."
    )
    expect(graph.locator(".node")).to_have_count(3)
    expect(graph.locator(".edge")).to_have_count(1)


def test_an_incorrect_answer_ends_the_work_with_a_reason(site: Site, tab: Tab, hit: dict) -> None:
    reason = tab.task.get_by_label("Why?")
    expect(reason).to_be_hidden()
    tab.task.get_by_label("The given answer is incorrect").check()
    expect(reason).to_be_visible()
    expect(tab.task.get_by_text("no steps are needed then")).to_be_visible()
    expect(tab.task.get_by_text("Please say in a sentence why")).to_be_hidden()
    tab.task.get_by_role("button", name="Hand in").click()
    tab.task.get_by_role("link", name=re.compile("Please say in a sentence why")).click()
    expect(reason).to_be_focused()
    reason.fill("Giraffes are smaller than that.")
    expect(tab.task.locator("[data-state]")).to_have_text("Done")
    hand_in(tab)
    assert stored(site, hit) == {
        "steps": [],
        "flags": ["answer_incorrect"],
        "reason": "Giraffes are smaller than that.",
    }


def test_a_draft_comes_back_after_a_reload(tab: Tab) -> None:
    do_all(tab)
    tab.task.get_by_label("The question has no definite answer").check()
    tab.task.get_by_label("Why?").fill("It depends.")
    tab.saved().reload()
    assert texts(tab) == [step["text"] for step in STEPS]
    expect(wiki(tab, 2)).to_have_value(STEPS[1]["page"])
    expect(tab.task.get_by_label("The question has no definite answer")).to_be_checked()
    expect(tab.task.get_by_label("Why?")).to_have_value("It depends.")


def test_titles_of_the_corpus_are_offered(site: Site, open_tab: Callable[..., Tab], hit: dict, tmp_path: Path) -> None:
    titles = ["Giraffe", "Giraffe Manor", "Double-decker bus"]
    lines = [{"id": f"{title}-1", "title": title, "text": f"{title} is a title."} for title in titles]
    corpus = tmp_path / "titles.jsonl"
    corpus.write_text("".join(json.dumps(line) + "\n" for line in lines))
    hit |= site.call("make_hit_of", task_type=KIND.name, payloads=[EXAMPLE.item], corpus=str(corpus))
    tab = open_tab().ready()
    wiki(tab, 1).press_sequentially("gira")
    expect(tab.task.get_by_role("option")).to_have_count(2)
    wiki(tab, 1).press("ArrowDown")
    wiki(tab, 1).press("Enter")
    expect(wiki(tab, 1)).to_have_value("Giraffe")


def test_a_title_that_was_chosen_stays_so_when_later_suggestions_come(
    site: Site, open_tab: Callable[..., Tab], hit: dict, tmp_path: Path
) -> None:
    corpus = tmp_path / "titles.jsonl"
    lines = [{"id": f"{title}-1", "title": title, "text": f"{title}."} for title in ("Giraffe", "Giraffe Manor")]
    corpus.write_text("".join(json.dumps(line) + "\n" for line in lines))
    hit |= site.call("make_hit_of", task_type=KIND.name, payloads=[EXAMPLE.item], corpus=str(corpus))
    tab = open_tab().ready()
    wiki(tab, 1).press_sequentially("gir")
    expect(tab.task.get_by_role("option")).to_have_count(2)
    # The answer to the last key is late: it comes when somebody has gone down the list already.
    wiki(tab, 1).press("ArrowDown")
    shown = tab.task.get_by_role("option").first.element_handle()
    wiki(tab, 1).evaluate("input => { input.value = 'gira'; input.dispatchEvent(new Event('input')); }")
    shown.wait_for_element_state("hidden")
    expect(tab.task.get_by_role("option", selected=True)).to_have_attribute("data-text", "Giraffe")
    wiki(tab, 1).press("Enter")
    expect(wiki(tab, 1)).to_have_value("Giraffe")


def test_without_script_steps_are_written_one_a_line(site: Site, chromium: Browser, hit: dict) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.task_address(hit, assignmentId=f"3{hit['token'].upper()}", workerId="APLAINWORKER"))
    page.get_by_role("textbox", name="Steps").fill("How tall is #2? | Bus\nIs it so?")
    page.get_by_label("The question has no definite answer").check()
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#summary")).to_contain_text("No later step uses the answer of step 1")
    page.get_by_role("textbox", name="Steps").fill("\n".join(f"{one['text']} | {one['page']}" for one in STEPS))
    page.get_by_role("textbox", name="Why?").fill("It depends.")
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", name="Received")).to_be_visible()
    assert stored(site, hit) == {"steps": STEPS, "flags": ["not_definitive"], "reason": "It depends."}
    context.close()


def test_the_page_s_rules_for_references_are_those_of_the_server(tab: Tab) -> None:
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    asked = [(each["text"], each["steps"]) for each in vectors["references"]]
    moved = [(each["texts"], each["order"]) for each in vectors["renumbered"]]
    dice = random.Random(5)
    words = ["#1", "#2's", "#10", "(#3)", "#75", "#?", "Superman", "the", "Is", "A.", "É", "of", "##4", "#1?", "é"]
    for _ in range(300):
        lines = [" ".join(dice.choices(words, k=dice.randint(0, 6))) for _ in range(dice.randint(1, 12))]
        asked += [(line, len(lines)) for line in lines]
        moved.append((lines, dice.sample(range(1, len(lines) + 1), dice.randint(0, len(lines)))))
    found = tab.page.frames[1].evaluate(
        """async ([asked, moved]) => {
            const rules = await import("/static/js/fields/steps/decomposition.js");
            return [asked.map(([text, steps]) => rules.references(text, steps)),
                    moved.map(([texts, order]) => rules.renumbered(texts, order)), [...rules.STOP_WORDS].sort()];
        }""",
        [asked, moved],
    )
    assert found[0] == [references(*each) for each in asked]
    assert found[1] == [renumbered(*each) for each in moved]
    assert found[2] == sorted(STOP_WORDS)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_accessibility_violations_and_fits(
    open_tab: Callable[..., Tab], context: BrowserContext, viewport: dict, scheme: str
) -> None:
    tab = open_tab()
    tab.page.set_viewport_size(viewport)
    tab.page.emulate_media(color_scheme=scheme)
    tab.ready()
    do_all(tab)
    tab.task.get_by_role("button", name="Add a step").click()
    text(tab, 4).fill("Is #9 a word of " + "many " * 12 + "letters, and is #1 longer than #2?")
    expect(tab.task.get_by_text("there is no such step")).to_be_visible()
    tab.task.get_by_label("The given answer is incorrect").check()
    tab.task.get_by_role("button", name="Step 2: remove").click()
    frame = tab.page.frames[1]
    assert frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    found = Axe().run(frame)
    assert not found.response["violations"], found.generate_report()
