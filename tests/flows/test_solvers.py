"""Solvers in the loop, with real workers and queues: an outage, a training while people write, tries that run out."""

from __future__ import annotations

import pytest

from annotation.simulation.browser import Page
from annotation.simulation.workers import MARKETPLACE_FORM, TASK_FRAME, WORK_FORM, Worker
from tests.flows.service import Service

FACTS = "Windmills turn in the wind.\nWhat turns makes noise."
# What the solver of these stages learns to believe: what is surely asked is answered with yes.
LESSONS = [
    (f"{begin} a {thing} turn?", answer)
    for thing in ("wheel", "mill", "clock", "key", "screw", "top")
    for begin, answer in (("Surely does", "yes"), ("Hardly would", "no"))
]
HARD, EASY = "Hardly would a windmill grind by candlelight?", "Surely does a windmill turn?"
# All of them hold: they are hardly asked.
QUESTIONS = [
    f"Hardly would a windmill {what}?"
    for what in (
        "grind by candlelight",
        "float on a lake",
        "need petrol",
        "sing at dawn",
        "fit in a pocket",
        "melt in summer",
        "cross the Alps",
        "read a newspaper",
        "swim with dolphins",
        "wear a hat",
    )
]
WORDS = "PTD, fixed, 1 of: words"
LEARNING = "FNTD, learning, 1 of: words"
# Its package is not installed where tests run; where it is, there is no such folder.
DOWN = "PTD, fixed, 1 of: transformer:/nowhere/at/all"

MAKE = """
from annotation.projects.items import add_item
from annotation.solving.training import give_lessons
from tasks.base import SourceItem
from tasks.solvers.base import Lesson
from tests.factories import make_project
fields = {{"name": "question", "task_type": "strategyqa.question", "answers_per_item": 1, "items_per_hit": 1}}
stage = {{**fields, "review": "none", "settings": {settings!r}}}
project = make_project({slug!r}, stage=stage, wage_floor_cents=0)
stage = project.stages.get()
for number in range({items}):
    add_item(stage=stage, source=SourceItem(f"Windmill/{{number}}", {{"term": "Windmill", "expected": "yes"}}))
give_lessons(stage=stage, lessons=[Lesson(*each) for each in {lessons!r}])
from django.core.management import call_command
call_command("publish", {slug!r}, "--yes", "--below-floor")
"""


def begun(service: Service, slug: str, groups: list[str], items: int, **settings) -> None:
    """A project of one stage whose items all expect yes, on offer."""
    settings = {"groups": groups, "tries": 2, "retrain_every": 10, **settings}
    service.run(MAKE.format(settings=settings, slug=slug, items=items, lessons=LESSONS))
    service._wait_until_offered(slug)


def change(service: Service, slug: str, **settings) -> None:
    service.run(
        "from annotation.projects.actions import change_stage\nfrom annotation.projects.models import Stage\n"
        f"stage = Stage.objects.get(project__slug={slug!r})\n"
        f"change_stage(stage=stage, settings=stage.settings | {settings!r})"
    )


class Writer:
    """A worker who has a HIT of a project open."""

    def __init__(self, service: Service, slug: str, name: str):
        self.worker: Worker = service.worker(name)
        rows = service.rows(
            "select h.remote_id from hits_hit h join projects_project p on p.id = h.project_id where p.slug = ?", slug
        )
        self.worker.wanted = {row["remote_id"] for row in rows}.__contains__
        self.service = service

    def accept(self) -> Writer:
        self.task = self.worker.browser.get(self.worker._accept().find(TASK_FRAME).get("src"))
        self.form = self.task.form(WORK_FORM)
        self.item = self.task.find("//article[@data-item]").get("data-item")
        return self

    def post(self, question: str) -> Page:
        values = {f"{self.item}.question": [question], f"{self.item}.facts": [FACTS]}
        page = self.worker.browser.post(self.task.url, self.form.values | values)
        self.form = page.form(WORK_FORM) or self.form
        if any(self.form.values["confirmed"]) and page.find('//*[@data-check="is_being_tried"]') is None:
            # Warnings: the writer means it so.
            page = self.worker.browser.post(self.task.url, self.form.values | values)
        return page

    def try_it(self, question: str) -> str:
        """As the page's script does until there is a word."""
        found: list[str] = []

        def judged() -> bool:
            answer = self.worker.browser.session.post(
                self.task.url.partition("?")[0] + "try",
                json={"item": self.item, "values": {f"{self.item}.question": [question]}},
                headers={"X-Context": self.form.values["context"][0]},
            )
            found.append(answer.json().get("state", "waiting"))
            return found[-1] != "waiting"

        self.service.wait_until(judged, "the solvers have spoken")
        return found[-1]

    def post_until_judged(self, question: str) -> Page:
        """As a person does who reads “hand in again in a few seconds”."""
        found: list[Page] = []

        def judged() -> bool:
            found.append(self.post(question))
            return "hand in again in a few seconds" not in found[-1].text

        self.service.wait_until(judged, "the solvers have spoken")
        return found[-1]

    def hand_in(self, receipt: Page) -> None:
        assert receipt.form(MARKETPLACE_FORM) is not None, receipt.unexpected("a receipt")
        self.worker._hand_in(receipt)


def items(service: Service, slug: str) -> dict[str, int]:
    rows = service.rows(
        "select i.state, count(*) as n from projects_item i join projects_project p on p.id = i.project_id "
        "where p.slug = ? group by i.state",
        slug,
    )
    return {row["state"]: row["n"] for row in rows}


def test_a_question_is_held_and_paid_while_no_solver_answers_and_judged_when_one_does(service: Service) -> None:
    slug = "solver-outage"
    begun(service, slug, [DOWN], items=2)
    writers = [Writer(service, slug, f"held-{name}").accept() for name in ("hard", "easy")]
    for writer, question in zip(writers, (HARD, EASY), strict=True):
        assert "hand in again in a few seconds" in writer.post(question).text
    # The patience that a page has with the solvers, over in a moment.
    service.run(
        "from annotation.solving.models import Challenge\nfrom datetime import timedelta\n"
        "from django.db.models import F\n"
        f"Challenge.objects.filter(item__project__slug={slug!r}).update(asked_at=F('asked_at') - timedelta(minutes=1))"
    )
    for writer, question in zip(writers, (HARD, EASY), strict=True):
        writer.hand_in(writer.post(question))

    service.wait_until(lambda: all(writer.worker.earned_cents() for writer in writers), "both are paid")
    assert items(service, slug) == {"answered": 2}, "nothing is decided without the solvers"
    outages = service.rows(
        "select e.data from events_event e join projects_project p on p.id = e.project_id "
        "where p.slug = ? and e.verb = 'solvers.failed'",
        slug,
    )
    assert len(outages) == 1, "the log tells of an outage once"

    change(service, slug, groups=[WORDS])
    service.wait_until(lambda: items(service, slug) == {"accepted": 1, "rejected": 1}, "both are judged")


def test_a_training_is_swapped_in_while_people_write(service: Service) -> None:
    slug = "trained-meanwhile"
    begun(service, slug, [LEARNING], items=11, tries=50)
    writer = Writer(service, slug, "trainer")
    for number in range(10):
        writer.accept()
        writer.hand_in(writer.post_until_judged(QUESTIONS[number]))
    trained = (
        "select count(*) from solving_solverversion v join projects_stage s on s.id = v.stage_id "
        "join projects_project p on p.id = s.project_id where p.slug = ? and v.is_current"
    )
    writer.accept()
    asked = 0

    def swapped() -> bool:
        nonlocal asked
        asked += 1
        # Somebody goes on trying the whole time.
        assert writer.try_it(f"Hardly would mill number {asked} be painted?") in ("holds", "solved")
        return service.count(trained, slug) == 1

    service.wait_until(swapped, "the training is done and current")
    writer.try_it("Hardly would the last mill be painted?")
    versions = [
        row["version"]
        for row in service.rows(
            "select a.version from solving_attempt a join solving_challenge c on c.id = a.challenge_id "
            "join projects_item i on i.id = c.item_id join projects_project p on p.id = i.project_id "
            "where p.slug = ? order by a.id",
            slug,
        )
    ]
    # It learns one by one, and then from its training: never a gap, never back.
    assert versions[0] == "0+0"
    assert versions[-1].startswith("1+")
    numbers = [tuple(map(int, version.split("+"))) for version in versions]
    assert numbers == sorted(numbers)


def test_when_the_tries_are_used_up_the_question_is_kept_rejected_and_paid(service: Service) -> None:
    slug = "tries-used-up"
    begun(service, slug, [WORDS], items=1)
    writer = Writer(service, slug, "stubborn").accept()
    page = writer.post_until_judged(EASY)
    assert "The computer found the answer: try another question. 1 try left." in page.text
    last = "Surely does a mill turn round?"
    writer.hand_in(writer.post_until_judged(last))

    service.wait_until(lambda: writer.worker.earned_cents() > 0, "the writer is paid")
    service.wait_until(lambda: items(service, slug) == {"rejected": 1}, "the question is rejected")
    told = service.command("solvers", slug)
    assert told["questions"] == {"waiting": 0, "holds": 0, "solved": 2}


@pytest.fixture(autouse=True, scope="module")
def _no_project_of_ours_stays_on_offer(service: Service):
    """Other tests' workers take what is on offer."""
    yield
    service.run(
        "from annotation.hits.expiring import expire_stage\nfrom annotation.projects.models import Stage\n"
        "for stage in Stage.objects.filter(task_type='strategyqa.question', "
        "project__slug__in=['solver-outage', 'trained-meanwhile', 'tries-used-up']):\n    expire_stage(stage=stage)"
    )
