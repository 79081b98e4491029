"""`manage.py check --database default` and `up` say when what projects search is not there."""

import pytest

from annotation.corpus.models import Corpus
from annotation.launch import corpora
from annotation.projects.actions import close_project, use_corpus
from tasks import registry
from tests.factories import make_project

DIGEST = "c" * 64


@pytest.fixture
def found(settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")

    def ids(databases=("default",)):
        given = {"app_configs": None, "databases": list(databases)}
        messages = corpora.refuse_corpora_that_can_not_be_searched(**given)
        assert all(message.hint for message in messages)
        return {message.id.removeprefix("crowdwright."): message for message in messages}

    return ids


@pytest.fixture
def project(db, settings, tmp_path):
    project = make_project("rivers")
    corpus = Corpus.objects.create(
        name="mills",
        digest=DIGEST,
        backend="embedded",
        form="json-lines",
        files=["m.jsonl"],
        paragraphs=1,
        pages=1,
        words=2,
    )
    use_corpus(project=project, corpus=corpus)
    return project


def put_there(settings):
    from pathlib import Path

    folder = Path(settings.CORPORA) / f"{DIGEST}.1"
    folder.mkdir(parents=True)
    (folder / "corpus.json").write_text("{}")


def test_an_index_that_is_missing_is_an_error_that_says_what_to_do(project, found, settings):
    error = found()["E161"]
    assert "rivers can't search" in error.msg
    assert "corpus import mills m.jsonl" in error.hint
    put_there(settings)
    assert found() == {}


def test_a_server_that_is_not_named_any_more_is_an_error(project, found):
    Corpus.objects.update(backend="opensearch")
    assert set(found()) == {"E161"}


def test_closed_projects_and_other_databases_are_not_asked_about(project, found):
    assert found(databases=()) == {}
    close_project(project=project)
    assert found() == {}


def test_a_folder_of_one_machine_is_warned_about_where_there_are_several(project, found, settings):
    put_there(settings)
    settings.REDIS_URL = "redis://redis.example.org:6379/0"
    assert set(found()) == {"W162"}


def test_a_project_that_should_have_a_corpus_and_has_none_is_warned_about(project, found, monkeypatch):
    monkeypatch.setattr(type(registry.task_type("arc_da.direct_answer")), "searches_corpus", True)
    use_corpus(project=project, corpus=None)
    assert "corpus use rivers NAME" in found()["W163"].hint


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("", False),
        ("http://127.0.0.1:9200", False),
        ("https://a:b@host/crowd", False),
        ("host:9200", True),
        ("ftp://h", True),
    ],
)
def test_an_address_that_is_none_is_refused(settings, url, refused):
    settings.SEARCH_URL = url
    assert bool(corpora.refuse_a_search_server_that_is_none(None)) is refused
