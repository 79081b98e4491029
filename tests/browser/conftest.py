"""Chromium as workers use it: inside another site's frame, with third-party cookies blocked."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect, sync_playwright

from tests.browser.stack import Marketplace, Site

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--test-third-party-cookie-phaseout",
]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
QUESTIONS = [
    "What force pulls a dropped ball to the ground?",
    "Name a part of a plant that people eat.",
    "Wet socks hang on a line in the wind. By evening they are dry. What happened to the water in the socks?",
]
SAVED = re.compile(r"Saved at \d")
expect.set_options(timeout=20_000)


def find_chromium() -> str:
    """The CHROMIUM variable, or the first Chromium on the path; empty where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM", "") or next(filter(None, map(shutil.which, names)), "")


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds in the page and in each of its frames, in words. Axe by itself looks into none of another site."""
    options = {"resultTypes": ["violations"], "iframes": False}
    return [
        (found["id"], [node["html"][:120] for node in found["nodes"]])
        for frame in page.frames
        for found in Axe().run(frame, options=options).response["violations"]
    ]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    if not path:
        pytest.skip("no Chromium found: install one, or name it in the CHROMIUM variable")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    marketplace = Marketplace()
    running = Site(tmp_path_factory.mktemp("site"), marketplace)
    yield running
    running.stop()
    marketplace.stop()


@dataclass
class Tab:
    """A worker's tab at the marketplace, with the task page in its frame."""

    page: Page
    task: FrameLocator
    hit: dict
    address: str

    def entry(self, number: int) -> str:
        """The selector of a question's answer field."""
        return f"#f-{self.hit['items'][number]}-answers"

    def field(self, number: int, name: str = "answers") -> str:
        return f'[data-field="{self.hit["items"][number]}.{name}"]'

    def choose(self, number: int, category: str) -> None:
        self.task.locator(f'{self.field(number, "category")} input[value="{category}"]').check()

    def answer(self, number: int, text: str, category: str) -> None:
        self.task.locator(self.entry(number)).fill(text)
        self.choose(number, category)

    def ready(self) -> Tab:
        expect(self.task.locator("html[data-ready]")).to_be_attached()
        return self

    def saved(self) -> Tab:
        expect(self.task.locator("[data-saved]")).to_have_text(SAVED)
        return self

    def reload(self) -> Tab:
        self.page.reload()
        return self.ready()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
    yield context
    context.close()


@pytest.fixture
def hit(site: Site) -> dict:
    return site.call("make_hit", questions=QUESTIONS)


@pytest.fixture
def open_tab(site: Site, context: BrowserContext, hit: dict) -> Callable[..., Tab]:
    """Opens the HIT's page as the marketplace shows it to a worker who accepted it."""

    def opened(**parameters: str) -> Tab:
        parameters = {"assignmentId": f"3{hit['token'].upper()}", "workerId": "ABROWSERWORKER"} | parameters
        source = site.task_address(hit, **parameters)
        page = context.new_page()
        address = f"{site.marketplace.address}/work?{urlencode({'src': source})}"
        page.goto(address)
        return Tab(page, page.frame_locator("iframe"), hit, address)

    return opened


@pytest.fixture
def tab(open_tab: Callable[..., Tab]) -> Tab:
    return open_tab().ready()
