"""Published records."""

import dataclasses

import pytest

from tasks.strategyqa import release
from tasks.strategyqa.evidence import StepEvidence


def test_ids_look_like_the_published_ones_and_stay():
    assert release.qid_of("item 1") == release.qid_of("item 1") != release.qid_of("item 2")
    assert len(release.qid_of("x")) == 20 and int(release.qid_of("x"), 16) >= 0


def test_a_key_that_is_such_an_id_stays_one():
    assert release.qid_of("2bc9c4f9c19c167187f2") == "2bc9c4f9c19c167187f2"


@pytest.mark.shared_data
def test_every_public_record_comes_out_of_its_parts(public_rows):
    for public in public_rows:
        evidence = [[dataclasses.asdict(StepEvidence.of(step)) for step in one] for one in public["evidence"]]
        steps = [{"text": text, "page": ""} for text in public["decomposition"]]
        made = release.row(qid=public["qid"], question=public, steps=steps, evidence=evidence)
        stored = release.Row.model_validate(made).model_dump(exclude_unset=True)
        assert release.published(stored) == public
        assert sorted(stored) == sorted(public)


@pytest.mark.shared_data
def test_a_test_record_has_no_labels(public_rows):
    assert release.unlabelled(public_rows[0]) == {name: public_rows[0][name] for name in ("qid", "question")}


def test_a_paragraph_has_the_published_names():
    found = {"id": "Ash-2", "title": "Ash", "section": "", "headers": ["Tree"], "number": 2, "text": "It is a tree."}
    assert release.paragraph(found) == {
        "title": "Ash",
        "section": "",
        "headers": ["Tree"],
        "para_index": 2,
        "content": "It is a tree.",
    }
