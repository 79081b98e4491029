"""A grader at work in a browser: two widths, keys alone, no script, and no violation of accessibility rules."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from annotation.checking.models import CheckResult
from annotation.hits.models import HIT
from annotation.trials.deciding import take_in
from annotation.trials.grading import grade
from annotation.trials.models import Grade, Programme, Trial
from annotation.trials.programmes import Known, add_items, make_programme
from annotation.workers.models import Qualification
from tests.browser.conftest import PHONE, WIDE
from tests.factories import QUESTION, make_answer, make_assignment, make_hit, make_project, make_user, make_worker

# The browser's driver keeps a loop in this thread; the database is asked between its calls, never within.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

GOOD = {"answers": ["gravity"], "category": "single"}
BAD = {"answers": ["wi\u202end", "<img src=x onerror=alert(1)>"], "category": "several"}
POINTS = {"right": 2, "follows_instructions": 2, "care": 2}


@pytest.fixture
def trials(transactional_db) -> list[Trial]:
    """Three workers took the test; the last one answered badly."""
    project = make_project("forces", stage={"items_per_hit": 2})
    programme = make_programme(
        stage=project.stages.get(), name="Science answers", description="Passed our test.", most_attempts=2
    )
    add_items(programme=programme, items=[Known(f"trial-{number}", QUESTION, GOOD) for number in range(4)])
    Qualification.objects.update(state=Qualification.State.READY, type_id="TYPE1")
    items = [one.item for one in programme.trial_items.all()][:2]
    hit: HIT = make_hit(project, *items, trial_of=programme.qualification, max_assignments=9)
    for data in (GOOD, GOOD, BAD):
        assignment = make_assignment(hit, make_worker(), comment="Thanks, that was fun.")
        for item in items:
            make_answer(item, data, assignment=assignment, counts=False)
        CheckResult.objects.create(
            assignment=assignment, item=items[0], check_name="x", version=1, level="warn", message="Too many words."
        )
    take_in(project=project)
    return list(Trial.objects.order_by("id"))


@pytest.fixture
def graders(trials):
    project = trials[0].programme.stage.project
    return make_user("ana", project=project), make_user("ben", project=project)


def sign_in(context, live_server, person):
    client = Client()
    client.force_login(person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])


@pytest.fixture
def page(context, live_server, graders):
    """A tab of the first grader that fails the test on any error of a script or of the policy."""
    sign_in(context, live_server, graders[0])
    tab = context.new_page()
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    tab.on("dialog", lambda dialog: faults.append(f"dialog: {dialog.message}"))
    yield tab
    assert [fault for fault in faults if "Failed to load resource" not in fault] == []


def address(live_server, trial: Trial) -> str:
    return f"{live_server.url}/admin/trials/trial/{trial.pk}/change/"


def ready(page):
    expect(page.locator(".review.trial[data-ready]")).to_be_attached()


def test_a_grader_works_with_the_keyboard_alone(page, live_server, trials, graders):
    first, second, third = trials
    page.goto(f"{live_server.url}/admin/trials/trial/")
    page.get_by_role("link", name="Start grading").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(address(live_server, first))
    ready(page)
    for key in ("3", "3", "2", "p"):
        page.keyboard.press(key)

    expect(page).to_have_url(f"{address(live_server, second)}?done={first.pk}")
    grade_ = Grade.objects.get()
    assert (grade_.verdict, grade_.points) == ("pass", {"right": 2, "follows_instructions": 2, "care": 1})
    ready(page)
    page.keyboard.press("s")
    expect(page).to_have_url(address(live_server, third))
    ready(page)

    page.keyboard.press("f")
    expect(page.locator("#missing")).to_contain_text("Are the answers right?")
    for key in ("1", "1", "1", "f"):
        page.keyboard.press(key)
    expect(page.locator("#missing")).to_contain_text("what was missing")
    page.keyboard.type("One answer names the wind.")
    page.reload()
    ready(page)
    expect(page.locator("#feedback")).to_have_value("One answer names the wind.")
    page.keyboard.press("f")

    expect(page).to_have_url(f"{address(live_server, second)}?done={third.pk}")
    assert Grade.objects.get(verdict="fail").feedback == "One answer names the wind."


def test_the_second_grader_does_not_see_the_first_and_both_see_all_in_a_talk(page, live_server, trials, graders):
    grade(trial=trials[0], grader=graders[1], verdict="fail", points=POINTS, feedback="Too short for me.")
    page.goto(address(live_server, trials[0]))
    ready(page)
    assert "Too short for me." not in page.content()
    for key in ("3", "3", "3", "p"):
        page.keyboard.press(key)
    expect(page.locator("body")).to_contain_text("differs from your colleague")

    page.goto(f"{live_server.url}/admin/trials/trial/")
    page.get_by_role("link", name="Settle what differs").click()
    ready(page)
    expect(page.locator(".sheet")).to_have_count(2)
    expect(page.locator("body")).to_contain_text("Too short for me.")
    for key in ("3", "3", "3", "p"):
        page.keyboard.press(key)
    expect(page).to_have_url(f"{live_server.url}/admin/trials/trial/?project=forces&done={trials[0].pk}")
    assert Trial.objects.get(pk=trials[0].pk).state == "passed"
    page.wait_for_function("Object.keys(localStorage).every((key) => !key.startsWith('review:'))")


def fill(page):
    """All but the verdict."""
    for name in POINTS:
        page.locator(f'[name="points.{name}"]').first.check()
    page.locator("#feedback").fill("One answer names the wind.")


def is_filled(page):
    expect(page.locator("#feedback")).to_have_value("One answer names the wind.")
    expect(page.locator("#grade-form input[type=radio]:checked")).to_have_count(len(POINTS))


def test_a_grade_that_the_server_did_not_take_is_still_there(page, live_server, trials):
    page.goto(address(live_server, trials[0]))
    ready(page)
    fill(page)
    page.route(
        "**/change/", lambda route: route.fulfill(status=503) if route.request.method == "POST" else route.continue_()
    )
    page.locator("#fail").click()
    expect(page.locator("#grade-form")).to_have_count(0)
    page.goto(address(live_server, trials[0]))
    ready(page)
    is_filled(page)
    assert not Grade.objects.exists()


def test_what_a_refused_page_gives_back_is_kept_and_its_time_runs_on(page, live_server, trials):
    page.clock.install()
    page.goto(address(live_server, trials[0]))
    ready(page)
    fill(page)
    page.clock.fast_forward("02:00")
    Programme.objects.update(most_attempts=1)
    page.locator("#again").click()
    expect(page.locator("#problem")).to_contain_text("This was try 1 of 1")
    ready(page)
    # As in another browser: what the server gave back is all there is.
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('review:')).length") == 1
    page.locator("#fail").click()
    expect(page).to_have_url(f"{address(live_server, trials[1])}?done={trials[0].pk}")
    assert Grade.objects.get().seconds >= 120


def test_a_skip_drops_nothing(page, live_server, trials):
    page.goto(address(live_server, trials[0]))
    ready(page)
    fill(page)
    page.locator("#skip").click()
    expect(page).to_have_url(address(live_server, trials[1]))
    ready(page)
    page.goto(address(live_server, trials[0]))
    ready(page)
    is_filled(page)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_graders_pages(page, live_server, trials, graders, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme)
    grade(trial=trials[1], grader=graders[0], verdict="fail", points=POINTS, feedback="Too short for me.")
    grade(trial=trials[1], grader=graders[1], verdict="pass", points=POINTS)
    pages = ["trials/trial/", "trials/trial/?show=talk", *(f"trials/trial/{one.pk}/change/" for one in trials[1:])]
    for place in pages:
        page.goto(f"{live_server.url}/admin/{place}")
        page.wait_for_timeout(300)
        found = Axe().run(page).response["violations"]
        assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == [], place
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], place
        if folder := os.environ.get("SCREENSHOTS"):
            name = f"{place.strip('/').replace('/', '-').replace('?', '-')}-{size['width']}-{scheme}.png"
            page.screenshot(path=f"{folder}/{name}", full_page=True)


def test_without_script_a_grade_is_a_plain_post(chromium, live_server, trials, graders):
    Programme.objects.update(graders=1)
    context = chromium.new_context(java_script_enabled=False)
    sign_in(context, live_server, graders[0])
    tab = context.new_page()
    tab.goto(address(live_server, trials[2]))
    tab.locator("#fail").click()
    expect(tab.locator("#problem")).to_contain_text("Give points for")
    for name in POINTS:
        tab.locator(f'[name="points.{name}"]').first.check()
    tab.locator("#feedback").fill("One answer names the wind.")
    tab.locator("#fail").click()
    expect(tab.locator("body")).to_contain_text("is told why")
    context.close()
    assert Trial.objects.get(pk=trials[2].pk).state == "failed"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_on_the_researcher_s_pages_of_a_test(context, live_server, trials, graders, size):
    programme = trials[0].programme
    project = programme.stage.project
    sign_in(context, live_server, make_user("owner", project=project, role="owner"))
    tab = context.new_page()
    tab.set_viewport_size(size)
    for grader in graders:
        grade(trial=trials[0], grader=grader, verdict="pass", points=POINTS)
        grade(trial=trials[2], grader=grader, verdict="fail", points=POINTS, feedback="One answer names the wind.")
    here = f"projects/{project.slug}/qualifications/"
    offer = f"{here}{programme.pk}/offer/?workers=9"
    pages = [here, f"{here}{programme.pk}/", offer, f"projects/{project.slug}/stages/direct_answer/test/"]
    for place in pages:
        tab.goto(f"{live_server.url}/{place}")
        found = Axe().run(tab).response["violations"]
        assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == [], place
        assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"], place
        if folder := os.environ.get("SCREENSHOTS"):
            name = place.strip("/").replace("/", "-").replace("?", "-")
            tab.screenshot(path=f"{folder}/desk-{name}-{size['width']}.png", full_page=True)
