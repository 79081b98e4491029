"""A pipeline that releases an early stage's items: what later stages said of them decides and is counted."""

import json
from pathlib import Path

import pytest

from annotation.hits.models import Answer
from annotation.projects.actions import create_project
from annotation.projects.importing import import_items
from annotation.projects.models import Item
from annotation.releases.actions import build
from annotation.releases.storage import open_folder
from annotation.releases.verification import verify
from annotation.review.actions import decide, promote, settle
from annotation.review.models import Outcome
from tasks.r4c import simulation
from tests.factories import make_answer, make_user, make_worker

pytestmark = pytest.mark.django_db
DEMO = Path(simulation.__file__).parent / "demo"
DERIVATIONS = {
    row["id"]: row["derivations"]
    for row in map(json.loads, (DEMO / "derivations.jsonl").read_text(encoding="utf-8").splitlines())
}
SETTINGS = {"answerability_share": 0.0, "derivability_share": 1.0}


def answer_all(project, stage, answer_of):
    for item in Item.objects.filter(stage__name=stage, state=Item.State.OPEN, project=project).order_by("id"):
        for number in range(3):
            make_answer(item, answer_of(item, number), worker=make_worker())
        Item.objects.filter(pk=item.pk).update(state=Item.State.ANSWERED)
    settle(project=project)
    promote(project=project)


def derive(item, number):
    several = DERIVATIONS[item.key]
    # Somebody finds nothing in one question, so that it is dropped.
    is_lost = item.key == "cw-r4c-12" and number == 2
    choice = "neither" if is_lost else item.payload["answer"]
    return {"choice": choice, "steps": [] if is_lost else several[number % len(several)]}


def judge(item, number):
    """One derivation of one question leaves a gap for most."""
    return {"verdict": "likely" if item.key == "cw-r4c-02/2" and number else "yes"}


@pytest.fixture
def project():
    project = create_project(pipeline="r4c", name="Bells", slug="bells", settings=SETTINGS)
    import_items(project=project, paths=sorted(DEMO.glob("hotpot-*.jsonl")))
    answer_all(project, "derivation", derive)
    return project


@pytest.fixture
def released(project, tmp_path, settings):
    settings.RELEASE_STORAGE = str(tmp_path / "releases")
    answer_all(project, "answerability", judge)
    return open_folder(build(project=project, created_by="test").location)


def rows(folder, split):
    with folder.open(f"data/{split}.jsonl") as lines:
        return {row["id"]: row["derivations"] for row in map(json.loads, lines)}


def test_each_derivation_is_judged_by_others_in_its_split(project):
    judged = Item.objects.filter(stage__name="answerability", project=project)
    assert judged.count() == 8 * 3
    assert {item.split for item in judged} == {"dev"}
    (author,) = judged.first().origin_answers
    assert Answer.objects.get(pk=author).item.key == judged.first().key.split("/")[0]


def test_a_question_waits_until_all_its_derivations_are_judged(project, tmp_path, settings):
    settings.RELEASE_STORAGE = str(tmp_path / "releases")
    folder = open_folder(build(project=project, created_by="test").location)
    assert "data/dev.jsonl" not in folder.names()
    assert sorted(rows(folder, "train")) == ["cw-r4c-09", "cw-r4c-10", "cw-r4c-11"]


def test_the_dev_rule_drops_a_question_with_a_doubtful_derivation(released):
    assert set(rows(released, "dev")) == {f"cw-r4c-0{number}" for number in (1, 3, 4, 5, 6, 7, 8)}
    assert all(len(derivations) == 3 for derivations in rows(released, "dev").values())


def test_the_public_file_format_is_there_too(released):
    with released.open("published/dev_csf.json") as handle:
        published = json.load(handle)
    first = rows(released, "dev")["cw-r4c-01"][0][0]
    triplet = [first["head"], first["relation"], first["tail"]]
    assert published["cw-r4c-01"][0][0] == [first["title"], first["sentence"], triplet]


def test_the_release_says_how_answerable_the_derivations_are(released):
    with released.open("stats.json") as handle:
        figures = {(one["row"], one["column"]): one["value"] for one in json.load(handle)["figures"]}
    assert figures["derivations judged likely", "dev"] == pytest.approx(1 / 24, abs=1e-6)
    assert figures["questions whose derivations are all judged yes", "dev"] == pytest.approx(7 / 8)
    assert figures["Krippendorff's alpha, ordinal", "dev"] is not None


def test_the_release_holds_what_it_says(released):
    assert verify(released.location if hasattr(released, "location") else str(released.root)) == []


def test_experts_say_which_steps_can_be_derived(project, tmp_path, settings):
    settings.RELEASE_STORAGE = str(tmp_path / "releases")
    answer_all(project, "answerability", judge)
    pending = list(Outcome.objects.filter(stage__name="derivability", state=Outcome.State.PENDING).order_by("id"))
    assert len(pending) > 20
    first, second = make_user(project=project), make_user(project=project)
    for place, outcome in enumerate(pending[:4]):
        choose = [{"op": "choose", "field": "derivable", "value": "no" if place == 0 else "yes"}]
        decide(outcome=outcome, reviewer=first, decision="accept", operations=choose, version=outcome.version)
        outcome.refresh_from_db()
        again = [{"op": "choose", "field": "derivable", "value": "no" if place < 2 else "yes"}]
        decide(
            outcome=outcome,
            reviewer=second,
            decision="accept",
            operations=again,
            version=outcome.version,
            is_blind=True,
        )
    folder = open_folder(build(project=project, created_by="test").location)
    with folder.open("stats.json") as handle:
        figures = {one["row"]: one["value"] for one in json.load(handle)["figures"] if one["table"].startswith("Deriv")}
    assert figures["derivable"] == pytest.approx(3 / 4)
    assert figures["derivable for all experts, of those that several judged"] == pytest.approx(2 / 4)
