"""`static/js/workbench/corpus.js`, as widgets use it: one answer a question, newer questions first, words marked."""

from __future__ import annotations

import json
import os
from urllib.parse import urlencode

import pytest

from annotation.corpus.actions import import_corpus
from annotation.projects.actions import use_corpus
from annotation.workbench import searching
from tasks import registry
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.factories import make_hit, make_item, make_project

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
KIND = registry.task_type("strategyqa.decomposing")
READY = """async () => {
  const [{ Corpus, marked }, { Server }] = await Promise.all([
    import("/static/js/workbench/corpus.js"), import("/static/js/workbench/server.js"),
  ]);
  const data = JSON.parse(document.getElementById("page-data").textContent);
  window.corpus = new Corpus(new Server(data.context));
  window.shown = (hit) => {
    const place = document.createElement("p");
    place.append(marked(hit.text, hit.marks));
    return [place.textContent, [...place.querySelectorAll("mark")].map((mark) => mark.textContent)];
  };
}"""


@pytest.fixture
def task(context, live_server, transactional_db, settings, tmp_path):
    """A worker's page, by itself in a tab, with the module at hand as `corpus`."""
    settings.CORPORA = str(tmp_path / "corpora")
    source = tmp_path / "mills.jsonl"
    source.write_text("".join(f"{json.dumps(each._asdict())}\n" for each in PARAGRAPHS))
    project = make_project("rivers", stage={"name": "decomposition", "task_type": KIND.name})
    use_corpus(project=project, corpus=import_corpus(name="mills", paths=[source]).corpus)
    hit = make_hit(project, make_item(project, payload=KIND.examples()[0].item))
    searching.PACE.forget()
    claims = {"assignmentId": "3CORPUS", "hitId": hit.remote_id, "workerId": "AWORKER1"}
    page = context.new_page()
    page.goto(f"{live_server.url}/t/{hit.token}/?{urlencode(claims)}")
    page.evaluate(READY)
    return page


def test_a_search_gives_paragraphs_with_their_words_marked(task):
    asked = "corpus.search('\"saw the sea\" bridges')"
    found = task.evaluate(f"{asked}.then((found) => [found.total, shown(found.hits[0])])")
    assert found == [1, [PARAGRAPHS[6].text, ["bridges", "saw the sea"]]]


def test_titles_and_whole_pages_come_too(task):
    assert task.evaluate('corpus.titles("red").then((found) => found.titles)') == ["Red Mill"]
    ids = task.evaluate('corpus.page("Sorn").then((found) => found.paragraphs.map((each) => each.id))')
    assert ids == ["Sorn-1", "Sorn-2"]


def test_a_newer_question_calls_the_older_one_off(task):
    asked = 'corpus.titles("r"), corpus.titles("re"), corpus.search("mill"), corpus.titles("so")'
    told = "[first ?? null, second ?? null, other.total, last.titles]"
    found = task.evaluate(f"Promise.all([{asked}]).then(([first, second, other, last]) => {told})")
    assert found == [None, None, 7, ["Sorn"]]


def test_what_is_under_way_can_be_stopped(task):
    found = task.evaluate('(() => { const asked = corpus.search("mill"); corpus.stop(); return asked; })()')
    assert found is None


def test_a_problem_is_said_in_words(task):
    assert task.evaluate('corpus.page("Nowhere")')["problem"] == "There is no page with this title."
    task.context.set_offline(True)
    assert "can’t be reached" in task.evaluate('corpus.search("mill")')["problem"]
