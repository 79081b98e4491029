"""The board and the item's page of a project whose later stages speak of earlier ones."""

from __future__ import annotations

import pytest

from annotation.projects.actions import create_project
from annotation.projects.items import add_successor
from annotation.projects.models import Item
from annotation.review.actions import heed, promote, settle
from annotation.review.models import Feedback
from annotation.solving.models import Attempt, Challenge
from tasks.base import SourceItem
from tests.annotation.review.small_pipeline import install
from tests.factories import make_answer, make_item, make_project, make_user


@pytest.fixture
def project(db, monkeypatch):
    install(monkeypatch)
    project = create_project(
        pipeline="small", name="Small", slug="small", settings={"wrong": "author"}, budget_cap_cents=100_000
    )
    writing = project.stages.get(name="writing")
    for number, idea in enumerate(["dig", "eat", ""], 1):
        item = make_item(project, f"spoon/{number}", stage=writing, payload={"thing": "spoon", "idea": ""})
        make_answer(item, {"idea": idea})
    make_item(project, "fork/1", stage=writing, payload={"thing": "fork", "idea": ""})
    writing.items.exclude(key="fork/1").update(state=Item.State.ANSWERED)
    settle(project=project)
    promote(project=project)
    drawn = Item.objects.get(stage__name="drawing", key="spoon/1")
    make_answer(drawn, {"flag": "wrong", "reason": "Nobody digs with a spoon."})
    Item.objects.filter(pk=drawn.pk).update(state=Item.State.ANSWERED)
    settle(project=project)
    heed(project=project)
    return project


@pytest.fixture
def people(project):
    class People:
        owner = make_user("owner", project=project, role="owner")
        reviewer = make_user("reviewer", project=project, role="reviewer")
        stranger = make_user("stranger")
        somebody = make_user("somebody", project=make_project("elsewhere"), role="owner")

    return People


def test_each_stage_says_what_waits_what_went_on_and_why_things_fell_out(call):
    writing, drawing, judging = call("owner").get("/api/v1/projects/small/board").json()
    assert [column["stage"] for column in (writing, drawing, judging)] == ["writing", "drawing", "judging"]
    assert (writing["total"], writing["accepted"], writing["went_on"], writing["successors"]) == (5, 1, 1, 1)
    assert [(one["state"], one["count"]) for one in writing["waiting"]] == [("open", 2)]
    assert [(one["code"], one["count"]) for one in writing["reasons"]] == [("empty", 1), ("sent_back", 1)]
    assert [(one["code"], one["count"]) for one in drawing["reasons"]] == [("withdrawn", 1)]
    assert [(one["kind"], one["effect"], one["count"]) for one in writing["got"]] == [("wrong", "author", 1)]
    assert writing["got"] == drawing["gave"]
    assert judging["total"] == 0


def test_ages_are_those_of_the_oldest_and_of_the_middle_item(project, call):
    writing = project.stages.get(name="writing")
    old = make_item(project, "old", stage=writing, payload={"thing": "hat", "idea": ""})
    Item.objects.filter(pk=old.pk).update(state_since="2026-01-01T00:00:00Z")
    (waiting,) = call("owner").get("/api/v1/projects/small/board").json()[0]["waiting"]
    assert (waiting["oldest"], waiting["oldest_item"]) == ("2026-01-01T00:00:00Z", old.pk)
    assert waiting["median"] > "2026-01-02"


def test_the_page_shows_the_same_numbers_and_the_newest_words(browse):
    page = browse("owner").get("/projects/small/board/")
    html = page.content.decode()
    assert [column.stage.name for column in page.context["columns"]] == ["writing", "drawing", "judging"]
    assert "Nobody digs with a spoon." in html
    assert "back to author" in html


def test_the_board_is_for_those_who_run_the_project(browse, call):
    assert browse("reviewer").get("/projects/small/board/").status_code == 403
    assert browse("somebody").get("/projects/small/board/").status_code == 404
    assert call("reviewer").get("/api/v1/projects/small/board").status_code == 403
    assert call("reviewer").get("/api/v1/projects/small/feedback").status_code == 403


def test_feedback_is_listed_with_what_came_of_it(call, project):
    row = Feedback.objects.get()
    (shown,) = call("owner").get("/api/v1/projects/small/feedback?kind=wrong").json()["results"]
    assert (shown["about_key"], shown["stage"], shown["effect"]) == ("spoon/1", "drawing", "author")
    assert shown["successor"] == row.successor_id
    assert call("owner").get("/api/v1/projects/small/feedback?state=new").json()["results"] == []
    assert call("owner").get("/api/v1/projects/small/feedback?state=odd").status_code == 400


def test_an_items_page_shows_its_stages_the_words_and_its_successor(browse, project):
    drawn = Item.objects.get(stage__name="drawing", key="spoon/1")
    page = browse("owner").get(f"/projects/small/items/{drawn.pk}/")
    assert [stage.name for stage, _ in page.context["columns"]] == ["writing", "drawing"]
    html = page.content.decode()
    assert "Nobody digs with a spoon." in html
    assert "spoon/1~2" in html


def test_an_items_page_begins_with_those_in_whose_place_it_stands(browse, project):
    third = Item.objects.get(key="spoon/3")
    fourth = add_successor(of=third, source=SourceItem("spoon/4", third.payload))
    page = browse("owner").get(f"/projects/small/items/{fourth.pk}/")
    assert [story.item for story in page.context["stories"]] == [third, fourth]


def test_a_reviewer_reads_what_later_stages_said(browse, project):
    outcome = Item.objects.get(key="spoon/1", stage__name="writing").outcome
    assert (
        "Nobody digs with a spoon."
        in browse("reviewer").get(f"/admin/review/outcome/{outcome.pk}/change/").content.decode()
    )


def test_an_items_page_shows_what_the_solvers_made_of_its_texts(browse, project):
    item = Item.objects.get(key="spoon/2", stage__name="writing")
    answer = item.answers.get()
    tried = Challenge.objects.create(
        assignment=answer.assignment, item=item, text="Is it a spoon?", text_hash="x", right="yes", state="solved"
    )
    Attempt.objects.create(challenge=tried, solver="PTD/words", version="1", answer="yes", score=0.91, is_right=True)
    html = browse("owner").get(f"/projects/small/items/{item.pk}/").content.decode()
    assert "Is it a spoon?" in html
    assert "PTD/words" in html
