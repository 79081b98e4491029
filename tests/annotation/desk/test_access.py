"""Who reaches what: generated from the map of addresses, so that a new page or endpoint without a row fails."""

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.desk import urls as pages
from annotation.desk.api import urls as api
from annotation.providers.actions import plan
from annotation.releases.models import Release
from annotation.review.models import Review
from annotation.trials.programmes import make_programme
from annotation.workers.qualifying import grant
from annotation.workers.queries import release_pseudonym
from tests.factories import make_assignment, make_hit, make_item, make_outcome

# address name: what a member needs there. "" is anybody who is signed in.
PAGES = {
    "home": "",
    "account": "",
    "make_token": "",
    "revoke_token": "",
    "change_password": "",
    "choose_pipeline": "create",
    "new_project": "create",
    "project": "read",
    "settings": "run",
    "move_project": "run",
    "log": "run",
    "import": "run",
    "stage": "run",
    "quote": "run",
    "move_stage": "run",
    "board": "run",
    "corpus": "read",
    "use_corpus": "run",
    "items": "read",
    "item": "read",
    "releases": "run",
    "compare_releases": "run",
    "release": "run",
    "download_release": "run",
    "verify_release": "run",
    "qualifications": "run",
    "new_qualification": "run",
    "qualification": "run",
    "change_qualification": "run",
    "add_trial_items": "run",
    "offer_trials": "run",
    "end_trials": "run",
    "grant": "run",
    "revoke": "run",
    "ask_for_qualification": "run",
    "grant_again": "run",
    "people": "run",
    "member": "own",
    "workers": "run",
    "problems": "run",
    "assignments": "run",
    "assignment": "run",
    "approve_assignment": "run",
    "reject_assignment": "run",
    "override_rejection": "run",
    "bonus": "run",
    "bar_worker": "run",
    "settle_assignment": "run",
    "look_again": "run",
    "try_again": "run",
    "call_off": "run",
    "tell_of_call": "run",
}
OPEN = {"sign_in", "sign_out"}
POSTED = {
    *("make_token", "revoke_token", "change_password", "move_project", "move_stage", "verify_release", "member"),
    *("use_corpus", "approve_assignment", "look_again", "try_again", "call_off", "tell_of_call"),
    *("add_trial_items", "end_trials", "grant", "revoke", "ask_for_qualification", "grant_again"),
}
# (address name, method): what a member needs there.
ENDPOINTS = {
    ("projects", "get"): "",
    ("projects", "post"): "create",
    ("project", "get"): "read",
    ("project", "patch"): "run",
    ("project_state", "put"): "run",
    ("figures", "get"): "read",
    ("board", "get"): "run",
    ("corpora", "get"): "create",
    ("corpus", "get"): "read",
    ("corpus", "put"): "run",
    ("paragraphs", "get"): "read",
    ("feedback", "get"): "run",
    ("members", "get"): "run",
    ("members", "post"): "own",
    ("member", "delete"): "own",
    ("stages", "get"): "run",
    ("stage", "get"): "run",
    ("stage", "patch"): "run",
    ("stage_state", "put"): "run",
    ("qualifications", "get"): "run",
    ("qualifications", "post"): "run",
    ("qualification", "get"): "run",
    ("test_items", "post"): "run",
    ("test_quote", "get"): "run",
    ("publish_test", "post"): "run",
    ("grants", "get"): "run",
    ("grants", "post"): "run",
    ("revoke", "post"): "run",
    ("quote", "get"): "run",
    ("publish", "post"): "run",
    ("items", "get"): "read",
    ("items", "post"): "run",
    ("item", "get"): "read",
    ("answers", "get"): "read",
    ("assignments", "get"): "run",
    ("assignment", "get"): "run",
    ("approve", "post"): "run",
    ("reject", "post"): "run",
    ("bonus", "post"): "run",
    ("settle", "post"): "run",
    ("worker", "put"): "run",
    ("calls", "get"): "run",
    ("try_again", "post"): "run",
    ("tell_of_call", "post"): "run",
    ("outcomes", "get"): "run",
    ("releases", "get"): "run",
    ("releases", "post"): "run",
    ("compare", "get"): "run",
    ("release", "get"): "run",
    ("download", "get"): "run",
    ("verify", "get"): "run",
    ("verify", "post"): "run",
    ("events", "get"): "run",
    ("schema", "get"): "open",
    ("docs", "get"): "open",
}
POWERS = {"owner": {"", "read", "run", "own", "create"}, "researcher": {"", "read", "run", "create"}}
POWERS["reviewer"] = {"", "read"}
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
def things(project, people):
    """One of each thing that an address can name, all of the project."""
    item = make_item(project)
    make_outcome(item, {"question": "What?", "answers": []})
    Release.objects.create(project=project, version="1.0.0", state=Release.State.READY, created_by="owner")
    work = make_assignment(make_hit(project, item))
    call = plan(environment="own", kind="bonus", key="own/assignment/0/bonus/x", request={}, project_id=project.pk)
    test = make_programme(stage=project.stages.get(), name="Careful", description="Passed our test.")
    held = grant(qualification=test.qualification, worker=work.worker, value=1)
    return {
        "slug": project.slug,
        "assignment": work.pk,
        "call": call.pk,
        "worker": release_pseudonym(project, work.worker.pseudonym),
        "name": project.stages.get().name,
        "pk": item.pk,
        "version": "1.0.0",
        "number": test.pk,
        "grant": held.pk,
        "user_id": people.reviewer.pk,
        "username": people.reviewer.username,
        "pipeline": "arc_da",
    }


def address(space, pattern, things):
    wanted = pattern.pattern.converters
    return reverse(f"{space}:{pattern.name}", kwargs={name: things[name] for name in wanted})


def project_patterns(module):
    return [pattern for pattern in module.urlpatterns if "slug" in pattern.pattern.converters]


def test_every_page_has_a_row_here():
    assert {pattern.name for pattern in pages.urlpatterns} == set(PAGES) | OPEN


def test_every_endpoint_has_a_row_here():
    there = set()
    for pattern in api.urlpatterns:
        view = pattern.callback.view_class
        allowed = [method for method in METHODS if hasattr(view, method) and method in view.http_method_names]
        there |= {(pattern.name, method) for method in allowed}
    assert there == set(ENDPOINTS)


def test_nobody_gets_anywhere_without_signing_in(things):
    for pattern in pages.urlpatterns:
        if pattern.name in OPEN:
            continue
        for method in ("get", "post"):
            response = getattr(Client(), method)(address("desk", pattern, things))
            assert response.status_code == 302, pattern.name
            assert response.url.startswith("/sign-in/"), pattern.name
    for (name, method), power in ENDPOINTS.items():
        if power != "open":
            pattern = next(pattern for pattern in api.urlpatterns if pattern.name == name)
            response = getattr(APIClient(), method)(address("api", pattern, things))
            assert response.status_code == 401, name


def test_a_strangers_answer_is_the_same_as_for_what_does_not_exist(things, browse, call):
    missing = dict(things, slug="no-such-project")
    for pattern in project_patterns(pages):
        for method in ("get", "post"):
            theirs = getattr(browse("stranger"), method)(address("desk", pattern, things))
            nothing = getattr(browse("stranger"), method)(address("desk", pattern, missing))
            assert theirs.status_code == nothing.status_code == 404, pattern.name
    for pattern in project_patterns(api):
        for method in METHODS:
            theirs = getattr(call("stranger"), method)(address("api", pattern, things))
            nothing = getattr(call("stranger"), method)(address("api", pattern, missing))
            assert (theirs.status_code, theirs.content) == (nothing.status_code, nothing.content), pattern.name
            assert theirs.status_code in (404, 405), pattern.name


def test_things_of_another_project_are_not_found_under_ones_own(things, people, browse, call):
    """The owner of one project puts the other project's ids into addresses of their own."""
    from tests.factories import make_project, make_user

    mine = make_project("mine")
    mine.stages.update(name="other_stage")
    people.attacker = make_user("attacker", project=mine, role="owner")
    foreign = dict(things, slug="mine")
    for pattern in project_patterns(pages):
        named = set(pattern.pattern.converters) - {"slug"}
        for method in ("get", "post") if named else ():
            response = getattr(browse("attacker"), method)(address("desk", pattern, foreign), {"role": "owner"})
            assert response.status_code in (404, 405), (pattern.name, method)
    for pattern in project_patterns(api):
        named = set(pattern.pattern.converters) - {"slug"}
        for method in METHODS if named else ():
            response = getattr(call("attacker"), method)(address("api", pattern, foreign))
            assert response.status_code in (404, 405), (pattern.name, method)


@pytest.mark.parametrize("person", ["owner", "researcher", "reviewer"])
def test_a_page_opens_to_exactly_those_whose_role_has_the_power(person, things, browse):
    for pattern in pages.urlpatterns:
        if pattern.name in OPEN:
            continue
        method = "post" if pattern.name in POSTED else "get"
        response = getattr(browse(person), method)(address("desk", pattern, things))
        is_refused = response.status_code == 403
        assert is_refused == (PAGES[pattern.name] not in POWERS[person]), pattern.name


@pytest.mark.parametrize("person", ["owner", "researcher", "reviewer"])
def test_an_endpoint_answers_exactly_those_whose_role_has_the_power(person, things, call):
    for (name, method), power in ENDPOINTS.items():
        pattern = next(pattern for pattern in api.urlpatterns if pattern.name == name)
        if (name, method) == ("member", "delete") and person == "owner":
            continue  # would change the roles under test; it has a test of its own
        response = getattr(call(person), method)(address("api", pattern, things))
        is_refused = response.status_code == 403
        assert is_refused == (power not in POWERS[person] | {"open"}), (name, method)


def test_only_an_owner_changes_the_budget(project, browse, call):
    form = {"name": "Forces", "budget_cap_cents": "99999", "wage_floor_cents": "1", "setting-filter_reading": ""}
    form["setting-filter_reading"] = "release_consistent"
    assert browse("researcher").post("/projects/forces/settings/", form).status_code == 302
    response = call("researcher").patch("/api/v1/projects/forces", {"budget_cap_cents": 9_999_900}, format="json")
    assert response.status_code == 403
    project.refresh_from_db()
    assert (project.budget_cap_cents, project.wage_floor_cents) == (100_000, 1_000)
    assert browse("owner").post("/projects/forces/settings/", form).status_code == 302
    project.refresh_from_db()
    assert (project.budget_cap_cents, project.wage_floor_cents) == (9_999_900, 100)


def test_a_reviewer_sees_neither_money_nor_workers_nor_decisions(project, things, people, browse, call):
    outcome = project.outcomes.get()
    Review.objects.create(outcome=outcome, reviewer=people.owner, decision="reject", reason="far too open", value={})
    project.items.update(state="rejected", reason="far too open")
    project.outcomes.update(state="rejected", reason="far too open", wants_blind_review=True)
    shown = "".join(
        browse("reviewer").get(path).content.decode()
        for path in ("/projects/forces/", "/projects/forces/items/", f"/projects/forces/items/{things['pk']}/")
    )
    for hidden in ("$", "Busiest", "far too open", "What happened"):
        assert hidden not in shown
    answer = call("reviewer").get("/api/v1/projects/forces").json()
    assert "budget_cap_cents" not in answer and "wage_floor_cents" not in answer
    item = call("reviewer").get(f"/api/v1/projects/forces/items/{things['pk']}").json()
    assert (item["state"], item["reason"]) == ("decided", "")
    assert call("reviewer").get("/api/v1/projects/forces/items?state=rejected").status_code == 400
    figures = call("reviewer").get("/api/v1/projects/forces/figures").json()
    assert not {"spending", "pay", "workers"} & set(figures)
