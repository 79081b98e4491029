"""One question's whole way by hand, in Chromium: a worker finds it, does it and is paid, an expert releases it.

Against the real services, at a desk's and a phone's width, with third-party cookies blocked; axe looks at
every page on the way, and into the marketplace's frame.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PHONE, SAVED, WIDE, violations
from tests.flows.service import OF_PROJECT, Service

pytestmark = pytest.mark.browser

SOURCE = Path(__file__).parent / "arc_da" / "ARC-Easy-train.jsonl"
# What the HIT of each run pays: a group of its own in the marketplace, which the worker finds by it.
CENTS = {"desk": 137, "phone": 138}


@dataclass
class Run:
    """A project whose one HIT is for two workers, of whom one has been there already."""

    name: str
    service: Service
    context: BrowserContext

    @property
    def slug(self) -> str:
        return f"a-person-{self.name}"

    @property
    def pay(self) -> str:
        return f"${CENTS[self.name] / 100:.2f}"

    def count(self, what: str, condition: str = "") -> int:
        return self.service.count(f"select count(*) from {what} {OF_PROJECT} {condition}", self.slug)

    def visit(self, page: Page, address: str) -> None:
        page.goto(address)
        look_over(page)

    def sign_in(self, who: str) -> Page:
        """A member of the project at our site, on the page of all projects."""
        page = self.context.new_page()
        self.visit(page, f"{self.service.environment['TASK_URL']}/sign-in/")
        page.get_by_label("User name").fill(f"{who}-{self.name}")
        page.get_by_label("Password").fill("secret")
        page.get_by_role("button", name="Sign in").click()
        look_over(page)
        return page


def look_over(page: Page) -> None:
    """Nothing that axe objects to, and nothing wider than the screen."""
    page.wait_for_load_state()
    assert violations(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url


@pytest.fixture(params=CENTS)
def run(request: pytest.FixtureRequest, service: Service, chromium: Browser, tmp_path: Path) -> Iterator[Run]:
    question = tmp_path / SOURCE.name
    question.write_text(SOURCE.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    size = {"desk": WIDE, "phone": PHONE}[request.param]
    context = chromium.new_context(viewport=size, reduced_motion="reduce", accept_downloads=True)
    run = Run(request.param, service, context)
    service.run(
        f"""
from django.core.management import call_command
from annotation.projects.models import Project
from tests.factories import make_user
call_command("create", "arc-da", {run.slug!r}, "--budget", "100")
call_command("import", {run.slug!r}, {str(question)!r})
project = Project.objects.get(slug={run.slug!r})
project.stages.update(answers_per_item=2, items_per_hit=1, reward_cents={CENTS[run.name]})
call_command("publish", {run.slug!r}, "--yes", "--below-floor")
make_user("expert-{run.name}", project=project, role="reviewer")
make_user("owner-{run.name}", project=project, role="owner")
"""
    )
    service.wait_until(lambda: run.count("hits_hit h", "and h.state = 'offered'") == 1, "the HIT is offered")
    hits = {row["remote_id"] for row in service.rows(f"select h.remote_id from hits_hit h {OF_PROJECT}", run.slug)}
    service.worker(f"before-{run.name}", wanted=hits.__contains__).turn()
    yield run
    context.close()


def test_a_question_goes_its_whole_way_by_hand(run: Run) -> None:
    work_is_found_done_and_paid(run)
    an_expert_accepts_it(run)
    it_stands_in_a_release(run)


def work_is_found_done_and_paid(run: Run) -> None:
    market, page = run.service.marketplace, run.context.new_page()
    run.visit(page, f"{market}/sign-up/")
    page.locator("[name=username]").fill(f"person-{run.name}")
    page.locator("[name=password]").fill("a long enough password")
    page.locator("[name=consent]").check()
    page.get_by_role("button", name="Sign up").click()
    look_over(page)

    run.visit(page, f"{market}/hits/")
    page.get_by_label("Pay from $").fill(run.pay.removeprefix("$"))
    page.get_by_role("button", name="Search").click()
    group = page.locator("article.group", has_text=run.pay)
    group.get_by_role("link", name="Preview").click()
    task = page.frame_locator("#task")
    expect(task.locator(".example")).to_be_visible()
    look_over(page)

    page.get_by_role("button", name="Accept", exact=True).click()
    expect(task.locator("html[data-ready]")).to_be_attached()
    look_over(page)
    task.locator(".items input[type=text]").first.fill("gravity; the pull of the earth")
    task.locator('input[value="single"]').check()
    warning = task.locator(".finding")
    expect(warning).to_contain_text("single answer and entered 2")
    look_over(page)

    expect(task.locator("[data-saved]")).to_have_text(SAVED)
    page.reload()
    expect(task.locator("html[data-ready]")).to_be_attached()
    expect(task.locator(".chip-text")).to_have_text(["gravity", "the pull of the earth"])
    expect(task.locator('input[value="single"]')).to_be_checked()
    expect(warning).to_contain_text("single answer and entered 2")

    button = task.locator("[data-hand-in]")
    button.click()
    expect(task.locator("#summary")).to_be_visible()
    look_over(page)
    expect(button).to_have_text("Hand in as it is")
    button.click()
    expect(page.get_by_role("heading", name="Handed in. Thank you!")).to_be_visible()
    look_over(page)

    paid = (
        "and h.id in (select hit_id from hits_assignment where state = 'approved' group by hit_id having count(*) = 2)"
    )
    run.service.wait_until(lambda: run.count("hits_hit h", paid) == 1, "both workers are paid")
    run.visit(page, f"{market}/history/")
    row = page.locator("[data-assignment]")
    expect(row).to_have_attribute("data-status", "Approved")
    expect(row).to_contain_text(run.pay)
    run.visit(page, f"{market}/earnings/")
    expect(page.locator("[data-owed]")).to_have_text(run.pay)
    of_the_task_pages = [each for each in run.context.cookies() if each["domain"] == "localhost"]
    assert of_the_task_pages == []


def an_expert_accepts_it(run: Run) -> None:
    waiting = "review_outcome o join hits_hititem i on i.item_id = o.item_id join hits_hit h on h.id = i.hit_id"
    run.service.wait_until(lambda: run.count(waiting) == 1, "the answers are added up")
    page = run.sign_in("expert")
    run.visit(page, f"{run.service.environment['TASK_URL']}/admin/review/outcome/")
    page.get_by_role("link", name="Start deciding").click()
    expect(page.locator(".review.outcome[data-ready]")).to_be_attached()
    expect(page.locator("#decision-form")).to_contain_text("the pull of the earth")
    look_over(page)
    page.locator("#accept").click()
    if (anyway := page.get_by_role("button", name="Accept anyway")).count():
        look_over(page)
        anyway.click()
    expect(page.get_by_role("region", name="Your last decisions")).to_contain_text("accept")
    look_over(page)
    run.context.clear_cookies(domain="localhost")


def it_stands_in_a_release(run: Run) -> None:
    page = run.sign_in("owner")
    run.visit(page, f"{run.service.environment['TASK_URL']}/projects/{run.slug}/")
    run.visit(page, f"{run.service.environment['TASK_URL']}/projects/{run.slug}/releases/")
    page.get_by_role("button", name="Build it").click()
    finished = page.locator('[data-live="list"] th a')
    expect(finished).to_be_visible(timeout=60_000)
    look_over(page)
    finished.click()
    expect(page.get_by_role("link", name="Download as zip")).to_be_visible()
    look_over(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as zip").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        [data] = [name for name in archive.namelist() if name.endswith("data/train.jsonl")]
        [released] = [json.loads(line) for line in archive.read(data).splitlines()]
    assert released["question"] == "What force pulls a dropped spoon towards the kitchen floor?"
    assert {"gravity", "the pull of the earth"} <= set(released["answers"])
