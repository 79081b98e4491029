"""Checks get what they declare under `needs`, and nothing else."""

import pytest

from annotation.checking import context
from annotation.corpus.actions import import_corpus
from annotation.projects.actions import use_corpus
from tasks.base import Check
from tests.factories import make_project


def reads(item, answer, given):
    return None


def test_only_what_is_asked_for_is_gathered(monkeypatch):
    monkeypatch.setattr(
        context, "NEEDS", {"a": context.Need(lambda scope: "A"), "b": context.Need(lambda scope: 1 / 0)}
    )
    assert context.gather([Check(reads, "warn", needs=("a",)), Check(reads, "warn")]) == {"a": "A"}


def test_an_unknown_need_is_an_error_that_lists_what_exists():
    with pytest.raises(LookupError, match=r"no provider for the need 'crystal_ball'; there are .*language"):
        context.gather([Check(reads, "warn", needs=("crystal_ball",))])


def test_a_need_has_one_provider():
    with pytest.raises(ValueError, match="has a provider already"):
        context.provides("language")(lambda scope: None)


def test_the_language_pipeline_reads_no_more_than_its_limit():
    read = context.gather([Check(reads, "warn", needs=("language",))])["language"]
    assert [token.pos_ for token in read("Plants need light.")][:2] == ["NOUN", "VERB"]
    assert len(read("word " * 5_000).text) == context.MOST_CHARACTERS


@pytest.mark.django_db
def test_paragraphs_are_looked_up_in_the_corpus_of_the_project(settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    source = tmp_path / "mills.jsonl"
    source.write_text('{"id": "Mill-1", "title": "Mill", "text": "A mill grinds."}\n')
    project = make_project()
    known = context.gather([Check(reads, "warn", needs=("paragraphs",))], context.Scope(project.pk))["paragraphs"]
    assert known(["Mill-1"]) is None
    use_corpus(project=project, corpus=import_corpus(name="mills", paths=[source]).corpus)
    assert known(["Mill-1", "Mill-2"]) == {"Mill-1"}
    assert context.gather([Check(reads, "warn", needs=("paragraphs",))])["paragraphs"](["Mill-1"]) is None
