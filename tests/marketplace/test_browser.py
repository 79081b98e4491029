"""A person at a browser: from sign-up to paid, the task in a frame of another site, on a desk and on a phone."""

import os
import threading
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.conf import settings as django_settings

from annotation.marketplace import layouts, qualifying
from annotation.marketplace.models import Account
from tests.marketplace.people import EXTERNAL
from tests.marketplace.test_qualifications import KEY, TEST

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
axe_module = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
CHROMIUM = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--test-third-party-cookie-phaseout",  # what is framed gets no cookies
]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found"),
]

PAGE = """<!doctype html><html lang="en"><head><title>Task</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>Why does ice float?</h1>
<form method="post" action="{submit}/mturk/externalSubmit">
<input type="hidden" name="assignmentId" value="{assignment}">
<p><label>Answer <textarea name="answer" id="answer"></textarea></label></p>
<p><button id="send"{disabled}>Submit</button></p></form></main></body></html>"""


@pytest.fixture(scope="module")
def task_site():
    """The requester's own site: `localhost`, where the marketplace is `127.0.0.1`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            given = dict(parse_qsl(urlsplit(self.path).query))
            assignment = given.get("assignmentId", "")
            preview = assignment == "ASSIGNMENT_ID_NOT_AVAILABLE"
            filled = PAGE.format(
                submit=escape(given.get("turkSubmitTo", "")),
                assignment=escape(assignment),
                disabled=" disabled" if preview else "",
            )
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(filled.encode())

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_address[1]}/task"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium."""
    # Playwright's loop runs in this thread; the tests' own look-ups in the database are still in order.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()
    os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")


@pytest.fixture(params=[(1280, 900, "light"), (390, 800, "dark")], ids=["desk", "phone"])
def page(request, browser):
    """A page at one of two widths, light or dark, that fails the test when a script of ours does."""
    width, height, scheme = request.param
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    faults = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    context.close()
    assert faults == []


def is_accessible(page):
    """No violation found by axe, and nothing wider than the window."""
    found = axe_module.Axe().run(page, options={"iframes": False})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url
    return True


def question(task_site):
    return EXTERNAL.replace("http://localhost:8102/task/abc", task_site)


def test_a_new_worker_is_invited_fails_a_test_passes_it_works_and_is_paid(
    requester, page, task_site, clock, site, settings
):
    settings.MARKETPLACE_SIGN_UP = "invitation"
    Account.objects.create_user("olga", "secret-password", is_operator=True)
    kind = requester.client.create_qualification_type(
        Name="Readers",
        Description="Two questions about ice",
        QualificationTypeStatus="Active",
        Test=TEST,
        AnswerKey=KEY,
        TestDurationInSeconds=600,
        RetryDelayInSeconds=3600,
    )["QualificationType"]["QualificationTypeId"]
    asked = [{"QualificationTypeId": kind, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [80]}]
    hit = requester.hit(Question=question(task_site), QualificationRequirements=asked, Reward="0.75")
    sign_in(page, site, "olga")
    page.get_by_role("button", name="Make an invitation").click()
    invitation = page.locator("[role=status]").get_by_text("Invitation for a worker").inner_text().split()[-1]
    page.context.clear_cookies()

    page.goto(site)
    assert is_accessible(page)
    page.goto(invitation)
    assert page.get_by_label("Invitation code").input_value() == invitation.rpartition("=")[2]
    page.get_by_role("button", name="Sign up").click()
    assert is_accessible(page)  # with what is missing, said beside each field
    page.get_by_label("User name").fill("neo")
    page.get_by_label("Password").fill("long enough")
    page.get_by_label("I have read").check()
    assert is_accessible(page)
    page.get_by_role("button", name="Sign up").click()

    assert is_accessible(page)
    assert page.get_by_role("button", name="Accept and work").count() == 0
    page.get_by_role("link", name="You can take its test.").first.click()
    for choice, value in (("It is cold", 20), ("It is less dense", 100)):
        assert is_accessible(page)
        page.get_by_role("button", name="test").click()
        page.get_by_label(choice).check()
        assert is_accessible(page)
        page.get_by_role("button", name="Hand in the test").click()
        page.locator(f"[data-value='{value}']").wait_for()
        clock.advance(seconds=3601)
        page.reload()

    page.get_by_role("link", name="Find work").click()
    page.get_by_role("link", name="Preview", exact=False).first.click()
    assert is_accessible(page)
    assert page.frame_locator("#task").locator("#send").is_disabled()
    page.get_by_role("button", name="Accept", exact=True).click()
    page.wait_for_url("**/assignments/**")
    assert is_accessible(page)
    frame = page.frame_locator("#task")
    frame.locator("#answer").fill("It is less dense than water.")
    frame.locator("#send").click()
    page.get_by_role("heading", name="Handed in. Thank you!").wait_for()
    assert is_accessible(page)

    row = requester.client.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"][0]
    assert "less dense than water" in row["Answer"]
    requester.client.approve_assignment(AssignmentId=row["AssignmentId"])
    page.goto(f"{site}/earnings/")
    assert page.locator("[data-owed='75']").count() == 1
    assert is_accessible(page)
    for address in ("/history/", "/queue/", "/messages/", "/profile/", "/qualifications/"):
        page.goto(site + address)
        assert is_accessible(page)

    page.context.clear_cookies()
    sign_in(page, site, "olga")
    page.goto(f"{site}/operator/payouts/")
    page.get_by_role("button", name="Make a list of what is owed").click()
    page.get_by_role("button", name="Mark as paid").click()
    assert is_accessible(page)
    page.context.clear_cookies()
    sign_in(page, site, "neo", "long enough")
    page.goto(f"{site}/earnings/")
    assert "paid" in page.locator("[data-payout='75']").inner_text()
    assert page.locator("[data-owed='0']").count() == 1
    assert is_accessible(page)


def test_everything_a_worker_can_open_is_accessible(requester, page, site, make_worker, settings):
    worker = make_worker("anna")
    asked = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThan", "IntegerValues": [5]}]
    guarded = requester.hit(
        Title="Guarded", QualificationRequirements=[asked[0] | {"ActionsGuarded": "PreviewAndAccept"}]
    )
    hits = [requester.hit(Title=f"HIT {number}") for number in range(4)]
    rejected, returned, waiting = (worker.assignment(hit["HITId"]) for hit in hits[:3])
    worker.submit(rejected)
    requester.client.reject_assignment(AssignmentId=rejected, RequesterFeedback="It says nothing about ice.")
    worker.post(f"/assignments/{returned}/return", reason="too long")
    requester.client.notify_workers(
        Subject="About ice", MessageText="Please read it again.", WorkerIds=[worker.worker_id]
    )
    sign_in(page, site, "anna")
    for address in (
        f"/assignments/{rejected}/appeal",
        f"/assignments/{returned}/",
        f"/assignments/{waiting}/",
        f"/hits/{hits[3]['HITId']}/report",
        f"/hits/{hits[3]['HITId']}/contact",
        f"/groups/{guarded['HITGroupId']}/preview",
        f"/groups/{hits[0]['HITGroupId']}/preview",
        "/hits/?q=ice&order=pay&pay=9",
        "/queue/",
        "/history/?status=Rejected",
        "/messages/",
        "/requester/",
        "/nowhere/",
    ):
        page.goto(site + address)
        assert is_accessible(page)
    page.goto(f"{site}/assignments/{waiting}/")
    page.get_by_text("Return", exact=True).click()
    page.get_by_label("Why?").fill("not mine")
    assert is_accessible(page)
    page.context.clear_cookies()
    for address in ("/sign-in/", "/sign-up/"):
        page.goto(site + address)
        assert is_accessible(page)


def test_a_message_typed_before_another_sign_in_is_still_there(requester, page, site, make_worker):
    make_worker("anna")
    hit = requester.hit()
    sign_in(page, site, "anna")
    page.goto(f"{site}/hits/{hit['HITId']}/contact")
    typed = "The second question has no answer that fits."
    page.get_by_role("textbox").fill(typed)
    other = page.context.new_page()  # signs in again, which makes the first tab's form too old
    other.goto(f"{site}/profile/")
    other.get_by_role("button", name="Sign out").click()
    sign_in(other, site, "anna")
    page.get_by_role("button", name="Send").click()
    assert page.get_by_label("What you typed").input_value() == typed
    assert is_accessible(page)


def test_an_appeal_typed_while_the_session_ended_is_still_there(requester, page, site, make_worker):
    worker = make_worker("anna")
    rejected = worker.do(requester.hit()["HITId"])
    requester.client.reject_assignment(AssignmentId=rejected, RequesterFeedback="no")
    sign_in(page, site, "anna")
    page.goto(f"{site}/assignments/{rejected}/appeal")
    typed = "I answered each of the five questions in a whole sentence."
    page.get_by_role("textbox").fill(typed)
    csrf = [one for one in page.context.cookies() if one["name"].endswith("csrf")]
    page.context.clear_cookies()
    page.context.add_cookies(csrf)
    page.locator("main form button").click()
    assert page.get_by_label("What you typed").input_value() == typed
    assert is_accessible(page)


@pytest.mark.parametrize("delay", [86_400, 0], ids=["decided", "paid at once"])
def test_going_on_by_itself_opens_the_next_hit_and_ends_with_the_last(
    requester, page, task_site, site, make_worker, delay
):
    hits = [requester.hit(Question=question(task_site), AutoApprovalDelayInSeconds=delay) for _ in range(2)]
    worker = make_worker("anna", accepts_next=True)
    sign_in(page, site, worker.username)
    page.goto(f"{site}/groups/{hits[0]['HITGroupId']}/preview")
    page.get_by_role("button", name="Accept", exact=True).click()
    page.wait_for_url("**/assignments/**")
    first = page.url
    page.frame_locator("#task").locator("#answer").fill("one")
    page.frame_locator("#task").locator("#send").click()
    page.wait_for_url(lambda url: "/assignments/" in url and url != first)
    assert page.frame_locator("#task").locator("#answer").input_value() == ""
    page.frame_locator("#task").locator("#answer").fill("two")
    page.frame_locator("#task").locator("#send").click()
    page.get_by_text("There is no other HIT of this group for you at the moment.").wait_for()
    assert is_accessible(page)


@pytest.mark.parametrize("how", ["The time allowed is over", "You returned this HIT"])
def test_what_was_typed_stays_in_the_frame_when_it_can_no_longer_be_handed_in(
    requester, page, task_site, site, make_worker, clock, how
):
    hit = requester.hit(Question=question(task_site), AssignmentDurationInSeconds=600)
    worker = make_worker("anna")
    sign_in(page, site, worker.username)
    page.goto(f"{site}/groups/{hit['HITGroupId']}/preview")
    page.get_by_role("button", name="Accept", exact=True).click()
    page.wait_for_url("**/assignments/**")
    here = page.url
    page.frame_locator("#task").locator("#answer").fill("Half an hour's work")
    if "time" in how:
        clock.advance(seconds=601)
    else:
        worker.post(f"/assignments/{here.rstrip('/').rpartition('/')[2]}/return")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("alert").filter(has_text=how).wait_for()
    assert page.url == here
    assert page.frame_locator("#task").locator("#answer").input_value() == "Half an hour's work"
    assert page.get_by_role("alert").count() == 1
    assert is_accessible(page)


def test_a_hit_is_found_taken_and_done_by_keyboard_alone(requester, page, task_site, site, make_worker):
    make_worker("anna")
    hit = requester.hit(Question=question(task_site))

    def press_tab_until(words):
        for _ in range(40):
            page.keyboard.press("Tab")
            here = page.evaluate("(document.activeElement.innerText || document.activeElement.name || '').trim()")
            if words in here:
                return
        raise AssertionError(f"no way to {words!r} by Tab; it ended at {here!r}")

    page.goto(f"{site}/sign-in/")
    press_tab_until("username")
    page.keyboard.type("anna")
    press_tab_until("password")
    page.keyboard.type("secret-password")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hits/")
    press_tab_until("Skip to the page")
    press_tab_until("Accept and work")
    page.keyboard.press("Enter")
    page.wait_for_url("**/assignments/**")
    page.frame_locator("#task").locator("#answer").wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "task":
            break
    page.keyboard.type("It is less dense.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Handed in. Thank you!").wait_for()
    row = requester.client.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"][0]
    assert "It is less dense." in row["Answer"]


def test_requesters_html_cannot_reach_the_page_around_it(requester, page, site, make_worker):
    html = (
        '<HTMLQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/'
        'HTMLQuestion.xsd"><HTMLContent><![CDATA[<!DOCTYPE html><html><body><p id="told">nothing</p><script>'
        "let told = []; try { parent.document.title; told.push('parent'); } catch (e) {}"
        "try { document.cookie; told.push('cookie'); } catch (e) {}"
        "try { localStorage.length; told.push('storage'); } catch (e) {}"
        "fetch('/earnings/').then(r => r.text()).then(() => told.push('fetch')).catch(() => {})"
        ".finally(() => { document.getElementById('told').textContent = 'told:' + told; });"
        "</script></body></html>]]></HTMLContent><FrameHeight>300</FrameHeight></HTMLQuestion>"
    )
    hit = requester.hit(Question=html)
    sign_in(page, site, make_worker("anna").username)
    page.goto(f"{site}/groups/{hit['HITGroupId']}/preview")
    told = page.frame_locator("#task").locator("#told")
    sync_api.expect(told).to_have_text("told:", timeout=10_000)


def test_a_form_is_answered_in_its_frame(requester, page, site, make_worker):
    hit = requester.hit(Question=TEST)
    sign_in(page, site, make_worker("anna").username)
    page.goto(f"{site}/groups/{hit['HITGroupId']}/preview")
    page.get_by_role("button", name="Accept", exact=True).click()
    frame = page.frame_locator("#task")
    frame.get_by_label("Your answer").fill("because")
    frame.get_by_role("button", name="Hand in").click()
    sync_api.expect(frame.get_by_text("Please choose an answer.")).to_be_visible()
    frame.get_by_label("It is less dense").check()
    frame.get_by_role("button", name="Hand in").click()
    page.get_by_role("heading", name="Handed in. Thank you!").wait_for()
    row = requester.client.list_assignments_for_hit(HITId=hit["HITId"])["Assignments"][0]
    assert "<FreeText>because</FreeText>" in row["Answer"]


def test_what_a_form_asks_stays_within_its_frame(requester, page, site):
    wide = '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="60"></svg>'
    page.route("https://lab.example/wide.svg", lambda route: route.fulfill(body=wide, content_type="image/svg+xml"))
    picture = (
        "<Binary><MimeType><Type>image</Type></MimeType><DataURL>https://lab.example/wide.svg</DataURL>"
        "<AltText>Ice</AltText></Binary>"
    )
    asked = TEST.replace("<Text>Why does ice float?</Text>", f"<Text>Why{'y' * 300}?</Text>{picture}")
    hit = requester.hit(Question=asked)
    page.goto(f"{site}/questions/{hit['HITId']}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    sync_api.expect(page.get_by_alt_text("Ice")).to_be_visible()
    page.wait_for_function("document.images[0].naturalWidth === 3000")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_requesters_and_the_operators_pages_are_accessible(requester, page, site, worker, submitted):
    Account.objects.create_user("olga", "secret-password", is_operator=True)
    hit_id, _ = submitted
    type_id = requester.client.get_hit(HITId=hit_id)["HIT"]["HITTypeId"]
    sign_in(page, site, "lab")
    kept = layouts.create(requester=requester.account, name="Pairs", content="<form>${sentence}</form>")
    kind = qualifying.create_type(requester=requester.account, name="Careful", description="d", status="Active")
    qualifying.ask(worker=worker.account, kind=kind)
    for address in (
        *("", "ledger/", "workers/", "qualifications/", "keys/", "layouts/", f"layouts/{kept.layout_id}/"),
        *(f"groups/{type_id}/", f"hits/{hit_id}/", f"qualifications/{kind.type_id}/"),
    ):
        page.goto(f"{site}/requester/{address}")
        assert is_accessible(page)
    page.context.clear_cookies()
    sign_in(page, site, "olga")
    for address in ("", "payouts/", "reports/", "market/", f"accounts/{worker.account.pk}/"):
        page.goto(f"{site}/operator/{address}")
        assert is_accessible(page)


def sign_in(page, site, username, password="secret-password"):
    page.goto(f"{site}/sign-in/")
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)


def test_the_marketplace_and_the_task_are_different_sites(site, task_site):
    assert urlsplit(site).hostname == "127.0.0.1"
    assert urlsplit(task_site).hostname == "localhost"
    assert django_settings.SESSION_COOKIE_SAMESITE == "Lax"
