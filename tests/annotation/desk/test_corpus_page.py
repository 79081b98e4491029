"""The desk's page of a project's corpus, and the same for programs."""

import json

import pytest
from bs4 import BeautifulSoup

from annotation.corpus.actions import import_corpus
from annotation.events.models import Event
from annotation.projects.actions import use_corpus
from tasks import registry
from tests.annotation.corpus.paragraphs import PARAGRAPHS


@pytest.fixture
def corpus(db, settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    source = tmp_path / "mills.jsonl"
    source.write_text("".join(json.dumps(each._asdict()) + "\n" for each in PARAGRAPHS))
    return import_corpus(name="mills", paths=[source]).corpus


@pytest.fixture
def used(project, corpus):
    use_corpus(project=project, corpus=corpus)
    return project


def soup(response):
    return BeautifulSoup(response.content, "html.parser")


def test_the_page_tells_counts_and_hash(client, people, used, corpus):
    client.force_login(people.reviewer)
    text = soup(client.get(f"/projects/{used.slug}/corpus/")).get_text(" ")
    assert corpus.digest in text
    assert "9 paragraphs of 5 pages, 132 words" in " ".join(text.split())


def test_a_search_shows_what_workers_would_find(client, people, used):
    client.force_login(people.reviewer)
    page = soup(client.get(f"/projects/{used.slug}/corpus/", {"q": 'clock "high water"'}))
    [hit] = page.select("ol.hits li")
    assert "Red Mill" in hit.h4.get_text()
    assert [mark.get_text() for mark in hit.select("mark")] == ["clock", "high water"]


@pytest.mark.parametrize("question", ["zebra", '"', "\0", "x" * 5_000])
def test_a_search_that_finds_nothing_says_so(client, people, used, question):
    client.force_login(people.reviewer)
    response = client.get(f"/projects/{used.slug}/corpus/", {"q": question})
    assert response.status_code == 200
    assert not soup(response).select("ol.hits li")


def test_a_researcher_gives_the_project_a_corpus_and_takes_it_away(client, people, project, corpus):
    client.force_login(people.researcher)
    address = f"/projects/{project.slug}/corpus/"
    assert "No corpus" in client.get(address).content.decode()
    response = client.post(f"{address}use/", {"corpus": corpus.pk}, follow=True)
    assert "Workers search mills now." in response.content.decode()
    project.refresh_from_db()
    assert project.corpus == corpus
    client.post(f"{address}use/", {"corpus": ""})
    project.refresh_from_db()
    assert project.corpus is None
    assert Event.objects.filter(verb="project.changed", project_id=project.pk).count() == 2


def test_a_corpus_that_is_not_there_is_refused_with_the_page(client, people, project, corpus):
    client.force_login(people.researcher)
    response = client.post(f"/projects/{project.slug}/corpus/use/", {"corpus": "999"})
    assert response.status_code == 422
    assert "Nothing was changed yet" in response.content.decode()


def test_a_missing_index_is_told(client, people, used, settings, tmp_path):
    settings.CORPORA = str(tmp_path / "elsewhere")
    client.force_login(people.reviewer)
    page = client.get(f"/projects/{used.slug}/corpus/", {"q": "mill"}).content.decode()
    assert "index is missing" in page
    assert "The search did not answer." in page


def test_the_tab_is_there_where_a_corpus_matters(client, people, project, corpus, monkeypatch):
    client.force_login(people.reviewer)
    address = f"/projects/{project.slug}/corpus/"
    assert address not in client.get(f"/projects/{project.slug}/").content.decode()
    monkeypatch.setattr(type(registry.task_type("arc_da.direct_answer")), "searches_corpus", True)
    assert address in client.get(f"/projects/{project.slug}/").content.decode()


def test_programs_list_use_and_search_corpora(client, people, project, corpus):
    client.force_login(people.researcher)
    base = f"/api/v1/projects/{project.slug}"
    [listed] = client.get("/api/v1/corpora").json()
    assert (listed["name"], listed["digest"], listed["paragraphs"]) == ("mills", corpus.digest, 9)
    assert client.get(f"{base}/paragraphs", {"q": "mill"}).status_code == 409
    body = {"name": "mills", "digest": corpus.digest[:10]}
    told = client.put(f"{base}/corpus", body, content_type="application/json").json()
    assert told["corpus"]["digest"] == client.get(f"{base}/corpus").json()["corpus"]["digest"] == corpus.digest
    found = client.get(f"{base}/paragraphs", {"q": "gable"}).json()
    assert (found["total"], found["index"], found["hits"][0]["id"]) == (1, corpus.digest, "Red Mill-3")
    assert client.put(f"{base}/corpus", {"name": None}, content_type="application/json").json() == {"corpus": None}


@pytest.mark.parametrize("body", [{}, {"name": "rivers"}, {"name": "mills", "digest": "zz"}, {"name": 7, "x": 1}])
def test_a_strange_wish_of_a_program_is_refused(client, people, project, corpus, body):
    client.force_login(people.researcher)
    address = f"/api/v1/projects/{project.slug}/corpus"
    assert client.put(address, body, content_type="application/json").status_code == 400


@pytest.mark.parametrize("offset", ["-1", "1001", "²", "a"])
def test_a_strange_offset_of_a_program_is_refused(client, people, used, offset):
    client.force_login(people.reviewer)
    assert client.get(f"/api/v1/projects/{used.slug}/paragraphs", {"q": "mill", "offset": offset}).status_code == 400
