"""A release names the corpora that were searched: content hash, name, counts, and which answers carry which."""

import json
import shutil
from pathlib import Path

import pytest

from annotation.corpus.actions import import_corpus, remove_corpus
from annotation.corpus.models import Corpus
from annotation.hits.models import Assignment
from annotation.projects.actions import use_corpus
from annotation.releases import actions
from annotation.releases.results import ReleaseRefused
from annotation.releases.verification import verify_release
from tasks import registry
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


class TestCitedParagraphs:
    """They are those that workers read, whichever corpus the project has by now."""

    @pytest.fixture
    def corpus(self, settings, tmp_path):
        """Makes a corpus of pages of one paragraph each."""
        settings.CORPORA = str(tmp_path / "corpora")

        def made(name: str, **texts: str) -> Corpus:
            path = tmp_path / f"{name}.jsonl"
            path.write_text("".join(json.dumps({"title": title, "text": text}) + "\n" for title, text in texts.items()))
            return import_corpus(name=name, paths=[path]).corpus

        return made

    @pytest.fixture
    def cite(self, monkeypatch):
        """Has the pipeline's rows cite these paragraphs."""

        def cited(*ids: str) -> None:
            kind = type(registry.pipeline("arc_da"))
            monkeypatch.setattr(kind, "cited", lambda self, rows: set(ids))
            monkeypatch.setattr(
                kind,
                "published_paragraphs",
                lambda self, found: {"texts.json": {name: one["text"] for name, one in found.items()}},
            )

        return cited

    @staticmethod
    def search(*corpora: Corpus) -> None:
        """Each page searched the next of them: the first is searched most."""
        for place, assignment in enumerate(Assignment.objects.filter(answers__counts=True).order_by("pk").distinct()):
            corpus = corpora[place % (len(corpora) + 1) % len(corpora)]
            Assignment.objects.filter(pk=assignment.pk).update(corpus_digest=corpus.digest)

    @staticmethod
    def published(release) -> dict:
        return json.loads((Path(release.location) / "published/texts.json").read_bytes())

    def test_they_come_from_the_corpus_that_was_searched_not_from_today_s(self, project, corpus, cite):
        read, later = corpus("mills", Kettle="It whistles."), corpus("later", Kettle="Somebody rewrote this.")
        self.search(read)
        use_corpus(project=project, corpus=later)
        cite("Kettle-1")
        assert self.published(actions.build(project=project, created_by="user:1")) == {"Kettle-1": "It whistles."}

    def test_what_is_in_none_of_them_is_counted_and_said(self, project, corpus, cite):
        self.search(corpus("mills", Kettle="It whistles."))
        cite("Kettle-1", "Teapot-1", "Teapot-2")
        release = actions.build(project=project, created_by="user:1")
        folder = Path(release.location)
        told = json.loads((folder / "stats.json").read_bytes())["paragraphs"]
        assert told == {"cited": 3, "missing": 2, "differing": 0}
        said = "Of 3 paragraphs that rows cite, 2 are in no corpus that was searched, and left out."
        assert said in (folder / "README.md").read_text()
        assert verify_release(release) == []

    def test_one_that_reads_differently_is_that_of_the_most_searched_and_said(self, project, corpus, cite):
        most, other = corpus("mills", Kettle="It whistles.", Mill="It turns."), corpus("other", Kettle="It sings.")
        self.search(most, other)
        cite("Kettle-1", "Mill-1")
        release = actions.build(project=project, created_by="user:1")
        assert self.published(release) == {"Kettle-1": "It whistles.", "Mill-1": "It turns."}
        assert (
            "1 read differently in the corpora that were searched" in (Path(release.location) / "README.md").read_text()
        )

    def test_a_corpus_that_is_gone_is_no_reason_to_publish_another_s_text(self, project, corpus, cite):
        read, later = corpus("mills", Kettle="It whistles."), corpus("later", Kettle="Somebody rewrote this.")
        self.search(read)
        use_corpus(project=project, corpus=later)
        remove_corpus(corpus=read)
        cite("Kettle-1")
        with pytest.raises(ReleaseRefused, match=r"the corpus \w{12}… that workers searched is gone: import it again"):
            actions.build(project=project, created_by="user:1")

    def test_an_index_that_is_gone_is_told(self, project, corpus, cite, settings):
        self.search(corpus("mills", Kettle="It whistles."))
        shutil.rmtree(settings.CORPORA)
        cite("Kettle-1")
        with pytest.raises(ReleaseRefused, match="the paragraphs that rows cite can't be read"):
            actions.build(project=project, created_by="user:1")

    def test_where_no_answer_tells_they_come_from_the_project_s_own(self, project, corpus, cite):
        use_corpus(project=project, corpus=corpus("mills", Kettle="It whistles."))
        cite("Kettle-1")
        assert self.published(actions.build(project=project, created_by="user:1")) == {"Kettle-1": "It whistles."}
