"""A worker's afternoon in Chromium: typing, live warnings, reloads, double clicks, keys alone, a phone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, SAVED, WIDE, violations


def handed_in(site, assignment_id):
    return [each for each in site.marketplace.received if each["assignmentId"] == assignment_id]


def answer_all(tab):
    tab.answer(0, "gravity", "single")
    tab.answer(1, "leaf; root", "many")
    tab.answer(2, "it evaporated", "wordings")


def test_a_slip_is_warned_of_while_typing_and_the_warning_goes_when_it_is_put_right(tab):
    tab.answer(0, "gravity; weight", "single")
    place = tab.task.locator(f'[data-findings="{tab.hit["items"][0]}.answers"]')
    expect(place).to_contain_text("Please check: You say there is a single answer and entered 2")
    expect(tab.task.locator(f"#item-{tab.hit['items'][0]} [data-state]")).to_have_text("Please check")
    tab.choose(0, "wordings")
    expect(place).to_have_text("")
    expect(tab.task.locator(f"#item-{tab.hit['items'][0]} [data-state]")).to_have_text("Done")


def test_what_is_still_empty_is_not_nagged_about(tab):
    tab.task.locator(tab.entry(0)).fill("?")
    tab.choose(0, "single")
    expect(tab.task.locator(f'[data-findings="{tab.hit["items"][0]}.category"]')).to_contain_text("Please fix")
    assert tab.task.locator(".finding").count() == 1


def test_checks_that_rest_are_said_to_and_leave_no_old_finding(tab, site, hit):
    tab.answer(0, "gravity; weight", "single")
    finding = tab.task.locator(".finding")
    expect(finding).to_have_count(1)
    site.call("tire_checks", token=hit["token"])
    tab.answer(0, "gravity", "single")
    expect(tab.task.locator("[data-checks-rest]")).to_contain_text("everything is checked when you hand in")
    expect(finding).to_have_count(0)


def test_a_reload_brings_back_every_word(tab):
    tab.answer(0, "gravity; the earth", "wordings")
    tab.task.locator(tab.entry(1)).press_sequentially("half a wo")
    tab.task.locator("[data-comment] summary").click()
    tab.task.locator("#comment").fill("Odd question")
    tab.saved().reload()
    chips = tab.task.locator(f"{tab.field(0)} .chip-text")
    expect(chips).to_have_text(["gravity", "the earth"])
    expect(tab.task.locator(f'{tab.field(0, "category")} input[value="wordings"]')).to_be_checked()
    expect(tab.task.locator(f"{tab.field(1)} .chip-text")).to_have_text(["half a wo"])
    expect(tab.task.locator("#comment")).to_have_value("Odd question")


def test_words_typed_in_the_last_second_survive_a_reload(tab):
    tab.task.locator(tab.entry(0)).press_sequentially("gravity")
    chips = tab.task.locator(f"{tab.field(0)} .chip-text")
    tab.reload()
    expect(chips).to_have_text(["gravity"])
    tab.saved()


def test_a_save_that_arrives_after_the_page_was_made_still_shows(tab):
    sent = []
    tab.page.route("**/draft", lambda route: (sent.append(route.request), route.abort()))
    tab.task.locator(tab.entry(0)).fill("gravity")
    expect(tab.task.locator("[data-saved]")).to_have_text(re.compile("Trying again"))
    late = sent[-1]

    def comes_in(route):
        """On its way all the time; the next page stands already, and asks a moment later."""
        route.fetch(url=late.url, method="POST", headers=late.headers, post_data=late.post_data)
        route.continue_()

    tab.page.route("**/draft?after=*", comes_in, times=1)
    tab.reload()
    expect(tab.task.locator(f"{tab.field(0)} .chip-text")).to_have_text(["gravity"])
    tab.saved()


def test_words_that_never_reached_us_come_back_from_the_browser_where_it_keeps_any(site, hit, context):
    page = context.new_page()  # at the top, for a frame may keep nothing here
    page.goto(site.task_address(hit, assignmentId="3MIRROR", workerId="AMIRROR"))
    page.route("**/draft", lambda route: route.abort())
    entry = f"#f-{hit['items'][0]}-answers"
    page.locator(entry).fill("gravity")
    expect(page.locator("[data-saved]")).to_have_text(re.compile("Not saved"))
    page.reload()
    expect(page.locator(f'[data-field="{hit["items"][0]}.answers"] .chip-text')).to_have_text(["gravity"])
    page.unroute("**/draft")
    expect(page.locator("[data-saved]")).to_have_text(SAVED)


def test_words_survive_a_server_that_is_away_and_the_page_says_so(tab, site, hit):
    tab.answer(0, "gravity", "single")
    tab.saved()
    site.stop_one("web")
    tab.answer(1, "leaf; root", "many")
    expect(tab.task.locator("[data-saved]")).to_have_text(re.compile("Not saved. Trying again"))
    site.start_web()
    expect(tab.task.locator("[data-saved]")).to_have_text(SAVED, timeout=60_000)
    assert site.call("assignment", token=hit["token"])["draft"][f"{hit['items'][1]}.answers"] == ["leaf; root"]


def test_live_checks_that_do_not_come_never_hold_up_saving_or_handing_in(tab, site, hit):
    site.stop_one("broker")
    try:
        answer_all(tab)
        tab.saved()
        tab.task.locator("[data-hand-in]").click()
        expect(tab.task.locator("h1")).to_have_text("Thank you")
    finally:
        site.start_broker()
    assert site.call("assignment", token=hit["token"])["state"] == "handed_over"


def test_a_broker_that_is_frozen_never_holds_up_saving_or_handing_in_and_the_page_says_that_no_checks_come(
    tab, site, hit
):
    site.freeze("broker")
    try:
        answer_all(tab)
        tab.saved()
        late = tab.task.locator("[data-checks-late]")
        expect(late).to_contain_text("everything is checked when you hand in", timeout=30_000)
        tab.task.locator("[data-hand-in]").click()
        expect(tab.task.locator("h1")).to_have_text("Thank you")
    finally:
        site.thaw("broker")
    assert site.call("assignment", token=hit["token"])["state"] == "handed_over"


def test_a_widget_that_breaks_costs_neither_saving_nor_handing_in(tab, site, hit):
    broken = "export function mount() { throw new Error('broken'); }"
    tab.page.route("**/js/fields/chips*.js", lambda route: route.fulfill(body=broken, content_type="text/javascript"))
    tab.reload()
    for item in hit["items"]:
        tab.task.locator(f"[name='{item}.answers']").fill("gravity")
    for number in range(len(hit["items"])):
        tab.choose(number, "single")
    tab.saved()
    tab.task.locator("[data-hand-in]").click()
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    assert site.call("assignment", token=hit["token"])["state"] == "handed_over"


def test_nothing_can_be_typed_while_the_work_is_being_handed_in(tab, site, hit):
    answer_all(tab)
    tab.saved()
    held = []
    is_submit = lambda route: route.request.method == "POST"  # noqa: E731
    tab.page.route(
        f"**/t/{hit['token']}/?*", lambda route: held.append(route) if is_submit(route) else route.continue_()
    )
    tab.task.locator("[data-hand-in]").click()
    expect(tab.task.locator("[data-work]")).to_have_attribute("inert", "")
    expect(tab.task.locator("[data-hand-in]")).to_have_text("Handing in …")
    tab.page.wait_for_timeout(0)
    held[0].abort()
    tab.page.unroute(f"**/t/{hit['token']}/?*")
    expect(tab.task.locator("h1")).to_have_text("Thank you")


def test_two_tabs_are_told_and_neither_text_is_lost(tab, open_tab, site, hit):
    # A page that is touched by nobody takes newer words by itself, at first; after that it asks.
    asked = []
    tab.page.on("response", lambda response: asked.append(response.url) if "draft?after=" in response.url else None)
    tab.reload()
    while len(asked) < 2:
        tab.page.wait_for_timeout(100)
    other = open_tab().ready()
    other.answer(0, "the earth pulls", "wordings")
    other.saved()
    tab.answer(0, "gravity", "single")
    panel = tab.task.locator("[data-conflict]")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("the earth pulls")
    expect(panel).to_contain_text("gravity")
    assert site.call("assignment", token=hit["token"])["draft"][f"{hit['items'][0]}.answers"] == ["the earth pulls"]
    panel.get_by_role("button", name="Take the other").click()
    chips = tab.task.locator(f"{tab.field(0)} .chip-text")
    expect(chips).to_have_text(["the earth pulls"])
    panel.get_by_role("button", name="Bring back mine").click()
    expect(chips).to_have_text(["gravity"])
    tab.saved()
    assert site.call("assignment", token=hit["token"])["draft"][f"{hit['items'][0]}.answers"] == ["gravity"]


def test_work_goes_to_us_and_then_by_a_form_of_the_frame_to_the_marketplace(tab, site, hit):
    answer_all(tab)
    tab.task.locator("[data-hand-in]").dblclick()
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    row = site.call("assignment", token=hit["token"])
    assert (row["state"], row["count"]) == ("handed_over", 1)
    assert row["answers"][str(hit["items"][1])] == {"answers": ["leaf", "root"], "category": "many"}
    [posted] = handed_in(site, f"3{hit['token'].upper()}")
    assert posted["receipt"] == row["receipt"]
    assert posted["workerId"] == "ABROWSERWORKER"  # says whose it is where the id had other workers before
    assert json.loads(posted["answers"])["answers"] == row["answers"]


def test_after_handing_in_the_page_says_already_received_and_offers_it_again(tab, site, hit):
    answer_all(tab)
    tab.task.locator("[data-hand-in]").click()
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    tab.page.reload()
    expect(tab.task.locator("h1")).to_have_text("Already received")
    tab.task.get_by_role("button", name="Hand in again").click()
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    first, second = handed_in(site, f"3{hit['token'].upper()}")
    assert first == second


def test_another_tab_that_is_still_open_is_told_that_the_hit_was_handed_in(tab, open_tab):
    other = open_tab().ready()
    answer_all(tab)
    tab.task.locator("[data-hand-in]").click()
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    other.task.locator(other.entry(0)).fill("more")
    expect(other.task.get_by_role("alert").first).to_contain_text("handed in from another tab")
    expect(other.task.locator(other.entry(0))).to_have_value("more")


def test_what_blocks_is_listed_with_links_that_lead_to_the_fields(tab):
    tab.answer(0, "gravity", "single")
    tab.task.locator("[data-hand-in]").click()
    summary = tab.task.locator("#summary")
    expect(summary).to_be_focused()
    expect(summary.locator("h2")).to_have_text("4 things to put right before you can hand in")
    summary.get_by_role("link").nth(0).click()
    entry = tab.task.locator(tab.entry(1))
    expect(entry).to_be_focused()
    expect(entry).to_have_attribute("aria-invalid", "true")
    expect(tab.task.locator(f"{tab.field(0)} .chip-text, {tab.entry(0)}").first).to_be_visible()


def test_if_we_can_not_be_reached_the_work_itself_goes_to_the_marketplace(tab, site, hit):
    answer_all(tab)
    tab.saved()
    site.stop_one("web")
    try:
        tab.task.locator("[data-hand-in]").click()
        expect(tab.task.locator("[data-received]")).to_contain_text("We could not store your work", timeout=60_000)
        tab.task.get_by_role("button", name="Hand in at the marketplace").click()
        expect(tab.task.locator("h1")).to_have_text("Thank you")
    finally:
        site.start_web()
    [posted] = handed_in(site, f"3{hit['token'].upper()}")
    assert posted["receipt"] == "pending"
    assert json.loads(posted["answers"])["values"][f"{hit['items'][0]}.answers"] == ["gravity"]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_a_whole_hit_by_keyboard_alone(tab, site, hit, size):
    keyboard = tab.page.keyboard
    tab.page.set_viewport_size(size)
    tab.task.locator(".skip").focus()
    keyboard.press("Control+Enter")
    expect(tab.task.locator(tab.entry(0))).to_be_focused()
    keyboard.type("gravtiy")
    keyboard.press("Enter")
    keyboard.press("Backspace")  # back into the chip
    expect(tab.task.locator(tab.entry(0))).to_have_value("gravtiy")
    keyboard.press("Control+A")
    keyboard.type("gravity;weight;")
    keyboard.press("ArrowLeft")  # onto the last chip
    keyboard.press("Delete")
    keyboard.press("Alt+1")
    expect(tab.task.locator(f'{tab.field(0, "category")} input[value="single"]')).to_be_checked()
    keyboard.press("Control+Enter")
    expect(tab.task.locator(tab.entry(1))).to_be_focused()
    keyboard.type("leaf; root")
    keyboard.press("Tab")  # to the options
    keyboard.press("Alt+4")
    keyboard.press("Control+Enter")
    keyboard.type("it evaporated")
    keyboard.press("Alt+2")
    expect(tab.task.locator("[data-progress]")).to_have_text("3")
    keyboard.press("Control+Enter")
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    answers = site.call("assignment", token=hit["token"])["answers"]
    assert list(answers.values()) == [
        {"answers": ["gravity"], "category": "single"},
        {"answers": ["leaf", "root"], "category": "many"},
        {"answers": ["it evaporated"], "category": "wordings"},
    ]


def test_chips_are_edited_and_removed_in_their_place(tab):
    entry, chips = tab.task.locator(tab.entry(1)), tab.task.locator(f"{tab.field(1)} .chip-text")
    truth = tab.task.locator(f'input[name="{hit_name(tab, 1)}"]')
    entry.press_sequentially("leaf; rot; fruit")
    expect(chips).to_have_text(["leaf", "rot"])
    entry.press("Enter")
    chips.nth(1).click()
    expect(entry).to_have_value("rot")
    expect(truth).to_have_value("leaf; rot; fruit")
    entry.fill("root")
    entry.press("Enter")
    expect(chips).to_have_text(["leaf", "root", "fruit"])
    tab.task.get_by_role("button", name="leaf: remove").click()
    expect(chips).to_have_text(["root", "fruit"])
    expect(truth).to_have_value("root; fruit")
    expect(tab.task.locator("[data-announcer]")).to_have_text("leaf: removed. 2 answers.")


def hit_name(tab, number):
    return f"{tab.hit['items'][number]}.answers"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_wider_than_the_screen(tab, open_tab, size, scheme):
    tab.page.set_viewport_size(size)
    tab.page.emulate_media(color_scheme=scheme)
    assert violations(tab.page) == []
    tab.answer(0, "gravity; weight", "single")
    expect(tab.task.locator(".finding")).to_have_count(1)
    tab.task.locator("[data-hand-in]").click()
    expect(tab.task.locator("#summary")).to_be_visible()
    assert violations(tab.page) == []
    assert _overflow(tab) <= 0
    preview = open_tab(assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE", workerId="")
    preview.page.set_viewport_size(size)
    preview.page.emulate_media(color_scheme=scheme)
    expect(preview.task.locator(".example")).to_be_visible()
    assert violations(preview.page) == []
    assert _overflow(preview) <= 0


def _overflow(tab):
    return tab.task.locator("html").evaluate("page => page.scrollWidth - page.clientWidth")


def test_targets_on_a_phone_are_44_pixels_high(tab):
    tab.page.set_viewport_size(PHONE)
    tab.answer(0, "gravity;", "single")
    small = tab.task.locator("body").evaluate(
        """body => [...body.querySelectorAll('button, summary, .option, input[type="text"], textarea')]
            .filter(each => each.offsetParent && each.getBoundingClientRect().height < 44)
            .map(each => each.outerHTML.slice(0, 100))"""
    )
    assert small == []


def test_nothing_jumps_when_a_short_finding_appears(tab):
    place = tab.task.locator(f'[data-findings="{tab.hit["items"][1]}.category"]')
    before = place.evaluate("each => each.getBoundingClientRect().height")
    assert before >= 24


def test_the_page_asks_nobody_else_for_anything_and_weighs_little(context, open_tab, site):
    sizes, hosts = [], set()

    def seen(response):
        if "/work?" not in response.url:
            hosts.add(response.url.split("/")[2])
            sizes.append(len(response.body()))

    context.on("response", seen)
    open_tab().ready()
    assert hosts == {site.address.split("/")[2]}
    assert sum(sizes) < 120_000, "all of it, uncompressed, on a first visit"


def test_no_cookie_is_ever_set_and_no_policy_is_broken(context, open_tab):
    said = []
    context.on("console", lambda message: said.append(message.text))
    tab = open_tab().ready()
    answer_all(tab)
    tab.saved()
    tab.task.locator("[data-hand-in]").click()
    expect(tab.task.locator("h1")).to_have_text("Thank you")
    assert context.cookies() == []
    assert said == []


def test_a_browser_without_storage_loses_nothing(open_tab, context):
    context.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });"
    )
    tab = open_tab().ready()
    tab.answer(0, "gravity", "single")
    tab.saved().reload()
    expect(tab.task.locator(f"{tab.field(0)} .chip-text")).to_have_text(["gravity"])


def test_opened_in_a_tab_of_its_own_the_page_sends_the_worker_back(site, hit, context):
    page = context.new_page()
    page.goto(site.task_address(hit, assignmentId="3ALONE", workerId="AALONE"))
    expect(page.locator("[data-not-framed]")).to_contain_text("Go back to your HIT tab")
    expect(page.locator("[data-hand-in]")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-hand-in]").click(force=True)
    page.wait_for_timeout(500)
    assert site.call("assignment", token=hit["token"])["state"] == "open"


def test_another_site_can_not_frame_the_page(site, hit, context):
    from tests.browser.stack import Marketplace

    stranger = Marketplace()
    page = context.new_page()
    refused = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto(f"{stranger.address}/work?src={site.task_address(hit).replace('&', '%26')}")
    page.wait_for_timeout(500)
    stranger.stop()
    assert any("frame-ancestors" in text for text in refused)
    assert page.frame_locator("iframe").locator("[data-item], [data-work]").count() == 0


def test_without_script_the_whole_way_works(chromium, site, hit):
    context = chromium.new_context(java_script_enabled=False, viewport=WIDE)
    page = context.new_page()
    source = site.task_address(hit, assignmentId="3PLAIN", workerId="APLAIN").replace("&", "%26")
    page.goto(f"{site.marketplace.address}/work?src={source}")
    task = page.frame_locator("iframe")
    for number, text in enumerate(["gravity; weight", "leaf; root", "it evaporated"]):
        item = hit["items"][number]
        task.locator(f"#f-{item}-answers").fill(text)
        task.locator(f'input[name="{item}.category"]').nth([0, 3, 1][number]).check()
    task.get_by_role("button", name="Hand in").click()
    expect(task.locator("#summary")).to_contain_text("single answer and entered 2")
    task.get_by_role("button", name="Hand in as it is").click()
    expect(task.locator("h1")).to_have_text("Received")
    task.get_by_role("button", name="Hand in at the marketplace").click()
    expect(task.locator("h1")).to_have_text("Thank you")
    assert handed_in(site, "3PLAIN")[0]["receipt"] == site.call("assignment", token=hit["token"])["receipt"]
    context.close()
