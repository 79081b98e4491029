"""“Try it” and handing in with solvers: over HTTP, as a page's script and as a plain form."""

from __future__ import annotations

import json
import re

import pytest
from bs4 import BeautifulSoup

from annotation.hits.models import Answer, Assignment
from annotation.projects.models import Item
from annotation.solving import asking, judging, seats
from annotation.solving.models import Challenge
from annotation.workbench import trying
from tasks.solvers import catalogue
from tests.annotation.workbench.conftest import Page
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_project, make_worker

FACTS = "Windmills turn.\nWhat turns makes noise."
HARD, EASY = "Is a windmill silent?", "Is a windmill easy?"


@pytest.fixture(autouse=True)
def solvers(monkeypatch):
    """One solver that finds the answer of easy questions."""
    from tests.annotation.solving.conftest import Scripted

    monkeypatch.setitem(catalogue._MAKERS, "words", lambda search: Scripted())
    seats.forget()
    trying.PACE.forget()
    yield
    seats.forget()


@pytest.fixture
def hit(db):
    settings = {"groups": ["PTD, fixed, 1 of: words"], "tries": 2, "most_accepted_a_writer": 2}
    stage = {"name": "question", "task_type": "strategyqa.question", "answers_per_item": 1, "settings": settings}
    project = make_project(stage=stage, contact="crowd@example.org")
    payload = {"term": "Windmill", "description": "A mill driven by the wind", "expected": "yes"}
    return make_hit(project, make_item(project, "Windmill/1", payload=payload))


@pytest.fixture
def opened(hit) -> Page:
    page = Page(hit)
    page.open()
    return page


def form(page: Page, question: str, facts: str = FACTS) -> dict[str, str]:
    item = page.hit.items.get().pk
    return {f"{item}.question": question, f"{item}.facts": facts}


def tried(page: Page, question: str, facts: str = "", **more):
    values = {name: [text] for name, text in form(page, question, facts).items() if text}
    body = {"item": str(page.hit.items.get().pk), "values": values} | more
    return page.client.post(
        f"/t/{page.hit.token}/try",
        json.dumps(body),
        content_type="application/json",
        headers={"X-Context": page.context},
    )


def judge_all():
    for pk in Challenge.objects.filter(state="waiting").values_list("pk", flat=True):
        judging.judge(pk)


def test_a_page_that_only_looks_learns_how_its_question_stands_and_asks_no_solver(opened):
    assert tried(opened, EASY, looks=True).json() == {"state": "untried", "tries_left": 2}
    assert not Challenge.objects.exists()
    tried(opened, EASY)
    judge_all()
    assert tried(opened, EASY, looks=True).json() == {"state": "solved", "tries_left": 1}
    assert tried(opened, "", looks=True).json() == {"state": "untried", "tries_left": 1}


def test_a_try_waits_and_then_says_whether_the_question_holds_and_nothing_else(opened):
    assert tried(opened, HARD).json() == {"state": "waiting", "tries_left": 2}
    judge_all()
    assert tried(opened, HARD).json() == {"state": "holds", "tries_left": 2}
    tried(opened, EASY)
    judge_all()
    assert tried(opened, EASY).json() == {"state": "solved", "tries_left": 1}


def test_the_page_s_script_is_told_how_long_the_server_waits(hit, settings):
    settings.SOLVER_PATIENCE = 20.5
    button = BeautifulSoup(Page(hit).open().content, "html.parser").find(attrs={"data-widget": "trying"})
    assert float(button["data-patience"]) == asking.patience().total_seconds() == 20.5


def test_a_question_that_is_none_yet_costs_no_try_and_says_what_is_missing(opened):
    said = tried(opened, "Is a windmill silent").json()
    assert said == {"state": "unready", "message": "The question should end with a question mark."}
    assert not Challenge.objects.exists()


@pytest.mark.parametrize(
    ("more", "status"), [({"item": "0"}, 400), ({"item": "x y"}, 400), ({"values": "no"}, 400), ({"item": None}, 400)]
)
def test_what_no_page_of_ours_would_send_is_refused(opened, more, status):
    assert tried(opened, HARD, **more).status_code == status


def test_only_the_page_s_own_context_may_try(opened):
    opened.context = "forged"
    assert tried(opened, HARD).status_code == 403


def test_after_handing_in_nothing_is_tried(opened):
    Assignment.objects.update(state="handed_over")
    assert tried(opened, HARD).status_code == 409


def test_a_page_that_asks_too_often_is_slowed_down(opened, monkeypatch):
    monkeypatch.setattr(trying, "PACE", trying.Pace(burst=2, a_second=0.001))
    for _ in range(2):
        assert tried(opened, HARD).status_code == 200
    response = tried(opened, HARD)
    assert response.status_code == 429 and response.headers["Retry-After"]


def test_a_task_type_without_solvers_has_nothing_to_try(db):
    project = make_project()
    page = Page(make_hit(project, make_item(project)))
    page.open()
    values = {f"{page.hit.items.get().pk}.answers": ["gravity"]}
    assert tried(page, "", values=values).status_code == 404


class TestThePlainForm:
    def test_the_question_is_tried_and_handed_in_at_the_second_go(self, opened):
        first = opened.submit(form(opened, HARD))
        assert first.status_code == 422
        soup = BeautifulSoup(first.content, "html.parser")
        assert "hand in again in a few seconds" in soup.find(id="summary").get_text()
        assert soup.find(attrs={"name": re.compile("question$")}).text == HARD
        judge_all()
        assert opened.submit(form(opened, HARD)).status_code == 200
        assert Challenge.objects.get().is_handed_in

    def test_a_solved_question_comes_back_with_the_tries_left(self, opened):
        opened.submit(form(opened, EASY))
        judge_all()
        page = opened.submit(form(opened, EASY)).content.decode()
        assert "The computer found the answer: try another question. 1 try left." in page
        assert not Answer.objects.exists()

    def test_when_the_tries_are_used_up_it_is_taken_and_the_solvers_word_stays(self, opened):
        for number in (1, 2):
            tried(opened, f"Is windmill {number} easy?")
            judge_all()
        assert opened.submit(form(opened, "Is windmill 2 easy?")).status_code == 200
        assert Challenge.objects.get(is_handed_in=True).state == "solved"

    def test_when_the_solvers_do_not_come_it_is_held(self, opened):
        opened.submit(form(opened, HARD))
        from django.utils import timezone

        Challenge.objects.update(asked_at=timezone.now() - asking.patience())
        assert opened.submit(form(opened, HARD)).status_code == 200
        challenge = Challenge.objects.get()
        assert (challenge.state, challenge.is_handed_in) == ("waiting", True)

    def test_warnings_that_were_confirmed_need_not_be_confirmed_again(self, opened):
        long = "Is a windmill " + "very " * 30 + "silent?"
        confirmation = opened.submit_by_script(form(opened, long)).json()["confirmation"]
        assert confirmation and not Challenge.objects.exists()
        returned = opened.submit_by_script(form(opened, long), confirmed=confirmation).json()
        assert returned["findings"][0]["check"] == "is_being_tried"
        assert returned["confirmation"] == confirmation
        judge_all()
        assert opened.submit_by_script(form(opened, long), confirmed=confirmation).status_code == 200


class TestTheLimitOfAWriter:
    def written(self, hit, worker, number, state):
        for _ in range(number):
            item = make_item(hit.project, payload=hit.items.first().payload, state=state)
            make_answer(
                item, {"question": HARD, "facts": []}, assignment=make_assignment(make_hit(hit.project, item), worker)
            )

    def test_who_has_written_enough_reads_so_before_any_work(self, hit):
        worker = make_worker("AWORKER1")
        self.written(hit, worker, 2, Item.State.SETTLED)
        response = Page(hit).open()
        assert response.status_code == 403
        assert "You have done all that one person may do here" in response.content.decode()
        assert not Assignment.objects.filter(hit=hit).exists()

    def test_rejected_questions_do_not_count(self, hit):
        worker = make_worker("AWORKER1")
        self.written(hit, worker, 3, Item.State.REJECTED)
        self.written(hit, worker, 1, Item.State.ACCEPTED)
        assert Page(hit).open().status_code == 200

    def test_others_are_not_touched_by_it(self, hit):
        self.written(hit, make_worker("ABUSYONE"), 2, Item.State.ACCEPTED)
        assert Page(hit).open().status_code == 200
