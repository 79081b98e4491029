"""A release names the corpora that were searched: content hash, name, counts, and which answers carry which."""

import json
from pathlib import Path

import pytest

from annotation.corpus.models import Corpus
from annotation.hits.models import Assignment
from annotation.projects.actions import use_corpus
from annotation.releases import actions
from annotation.releases.verification import verify_release
from tests.annotation.releases.conftest import lines

OLD, NEW = "a" * 64, "b" * 64


def make_corpus(digest: str, name: str = "mills") -> Corpus:
    return Corpus.objects.create(
        name=name, digest=digest, backend="embedded", form="json-lines", paragraphs=1_200, pages=300, words=96_000
    )


@pytest.fixture
def searched(project):
    """Three pages searched a corpus that is here, one another that is here no more."""
    make_corpus(NEW, "aaa")
    use_corpus(project=project, corpus=make_corpus(NEW))
    chosen = list(Assignment.objects.filter(answers__counts=True).order_by("pk").distinct()[:4])
    Assignment.objects.filter(pk__in=[each.pk for each in chosen[:3]]).update(corpus_digest=NEW)
    Assignment.objects.filter(pk=chosen[3].pk).update(corpus_digest=OLD)
    return chosen


@pytest.fixture
def built(project, searched):
    return actions.build(project=project, created_by="user:1")


def answers_of(assignments):
    return sum(each.answers.filter(counts=True).count() for each in assignments)


def test_the_manifest_names_each_with_its_counts(built, searched):
    manifest = json.loads((Path(built.location) / "manifest.json").read_bytes())
    [stage] = manifest["stages"]
    assert stage["corpora"] == [
        {"digest": OLD, "name": "", "judgements": answers_of(searched[3:])},
        {
            "digest": NEW,
            "name": "mills",
            "paragraphs": 1_200,
            "pages": 300,
            "words": 96_000,
            "judgements": answers_of(searched[:3]),
        },
    ]


def test_every_answer_says_which_it_was_given_with(built, searched):
    found = [line.get("corpus") for line in lines(Path(built.location) / "raw" / "judgements.jsonl")]
    assert found.count(NEW) == answers_of(searched[:3])
    assert found.count(OLD) == answers_of(searched[3:])
    assert None in found


def test_the_card_tells_people(built):
    card = (Path(built.location) / "README.md").read_text()
    assert f"mills (1,200 paragraphs of 300 pages), content hash `{NEW}`" in card
    assert f"a corpus that is here no more, content hash `{OLD}`" in card


def test_the_release_is_whole(built):
    assert verify_release(built) == []


def test_a_release_without_a_corpus_says_nothing_of_it(release):
    folder = Path(release.location)
    assert "corpora" not in json.loads((folder / "manifest.json").read_bytes())["stages"][0]
    assert "could search" not in (folder / "README.md").read_text()
