"""The Croissant description, judged and read by the reference implementation."""

import hashlib
import json
from pathlib import Path

import mlcroissant
import pytest

from tests.annotation.releases.conftest import lines


@pytest.fixture
def path(release) -> Path:
    return Path(release.location) / "croissant.json"


def test_the_reference_implementation_has_no_complaint(path):
    issues = mlcroissant.Dataset(str(path)).metadata.ctx.issues
    assert not issues.errors
    assert not issues.warnings


def test_rows_read_through_it_are_the_rows(path):
    read = mlcroissant.Dataset(str(path)).records("train")
    found = [
        {
            "question_id": record["train/question_id"].decode(),
            "question": record["train/question"].decode(),
            "answers": [answer.decode() for answer in record["train/answers"]],
        }
        for record in read
    ]
    assert found == [
        {name: row[name] for name in ("question_id", "question", "answers")}
        for row in lines(path.parent / "data/train.jsonl")
    ]


def test_it_says_what_croissant_1_1_asks(path):
    about = json.loads(path.read_text("utf-8"))
    assert "http://mlcommons.org/croissant/1.1" in about["conformsTo"]
    for name in ("name", "description", "license", "url", "creator", "datePublished", "version", "citeAs"):
        assert about[name], name
    assert about["isLiveDataset"] is False
    assert about["license"] == "https://creativecommons.org/licenses/by-sa/4.0/"
    assert about["rai:annotationsPerItem"] == "direct_answer: 5"
    assert about["rai:dataCollectionTimeframe"] == ["2026-03-02T00:00:00", "2026-03-02T00:00:00"]


def test_files_are_named_with_their_hash(path):
    for file in json.loads(path.read_text("utf-8"))["distribution"]:
        content = (path.parent / file["contentUrl"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
