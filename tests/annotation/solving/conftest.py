"""A stage of questions with solvers whose answers a test decides, and what writers and the clock do to it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import pytest

from annotation.hits.models import Assignment
from annotation.hits.sheets import sheet_of
from annotation.projects.models import Item, Stage
from annotation.solving import asking, seats
from annotation.solving.models import Challenge
from tasks.registry import task_type
from tasks.solvers import catalogue
from tasks.solvers.base import Guess, Lesson, Solver
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_project, make_worker

KIND = task_type("strategyqa.question")
FACTS = ["Windmills turn.", "What turns makes noise."]
_numbers = itertools.count(1)


class Scripted(Solver):
    """Answers yes to what it was taught, and to any question with the word “easy”."""

    name = "words"

    def __init__(self) -> None:
        self.known: list[str] = []

    def answer(self, question: str) -> Guess:
        if "broken" in question:
            raise RuntimeError("the solver broke")
        return Guess("yes" if "easy" in question or question in self.known else "no", 0.75)

    def train(self, lessons) -> None:
        self.known = [lesson.text for lesson in lessons]

    def learn(self, lessons) -> None:
        self.known += [lesson.text for lesson in lessons]

    def save(self, folder) -> None:
        (folder / "known.txt").write_text("\n".join(self.known))

    def load(self, folder) -> None:
        self.known = (folder / "known.txt").read_text().split("\n")


@dataclass
class Desk:
    """The stage; its items expect yes."""

    stage: Stage
    worker: object = field(default_factory=make_worker)

    def page(self, worker=None) -> tuple[Assignment, Item]:
        """An open page with an item of its own."""
        payload = {"term": "Windmill", "description": "", "expected": "yes"}
        item = make_item(self.stage.project, f"Term/{next(_numbers)}", payload=payload, state=Item.State.OFFERED)
        hit = make_hit(self.stage.project, item)
        return make_assignment(hit, worker or make_worker(), state=Assignment.State.OPEN), item

    def puzzle(self, item: Item, question: str):
        return KIND.puzzle(KIND.Item.model_validate(item.payload), KIND.Answer(question=question, facts=FACTS))

    def put(self, page, question: str) -> asking.Standing:
        assignment, item = page
        return asking.put(
            assignment=assignment, item_id=item.pk, puzzle=self.puzzle(item, question), policy=self.policy
        )

    @property
    def policy(self):
        return asking.policy_of(self.stage)

    def gate(self, page, question: str) -> list[str]:
        assignment, item = page
        answers = {item.pk: KIND.Answer(question=question, facts=FACTS)}
        sheet = sheet_of(assignment.hit.token)
        found = asking.findings_at_the_gate(sheet=sheet, assignment=assignment, answers=answers)
        return [finding["check"] for finding in found]

    def hand_in(self, page, question: str, *, confirmed: bool = True) -> Challenge:
        """As the workbench does, and then the marketplace confirms it."""
        assignment, item = page
        answer = KIND.Answer(question=question, facts=FACTS)
        sheet = sheet_of(assignment.hit.token)
        asking.keep_handed_in(sheet=sheet, assignment=assignment, answers={item.pk: answer})
        make_answer(item, answer.model_dump(), assignment=assignment, counts=confirmed)
        Assignment.objects.filter(pk=assignment.pk).update(state=Assignment.State.APPROVED)
        Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)
        return Challenge.objects.get(assignment=assignment, item=item, is_handed_in=True)

    def accept(self, *challenges: Challenge) -> None:
        Item.objects.filter(challenges__in=challenges).update(state=Item.State.ACCEPTED)

    def change(self, **settings) -> None:
        self.stage.settings = self.stage.settings | settings
        self.stage.save()


@pytest.fixture(autouse=True)
def storage(settings, tmp_path):
    settings.SOLVER_STORAGE = str(tmp_path / "solvers")
    seats.forget()
    yield tmp_path / "solvers"
    seats.forget()


@pytest.fixture
def scripted(monkeypatch):
    """Solvers called `words` and `letters` do what their questions say; they begin with one lesson."""
    monkeypatch.setitem(catalogue._MAKERS, "words", lambda search: Scripted())
    monkeypatch.setitem(catalogue._MAKERS, "letters", lambda search: Scripted())
    monkeypatch.setattr(catalogue, "first_lessons", lambda: (Lesson("Is it known?", "yes"),))
    seats.forget()


@pytest.fixture
def desk(db, scripted) -> Desk:
    settings = {"groups": ["PTD, fixed, 1 of: letters", "FNTD, learning, 1 of: words"], "tries": 2, "retrain_every": 10}
    project = make_project(
        stage={
            "name": "question",
            "task_type": "strategyqa.question",
            "answers_per_item": 1,
            "review": "none",
            "settings": settings,
        }
    )
    return Desk(project.stages.get())
