import io
import shutil
import zipfile

import pytest
from django.core.cache import cache

from annotation.releases.actions import build as build_now
from annotation.releases.actions import finish
from annotation.releases.models import Release
from annotation.releases.verifying import finish_verification
from annotation.review.actions import decide, settle
from annotation.review.models import Outcome
from tasks import registry
from tests.factories import make_answered_item, make_item, make_stage

GRAVITY = {"answers": ["gravity"], "category": "single"}
PLACE = "/projects/forces/releases/"


@pytest.fixture(autouse=True)
def storage(settings, tmp_path, monkeypatch):
    settings.RELEASE_STORAGE = str(tmp_path / "releases")
    monkeypatch.setattr("annotation.releases.jobs.build_release.apply_async", lambda *args, **kwargs: None)


@pytest.fixture
def accept(project, people):
    """Makes an item that workers answered and an expert accepted."""

    def accepted(key):
        item = make_answered_item(project, GRAVITY, GRAVITY, key=key)
        settle(project=project)
        item.refresh_from_db()
        outcome = item.outcome
        decide(outcome=outcome, reviewer=people.reviewer, decision="accept", version=outcome.version, confirmed=True)

    return accepted


@pytest.fixture
def build(browse):
    """Orders a release from the page and builds it as the job would."""

    def built(**fields):
        response = browse("researcher").post(PLACE, fields)
        assert response.status_code == 302, response.context["form"].errors
        return finish(release=Release.objects.order_by("-pk").first())

    return built


@pytest.fixture
def two(accept, build):
    accept("ARCEZ_1")
    first = build(notes="The first.")
    accept("ARCEZ_2")
    return first, build()


def test_a_release_is_ordered_on_the_page_and_shown_when_it_is_ready(project, accept, browse):
    accept("ARCEZ_1")
    browse("researcher").post(PLACE, {"version": "1.0.0", "notes": "The first."})
    shown = browse("researcher").get(PLACE).content.decode()
    assert "being built" in shown and "data-refresh-soon" in shown
    finish(release=project.releases.get())
    shown = browse("researcher").get(PLACE).content.decode()
    assert "being built" not in shown and "1.0.0" in shown
    page = browse("researcher").get(f"{PLACE}1.0.0/").content.decode()
    assert "The first." in page and project.releases.get().manifest_sha256 in page


def test_the_page_counts_what_is_accepted_at_the_released_stage_alone(project, accept, browse):
    assert "nothing yet, so there is nothing to build" in browse("researcher").get(PLACE).content.decode()
    accept("ARCEZ_1")
    make_item(project, "ARCEZ_2", stage=make_stage(project, name="another"), state="accepted")
    assert "1 item now" in browse("researcher").get(PLACE).content.decode()


def test_the_overview_counts_what_the_newest_release_holds(two, browse):
    shown = browse("researcher").get("/projects/forces/").content.decode()
    assert "In the newest release" in shown
    assert "2 of 2 source questions (100%) came to the end so far." in shown


@pytest.mark.parametrize("version", ["1.0", "one", "1.0.0.0", "v1.0.0", "01.0.0", "1.0.99999999"])
def test_a_version_that_is_none_is_refused(project, browse, version):
    assert browse("researcher").post(PLACE, {"version": version}).status_code == 422
    assert project.releases.count() == 0


def test_a_version_that_there_is_is_refused(two, browse, call):
    response = browse("researcher").post(PLACE, {"version": two[0].version})
    assert response.status_code == 422
    again = call("researcher").post("/api/v1/projects/forces/releases", {"version": two[0].version}, format="json")
    assert again.status_code == 409


def test_a_download_is_the_whole_folder(two, browse, call):
    for response in (
        browse("researcher").get(f"{PLACE}{two[1].version}/download/"),
        call("researcher").get(f"/api/v1/projects/forces/releases/{two[1].version}/download"),
    ):
        packed = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
        names = {name.split("/", 1)[1] for name in packed.namelist()}
        assert {"manifest.json", "README.md", "data/train.jsonl"} <= names
        assert f'forces-{two[1].version}.zip"' in response["Content-Disposition"]


def test_an_unfinished_release_can_not_be_downloaded(project, accept, browse):
    accept("ARCEZ_1")
    browse("researcher").post(PLACE, {"version": "1.0.0"})
    assert browse("researcher").get(f"{PLACE}1.0.0/download/").status_code == 404


def test_verifying_says_whether_it_is_whole(two, browse, call, tmp_path):
    release = two[0]
    page, endpoint = f"{PLACE}{release.version}/", f"/api/v1/projects/forces/releases/{release.version}/verify"
    assert "Not verified since it was built" in browse("researcher").get(page).content.decode()
    assert call("researcher").get(endpoint).json()["is_whole"] is None
    shown = browse("researcher").post(f"{page}verify/", follow=True).content.decode()
    assert "Waits to be verified" in shown and "data-refresh-soon" in shown
    finish_verification(release=release)
    shown = browse("researcher").get(page).content.decode()
    assert "It is whole" in shown and "data-refresh-soon" not in shown
    assert call("researcher").get(endpoint).json()["is_whole"] is True
    (tmp_path / "releases" / "forces" / release.version / "README.md").write_text("changed")
    ordered = call("researcher").post(endpoint)
    assert (ordered.status_code, ordered.json()["state"]) == (202, "ordered")
    finish_verification(release=release)
    assert "README.md" in browse("researcher").get(page).content.decode()
    answer = call("researcher").get(endpoint).json()
    assert answer["state"] == "done" and answer["is_whole"] is False and answer["problems"]


@pytest.mark.parametrize("gone", [".", "manifest.json"])
def test_a_release_that_is_not_in_its_place_is_told_in_words(two, browse, call, tmp_path, gone):
    first, second = two
    path = tmp_path / "releases" / "forces" / first.version / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    page, endpoint = f"{PLACE}{first.version}/", f"/api/v1/projects/forces/releases/{first.version}"
    shown = browse("researcher").get(f"{page}download/", follow=True).content.decode()
    assert "can&#x27;t be downloaded" in shown
    assert call("researcher").get(f"{endpoint}/download").status_code == 409
    query = f"from={first.version}&to={second.version}"
    assert str(path.parent if path.name == "manifest.json" else path) in (
        browse("researcher").get(f"{PLACE}compare/?{query}").content.decode()
    )
    assert call("researcher").get(f"/api/v1/projects/forces/compare?{query}").status_code == 409


def test_a_reworded_text_is_marked_word_by_word(two, browse):
    Outcome.objects.filter(item__key="ARCEZ_1").update(final={"question": "Which <b>force</b>?", "answers": []})
    before = build_now(project=two[0].project, created_by="ana")
    Outcome.objects.filter(item__key="ARCEZ_1").update(final={"question": "What <b>force</b>?", "answers": []})
    after = build_now(project=two[0].project, created_by="ana")
    shown = browse("researcher").get(f"{PLACE}compare/?from={before.version}&to={after.version}").content.decode()
    assert "<del><bdi>Which </bdi></del><ins><bdi>What </bdi></ins>" in shown
    assert "&lt;b&gt;force" in shown and "<b>force" not in shown


def test_what_a_comparison_leaves_out_is_counted(two, browse, call, monkeypatch):
    first, second = two
    for row in ("annotation.desk.views.releases.MOST_CHANGES", "annotation.desk.api.releases.MOST_CHANGES"):
        monkeypatch.setattr(row, 0)
    Outcome.objects.filter(item__key="ARCEZ_1").update(final={"question": "Which?", "answers": []})
    third = build_now(project=first.project, created_by="ana")
    query = f"from={second.version}&to={third.version}"
    shown = browse("researcher").get(f"{PLACE}compare/?{query}").content.decode()
    assert "1 changed" in shown and "1 other item changed as well" in shown
    told = call("researcher").get(f"/api/v1/projects/forces/compare?{query}").json()
    assert (told["changed"], told["changed_beyond"]) == ([], 1)


def test_an_order_of_nothing_is_refused_and_leaves_no_row(project, browse, call):
    page = browse("researcher").post(PLACE, {})
    assert page.status_code == 422 and "no item of forces is accepted" in page.content.decode()
    assert call("researcher").post("/api/v1/projects/forces/releases", {}, format="json").status_code == 409
    assert not project.releases.exists()


def test_comparing_says_what_was_added(two, browse, call):
    first, second = two
    query = f"from={first.version}&to={second.version}"
    shown = browse("researcher").get(f"{PLACE}compare/?{query}").content.decode()
    assert "1 added, 0 removed, 0 changed, 0 moved" in shown and "minor" in shown
    difference = call("researcher").get(f"/api/v1/projects/forces/compare?{query}").json()
    assert [row["id"] for row in difference["added"]] == ["ARCEZ_2"] or len(difference["added"]) == 1
    assert call("researcher").get("/api/v1/projects/forces/compare?from=1.0.0").status_code == 400


def test_a_failed_release_says_why_and_stands_among_the_problems(project, browse):
    Release.objects.create(project=project, version="1.0.0", state="failed", error="the disk is full", created_by="ana")
    for page in (PLACE, f"{PLACE}1.0.0/", "/projects/forces/problems/"):
        assert "the disk is full" in browse("researcher").get(page).content.decode()


def test_the_api_orders_and_lists(project, accept, call):
    accept("ARCEZ_1")
    ordered = call("researcher").post("/api/v1/projects/forces/releases", {"version": "1.0.0"}, format="json")
    assert (ordered.status_code, ordered.json()["state"]) == (202, "building")
    finish(release=project.releases.get())
    listed = call("researcher").get("/api/v1/projects/forces/releases").json()
    assert [(one["version"], one["state"], one["counts"]["rows"]) for one in listed] == [("1.0.0", "ready", 1)]


def test_no_form_offers_a_release_of_nothing(project, browse):
    page = browse("researcher").get(PLACE).content.decode()
    assert "nothing yet, so there is nothing to build" in page
    assert "Build it" not in page


def test_what_keeps_every_accepted_item_back_is_said_and_no_release_is_offered(project, browse, accept, monkeypatch):
    accept("ARCEZ_1")
    assert "Build it" in browse("researcher").get(PLACE).content.decode()
    cache.clear()
    why = "1 accepted question of train waits for verdicts"
    monkeypatch.setattr(type(registry.pipeline("arc_da")), "held_back", lambda pipeline, accepted, settings: why)
    page = browse("researcher").get(PLACE).content.decode()
    assert why in page and "Build it" not in page
    assert "Build a release" not in browse("researcher").get("/projects/forces/").content.decode()
