import pytest
from django.utils import timezone

from annotation.events.models import Event
from annotation.hits.models import Assignment
from annotation.projects.actions import pause_project
from annotation.projects.models import Membership, Project
from annotation.providers.actions import plan
from tests.factories import (
    make_answer,
    make_answered_item,
    make_assignment,
    make_hit,
    make_item,
    make_outcome,
    make_worker,
)

VALUE = {"question": "What?", "answers": []}
GRAVITY = {"answers": ["gravity"], "category": "single"}
NEW = {
    "name": "Waves and light",
    "slug": "waves",
    "environment": "own",
    "budget_cap_cents": "250.50",
    "wage_floor_cents": "12",
    "contact": "",
    "setting-filter_reading": "whole_question_word",
}


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


def test_the_list_shows_ones_own_projects_with_how_their_items_stand(project, items, browse):
    make_item(project, state="excluded", reason="most")
    shown = text_of(browse("researcher").get("/"))
    assert "8 items: 7 waiting to be offered, 1 excluded by the filter." in shown
    assert "Elsewhere" not in shown


def test_a_new_project_belongs_to_who_made_it(people, browse):
    response = browse("researcher").post("/projects/new/arc_da/", NEW)
    assert response.url == "/projects/waves/import/"
    made = Project.objects.get(slug="waves")
    assert (made.budget_cap_cents, made.wage_floor_cents) == (25_050, 1_200)
    assert made.settings == {"filter_reading": "whole_question_word"}
    assert made.stages.count() == 1
    assert Membership.objects.get(project=made).user == people.researcher
    assert Event.objects.get(verb="project.created").actor == f"user:{people.researcher.pk}"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("slug", "forces", "This short name is taken"),
        ("slug", "two words", "valid"),
        ("budget_cap_cents", "-1", "greater than or equal to 0"),
        ("budget_cap_cents", "12.345", "2 decimal places"),
        ("budget_cap_cents", "", "required"),
        ("environment", "moon", "Select a valid choice"),
        ("setting-filter_reading", "by_feeling", "Select a valid choice"),
    ],
)
def test_a_faulty_project_form_comes_back_with_its_reason(project, browse, field, value, said):
    response = browse("owner").post("/projects/new/arc_da/", {**NEW, field: value})
    assert response.status_code == 422
    assert said in text_of(response)
    assert not Project.objects.filter(slug="waves").exists()


def test_an_unknown_pipeline_is_not_found(browse):
    assert browse("owner").get("/projects/new/no_such/").status_code == 404


def test_real_money_wears_a_banner(project, browse):
    assert "Real money" not in text_of(browse("owner").get("/projects/forces/"))
    Project.objects.update(environment="mturk_production")
    assert "Real money." in text_of(browse("owner").get("/projects/forces/"))
    Project.objects.update(environment="mturk_sandbox")
    assert "No real money is spent" in text_of(browse("owner").get("/projects/forces/"))


def test_the_overview_of_an_empty_project_asks_for_source_files(project, browse):
    shown = text_of(browse("owner").get("/projects/forces/"))
    assert "There are no items yet." in shown
    assert "Nothing is imported yet." in shown


def test_the_overview_names_the_next_things_to_do(project, items, browse):
    make_outcome(make_item(project), VALUE)
    shown = text_of(browse("owner").get("/projects/forces/"))
    assert "7 items wait to be offered to workers (direct answer)." in shown
    assert "1 outcome waits for an expert." in shown
    pause_project(project=project)
    assert "The project is paused" in text_of(browse("owner").get("/projects/forces/"))


def test_every_plot_reads_aloud_and_has_a_table_with_the_same_numbers(project, browse):
    worker = make_worker()
    for number in range(12):
        item = make_answered_item(project)
        hit = make_hit(project, item)
        make_answer(item, GRAVITY, assignment=make_assignment(hit, worker, seconds_spent=60 + number))
        make_outcome(item, VALUE, agreement=0.5)
    shown = browse("owner").get("/projects/forces/").content.decode()
    plots = ["funnel", "spending", "answers", "agreement-direct_answer", "pay-direct_answer"]
    for plot in plots:
        assert f'role="img" aria-labelledby="{plot}-title {plot}-summary"' in shown
        assert f'id="{plot}-title"' in shown
    assert shown.count("As a table") == len(plots)
    assert "12 of 12" not in shown  # nothing is accepted yet
    assert "Workers agree to 0.50 on average over 12 outcomes" in shown


def test_a_page_without_answers_has_no_empty_plots(project, browse):
    shown = text_of(browse("owner").get("/projects/forces/"))
    assert "No answers yet." in shown
    assert "Agreement," not in shown


def test_workers_are_shown_by_the_pseudonym_of_releases_and_never_by_their_own_id(project, browse):
    item = make_item(project)
    worker = make_worker("AREALWORKERID")
    make_answer(item, GRAVITY, worker=worker)
    for page in ("", "workers/", f"items/{item.pk}/"):
        shown = text_of(browse("owner").get(f"/projects/forces/{page}"))
        assert "AREALWORKERID" not in shown
        assert worker.pseudonym not in shown
        assert "w-" in shown


def test_figures_follow_what_happens_although_they_are_remembered(project, items, browse):
    assert "7 items wait" in text_of(browse("owner").get("/projects/forces/"))
    browse("owner").post("/projects/forces/state/", {"to": "pause"})
    project.items.update(state="accepted")
    browse("owner").post("/projects/forces/state/", {"to": "open"})
    assert "7 items wait" not in text_of(browse("owner").get("/projects/forces/"))


def test_settings_are_changed_and_the_filter_says_what_it_removes(project, browse):
    question = {"question": "What is the most common gas?", "choices": [], "answer_key": ""}
    make_item(project, payload=question)
    form = {
        "name": "Forces",
        "contact": "ana@example.org",
        "budget_cap_cents": "1000",
        "wage_floor_cents": "10",
        "setting-filter_reading": "whole_question_word",
    }
    client = browse("owner")
    response = client.post("/projects/forces/settings/", form, follow=True)
    assert "excludes 1 of 1 source questions (100.0%) now; before it was 0." in text_of(response)
    project.refresh_from_db()
    assert (project.contact, project.settings["filter_reading"]) == ("ana@example.org", "whole_question_word")
    assert project.items.get().state == "excluded"
    assert "Nothing was different." in text_of(client.post("/projects/forces/settings/", form, follow=True))


def test_a_project_is_paused_opened_and_closed(project, browse):
    client = browse("researcher")
    for to, state in (("pause", "paused"), ("open", "open")):
        client.post("/projects/forces/state/", {"to": to})
        project.refresh_from_db()
        assert project.state == state
    client.post("/projects/forces/state/", {"to": "close"})
    project.refresh_from_db()
    assert project.state == "open", "closing takes a tick that says it is meant"
    client.post("/projects/forces/state/", {"to": "close", "sure": "yes"})
    project.refresh_from_db()
    assert project.state == "closed"
    assert client.post("/projects/forces/state/", {"to": "burn"}).status_code == 404


def test_the_log_says_who_did_what_in_words(project, people, browse):
    client = browse("owner")
    client.post("/projects/forces/state/", {"to": "pause"})
    client.post("/projects/forces/people/", {"username": "stranger", "role": "researcher"})
    shown = text_of(client.get("/projects/forces/log/"))
    assert "<strong>owner</strong> paused the project" in shown
    assert "role researcher" in shown


def test_the_log_pages_backwards(project, browse):
    for number in range(130):
        Event.objects.create(verb="stage.changed", actor="clock", project_id=project.pk, data={"reason": f"n{number}"})
    first = browse("owner").get("/projects/forces/log/").content.decode()
    assert ": n129" in first and ": n30" in first and ": n29<" not in first
    older = first.split("?before=")[1].split('"')[0]
    second = browse("owner").get(f"/projects/forces/log/?before={older}").content.decode()
    assert ": n29" in second and ": n0" in second and ": n30<" not in second


def test_what_needs_a_person_is_shown_and_counted(project, browse):
    assert "Nothing." in text_of(browse("owner").get("/projects/forces/problems/"))
    hit = make_hit(project, make_item(project))
    lost = {"state": Assignment.State.QUARANTINED, "comment": "Pay me <b>please</b>"}
    make_assignment(hit, make_worker("AREALWORKERID"), **lost)
    make_hit(project, make_item(project), state="refused", close_reason="The title is too long", remote_id=None)

    intent = plan(
        environment="own", kind="approve", key="k", request={"worker_id": "AREALWORKERID"}, project_id=project.pk
    )
    intent.state, intent.error, intent.last_sent_at = "unknown", "no answer from AREALWORKERID", timezone.now()
    intent.save()
    shown = text_of(browse("owner").get("/projects/forces/problems/"))
    assert "Approving and paying work" in shown
    assert "The title is too long" in shown
    assert "Pay me &lt;b&gt;please&lt;/b&gt;" in shown
    assert "AREALWORKERID" not in shown
    assert '<span class="tag bad">3</span>' in shown
