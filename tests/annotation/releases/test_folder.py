"""A release folder explains itself: every file that a reader expects, each true to what was collected."""

import json
from pathlib import Path

import jsonschema
import pyarrow.parquet
import pytest
import yaml

from annotation.hits.models import Answer
from annotation.releases import actions
from annotation.releases import lines as lines_module
from annotation.releases.records import RAW
from annotation.releases.results import ReleaseRefused
from annotation.review.models import Outcome, Review
from tasks import registry
from tests.annotation.releases.conftest import lines
from tests.factories import make_project

EXPECTED = {
    "README.md",
    "LICENSE",
    "CITATION.cff",
    "CHANGELOG.md",
    "croissant.json",
    "datasheet.md",
    "manifest.json",
    "stats.json",
    "data/train.jsonl",
    "data/train.parquet",
    "raw/judgements.jsonl",
    "raw/rejected.jsonl",
    "raw/excluded.jsonl",
    "raw/reviews.jsonl",
    "raw/outcomes.jsonl",
    "schema/row.json",
    "schema/judgements.json",
    "agreement/direct_answer.category.csv",
    "agreement/direct_answer.decision.csv",
    "instructions/direct_answer/form.html",
    "instructions/direct_answer/examples.jsonl",
}


@pytest.fixture
def folder(release) -> Path:
    return Path(release.location)


def test_all_that_a_reader_expects_is_there(folder):
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} >= EXPECTED
    assert not list(folder.rglob(".*")), "scratch files were published"


def test_the_rows_are_what_experts_accepted_in_the_published_form(folder, project):
    rows = {
        row["question_id"]: row for split in ("train", "dev", "test") for row in lines(folder / f"data/{split}.jsonl")
    }
    accepted = Outcome.objects.filter(project=project, state="accepted").select_related("item")
    assert len(rows) == accepted.count() == 12
    for outcome in accepted:
        row = rows[outcome.item.key]
        assert list(row) == ["question_id", "tag", "question", "answers"]
        assert row["tag"] == f"EASY-{outcome.item.split.upper()}"
        assert row["question"] == outcome.final["question"]
        assert row["answers"] == [answer["text"] for answer in outcome.final["answers"]]


def test_parquet_holds_the_same_rows(folder):
    for path in folder.glob("data/*.jsonl"):
        assert pyarrow.parquet.read_table(path.with_suffix(".parquet")).to_pylist() == list(lines(path))


def test_every_counted_answer_is_there_under_a_pseudonym(folder, project):
    found = [(line["item"], line["answer"]) for line in lines(folder / "raw/judgements.jsonl")]
    stored = Answer.objects.filter(item__project=project, counts=True).values_list("item__key", "data")
    assert sorted(map(repr, found)) == sorted(repr((key, dict(sorted(data.items())))) for key, data in stored)
    workers = {line["worker"] for line in lines(folder / "raw/judgements.jsonl")}
    assert len(workers) == 7
    assert not any("made" in worker for worker in workers), "pseudonyms of this installation were published"


def test_answers_that_do_not_count_stay_out(project):
    left_out = Answer.objects.filter(item__project=project).first()
    Answer.objects.filter(pk=left_out.pk).update(counts=False)
    release = actions.build(project=project, created_by="user:1")
    assert release.counts["judgements"] == Answer.objects.filter(item__project=project).count() - 1


def test_experts_have_credit_under_pseudonyms(folder):
    reviews = list(lines(folder / "raw/reviews.jsonl"))
    assert {review["reviewer"] for review in reviews} == {"r-1", "r-2"}
    assert {review["reviewer"] for review in reviews if review["is_blind"]} == {"r-2"}
    for outcome in lines(folder / "raw/outcomes.jsonl"):
        assert outcome["reviewers"] == ["r-1"]
        assert all(set(answer["workers"]) <= set(outcome["workers"]) for answer in outcome["final"]["answers"])
        assert "from_answers" not in json.dumps(outcome)


def test_dropped_items_say_why_and_who(folder):
    rejected = {line["by"]: line for line in lines(folder / "raw/rejected.jsonl")}
    assert rejected["rule"]["code"] == "too_open"
    assert rejected["rule"]["reviewers"] == []
    assert rejected["expert"]["code"] == "names-many-things"
    assert rejected["expert"]["reviewers"] == ["r-1"]
    assert sorted(line["phrase"] for line in lines(folder / "raw/excluded.jsonl")) == ["most", "most|best"]


@pytest.mark.parametrize("kind", [*RAW, "row"])
def test_every_line_obeys_the_schema_beside_it(folder, kind):
    schema = json.loads((folder / f"schema/{kind}.json").read_text())
    for path in folder.glob("data/*.jsonl") if kind == "row" else [folder / f"raw/{kind}.jsonl"]:
        for line in lines(path):
            jsonschema.validate(line, schema)


def test_statistics_tell_the_same_counts_as_the_files(folder):
    stats = json.loads((folder / "stats.json").read_text())
    for kind in RAW:
        assert stats["counts"][kind] == len(list(lines(folder / f"raw/{kind}.jsonl")))
    assert stats["splits"] == {"train": 4, "dev": 4, "test": 4}
    assert {step["name"]: step["reached"] for step in stats["funnel"]} == {
        "entered": 17,
        "kept": 15,
        "offered": 14,
        "answered": 14,
        "agreed": 13,
        "accepted": 12,
    }
    assert stats["excluded_by_phrase"] == {"best": 1, "most": 2}
    measured = {(entry["field"], entry["measure"]): entry for entry in stats["agreement"]}
    assert measured["category", "Krippendorff's alpha, nominal"]["n"] == 14
    assert measured["decisions of two experts", "share of equal ones"]["n"] == 2
    assert all(entry["method"] for entry in stats["agreement"])
    assert all("Table 1" in f["table"] or f["n"] is not None for f in stats["figures"])


def test_the_cards_header_maps_splits_to_files_and_counts(folder):
    card = (folder / "README.md").read_text("utf-8")
    header = yaml.safe_load(card.split("---\n")[1])
    assert header["license"] == "cc-by-sa-4.0"
    assert header["size_categories"] == ["n<1K"]
    assert header["annotations_creators"] == ["crowdsourced", "expert-generated"]
    for entry in header["configs"][0]["data_files"]:
        assert (folder / entry["path"]).exists()
    assert {split["name"]: split["num_examples"] for split in header["dataset_info"]["splits"]} == {
        "train": 4,
        "dev": 4,
        "test": 4,
    }
    assert {"name": "answers", "list": "string"} in header["dataset_info"]["features"]
    assert "&#x27;" not in card, "a page for people shows markup"


def test_the_manifest_names_position_code_checks_and_instructions(folder, release):
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["log_position"] == release.log_position > 0
    assert manifest["code"]["crowdwright"] == "0" * 40
    assert manifest["date"] == "2026-03-11", "the date is not that of the last event"
    stage = manifest["stages"][0]
    assert {"name": "answer_is_long", "version": 1, "level": "warn", "past": False} in stage["checks"]
    assert set(stage["instructions"]) == {"form.html", "examples.jsonl"}


def test_people_are_named_only_where_they_gave_a_name(folder):
    citation = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    assert citation["authors"] == [{"name": "Olga"}]
    assert "forces.example" not in (folder / "datasheet.md").read_text("utf-8")


def test_nothing_accepted_is_nothing_to_release(db):
    with pytest.raises(ReleaseRefused, match="no item of empty is accepted"):
        actions.build(project=make_project("empty"), created_by="user:1")


def test_the_card_names_the_folders_that_there_are(folder, project, monkeypatch):
    card = (folder / "README.md").read_text("utf-8")
    assert ("`agreement/`" in card, "`published/`" in card) == (True, False)
    monkeypatch.setattr(lines_module, "rated_fields", lambda kind: [])
    Review.objects.all().delete()
    arc = type(registry.pipeline("arc_da"))
    monkeypatch.setattr(arc, "published_files", lambda self, rows: {"own.json": [], "another.json": []})
    newer = Path(actions.build(project=project, created_by="user:1").location)
    card = (newer / "README.md").read_text("utf-8")
    assert "`published/`: `another.json`, `own.json`" in card
    assert "`agreement/`" not in card
    assert not (newer / "agreement").exists()


def test_the_datasheet_tells_the_pipelines_own_split_rule(folder, project, monkeypatch):
    assert "test (4). Items keep the split of their source." in (folder / "datasheet.md").read_text("utf-8")
    arc = type(registry.pipeline("arc_da"))
    monkeypatch.setattr(arc, "split_rule", lambda self, settings: "The split is by writer.")
    newer = Path(actions.build(project=project, created_by="user:1").location)
    assert "test (4). The split is by writer." in (newer / "datasheet.md").read_text("utf-8")
