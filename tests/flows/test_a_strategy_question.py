"""One question's way through all four HITs of StrategyQA, from the term to the verified evidence, in Chromium.

Against the real services and marketplace: at a desk by the keyboard alone, on a phone by touch; axe looks at each form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

from tests.browser.conftest import PHONE, SAVED, WIDE, violations
from tests.flows.service import OF_PROJECT, Service

pytestmark = pytest.mark.browser

CORPUS = Path(__file__).parents[1] / "browser" / "corpus" / "giraffes.jsonl"
STAGES = ("question", "decomposition", "evidence", "verification")
# What a stage's HIT pays in each run: the worker finds it by that.
CENTS = {"desk": 241, "phone": 251}
QUESTION = "Could a giraffe look over the roof of a double-decker bus?"
FACTS = ["A grown giraffe is more than 4.3 metres tall.", "A double-decker bus is about 4.4 metres high."]
STEPS = [
    ("How tall is a grown giraffe?", "Giraffe"),
    ("How high is a double-decker bus?", "Double-decker bus"),
    ("Can #1 be more than #2?", ""),
]
GIRAFFE, BUS = "Giraffe-2", "Double-decker bus-1"
# One person does all four HITs here, so authors are not kept away, and one matcher is enough.
SETTINGS = {"questions_per_term": 1, "others_only": False, "verification_share": 1.0}


class Run:
    """A project with one term, and a worker at the marketplace, with a pointer or with the keyboard alone."""

    def __init__(self, name: str, service: Service, page: Page):
        self.name, self.service, self.page = name, service, page
        self.by_keyboard = name == "desk"

    @property
    def slug(self) -> str:
        return f"giraffes-{self.name}"

    @property
    def task(self) -> FrameLocator:
        return self.page.frame_locator("#task")

    def press(self, control: Locator, key: str = "Enter") -> None:
        if self.by_keyboard:
            control.focus()
            self.page.keyboard.press(key)
        else:
            control.click()

    def write(self, control: Locator, text: str) -> None:
        if self.by_keyboard:
            control.focus()
            self.page.keyboard.type(text)
        else:
            control.fill(text)

    def publish(self, stage: str) -> None:
        """Waits until the question has come to this stage, and offers it."""
        arrived = (
            "select count(*) from projects_item i join projects_stage s on s.id = i.stage_id "
            "join projects_project p on p.id = i.project_id where p.slug = ? and s.name = ? and i.state = 'open'"
        )
        self.service.wait_until(lambda: self.service.count(arrived, self.slug, stage) == 1, f"it came to {stage}")
        words = ["publish", self.slug, "--stage", stage, "--yes", "--below-floor"]
        self.service.run(f"from django.core.management import call_command\ncall_command(*{words!r})")
        offered = f"select count(*) from hits_hit h {OF_PROJECT} and h.state = 'offered'"
        number = STAGES.index(stage) + 1
        closed = f"select count(*) from hits_hit h {OF_PROJECT}"
        self.service.wait_until(
            lambda: self.service.count(closed, self.slug) == number and self.service.count(offered, self.slug) == 1,
            f"the HIT of {stage} is offered",
        )

    def accept(self, stage: str) -> None:
        self.page.goto(f"{self.service.marketplace}/hits/")
        pay = f"{(CENTS[self.name] + STAGES.index(stage)) / 100:.2f}"
        self.write(self.page.get_by_label("Pay from $"), pay)
        self.press(self.page.get_by_role("button", name="Search"))
        self.press(self.page.locator("article.group", has_text=f"${pay}").get_by_role("link", name="Preview"))
        expect(self.task.locator(".example")).to_be_visible()
        self.press(self.page.get_by_role("button", name="Accept", exact=True))
        expect(self.task.locator("html[data-ready]")).to_be_attached()

    def hand_in(self) -> None:
        """What the page only asks about is handed in as it is."""
        assert violations(self.page) == []
        assert self.page.frames[-1].evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        expect(self.task.locator("[data-saved]")).to_have_text(SAVED)
        button = self.task.locator("[data-hand-in]")
        self.press(button)
        handed_in = self.page.get_by_role("heading", name="Handed in. Thank you!")
        summary = self.task.locator("#summary")
        self.service.wait_until(lambda: handed_in.is_visible() or summary.is_visible(), "an answer to handing in")
        if not handed_in.is_visible():
            expect(button).to_have_text("Hand in as it is")
            self.press(button)
        expect(handed_in).to_be_visible()


@pytest.fixture(params=CENTS)
def run(request: pytest.FixtureRequest, service: Service, chromium: Browser, tmp_path: Path) -> Iterator[Run]:
    terms = tmp_path / "terms.jsonl"
    terms.write_text(json.dumps({"term": "Giraffe", "description": "tallest animal on land", "expected": "yes"}))
    size = {"desk": WIDE, "phone": PHONE}[request.param]
    context = chromium.new_context(viewport=size, reduced_motion="reduce")
    run = Run(request.param, service, context.new_page())
    service.run(
        "from annotation.corpus.actions import import_corpus\n"
        "from annotation.projects.actions import *\n"
        "from annotation.projects.importing import import_items\n"
        f"project = create_project(pipeline='strategyqa', name='Giraffes', slug={run.slug!r}, settings={SETTINGS!r},\n"
        "    budget_cap_cents=10_000)\n"
        f"use_corpus(project=project, corpus=import_corpus(name={run.slug!r}, paths=[{str(CORPUS)!r}]).corpus)\n"
        "change_stage(stage=project.stages.get(name='question'), settings={'groups': []})\n"
        f"for place, name in enumerate({STAGES!r}):\n"
        f"    project.stages.filter(name=name).update(answers_per_item=1, reward_cents={CENTS[run.name]} + place)\n"
        f"import_items(project=project, paths=[{str(terms)!r}])\n"
    )
    run.page.goto(f"{service.marketplace}/sign-up/")
    run.page.locator("[name=username]").fill(f"giraffe-{run.name}")
    run.page.locator("[name=password]").fill("a long enough password")
    run.page.locator("[name=consent]").check()
    run.page.get_by_role("button", name="Sign up").click()
    yield run
    context.close()


def test_a_question_goes_from_its_term_to_its_verification(run: Run) -> None:
    for stage, work in zip(STAGES, (ask, decompose, match, verify), strict=True):
        run.publish(stage)
        run.accept(stage)
        work(run)
        run.hand_in()
    verdicts = (
        "select o.final from review_outcome o join projects_stage s on s.id = o.stage_id "
        "join projects_project p on p.id = o.project_id where p.slug = ? and s.name = ?"
    )
    run.service.wait_until(lambda: run.service.rows(verdicts, run.slug, "verification"), "it is verified")
    [verified] = run.service.rows(verdicts, run.slug, "verification")
    assert json.loads(verified["final"])["verdict"] == "supported"
    [evidence] = run.service.rows(verdicts, run.slug, "evidence")
    [matcher] = json.loads(evidence["final"])["evidence"]
    assert [step["paragraphs"] for step in matcher["matched"]] == [[GIRAFFE], [BUS], None]
    assert matcher["matched"][2]["is_operation"]


def ask(run: Run) -> None:
    run.write(run.task.get_by_label("Your question"), QUESTION)
    for number, text in enumerate(FACTS, 1):
        run.write(run.task.get_by_role("textbox", name=f"Fact {number}", exact=True), text)


def decompose(run: Run) -> None:
    steps = run.task.locator(".step")
    for number, (text, page) in enumerate(STEPS):
        if number:
            run.press(run.task.get_by_role("button", name="Add a step"))
        run.write(steps.nth(number).get_by_label("Question", exact=True), text)
        if page:
            run.write(steps.nth(number).get_by_label("Wikipedia page", exact=True), page)
            title = steps.nth(number).get_by_role("option", name=page, exact=True)
            if run.by_keyboard:
                expect(title).to_be_visible()
                run.page.keyboard.press("ArrowDown")
                run.page.keyboard.press("Enter")
            else:
                title.click()


def match(run: Run) -> None:
    search = run.task.get_by_role("searchbox")
    for number, (words, name) in enumerate((("grown giraffe tall", GIRAFFE), ("double-decker bus high", BUS)), 1):
        search.fill("")
        run.write(search, words)
        search.press("Enter")
        expect(run.task.locator(".search-state")).to_contain_text(f"“{words}”")
        paragraph = run.task.locator(f'.search [data-paragraph="{name}"]')
        if run.by_keyboard:
            run.press(paragraph, str(number))
        else:
            paragraph.get_by_role("button", name=f"Use for step {number}").click()
        expect(run.task.locator(f'[data-step="{number}"] [data-found="{name}"]')).to_be_visible()
    pick = run.task.locator('[data-step="3"]').get_by_role("button", name="Step 3")
    run.press(pick)
    run.press(run.task.locator('[data-step="3"]').get_by_label("Operation"), "Space")


def verify(run: Run) -> None:
    expect(run.task.get_by_text(re.compile("A grown giraffe stands 4.3 to 5.7 metres tall")).last).to_be_visible()
    for number, text in ((1, "up to 5.7 metres"), (2, "up to 4.5 metres")):
        run.write(run.task.get_by_label(f"Answer of step {number}", exact=True), text)
    run.press(run.task.locator('[data-step="3"]').get_by_label("Yes", exact=True), "Space")
