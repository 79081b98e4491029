"""What a page of a task type that searches the corpus may ask, and what is kept of it."""

import json

import pytest

from annotation.corpus.actions import import_corpus
from annotation.projects.actions import use_corpus
from annotation.workbench import searching
from tasks import registry
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.annotation.workbench.conftest import answers_to


@pytest.fixture
def corpus(db, settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    source = tmp_path / "mills.jsonl"
    source.write_text("".join(json.dumps(each._asdict()) + "\n" for each in PARAGRAPHS))
    return import_corpus(name="mills", paths=[source]).corpus


@pytest.fixture
def searched(hit, corpus, monkeypatch):
    """The pages of this HIT search the corpus."""
    monkeypatch.setattr(type(registry.task_type("arc_da.direct_answer")), "searches_corpus", True)
    use_corpus(project=hit.project, corpus=corpus)
    searching.PACE.forget()
    return hit


@pytest.fixture
def ask(searched, page):
    page.open()

    def asked(address, context=None, **query):
        headers = {"X-Context": page.context if context is None else context}
        return page.client.get(f"/t/{page.hit.token}/{address}", query, headers=headers)

    return asked


def test_paragraphs_come_with_their_marks_and_the_index_that_they_are_from(ask, corpus):
    answer = ask("paragraphs", q='clock "high water"').json()
    assert answer["total"] == 1
    assert answer["index"] == corpus.digest
    [hit] = answer["hits"]
    assert set(hit) == {"id", "title", "section", "text", "marks"}
    assert (hit["id"], hit["title"], hit["section"]) == ("Red Mill-3", "Red Mill", "The clock")
    assert [hit["text"][start:end] for start, end in hit["marks"]] == ["clock", "high water"]


def test_the_next_ten_follow_from_an_offset(ask):
    first = ask("paragraphs", q="mill").json()
    rest = ask("paragraphs", q="mill", offset=3).json()
    assert [hit["id"] for hit in rest["hits"]] == [hit["id"] for hit in first["hits"]][3:]


def test_paragraphs_that_were_chosen_before_come_back_by_their_ids(ask):
    answer = ask("paragraphs", id=["Red Mill-10", "Nowhere-1", "Red Mill-3"]).json()
    assert [(hit["id"], hit["title"], hit["marks"]) for hit in answer["hits"]] == [
        ("Red Mill-10", "Red Mill", []),
        ("Red Mill-3", "Red Mill", []),
    ]


def test_titles_are_completed(ask):
    assert ask("titles", q="red").json() == {"titles": ["Red Mill"]}


def test_a_page_comes_whole(ask):
    answer = ask("page", title="Red Mill").json()
    assert answer["title"] == "Red Mill"
    assert [each["id"] for each in answer["paragraphs"]] == ["Red Mill-1", "Red Mill-2", "Red Mill-3", "Red Mill-10"]


def test_a_page_that_is_not_there_is_said_so(ask):
    assert ask("page", title="Nowhere").status_code == 404


@pytest.mark.parametrize(
    "query",
    [{}, {"q": ""}, {"q": '"'}, {"q": "\0"}, {"q": "x" * 100_000}, {"q": "mill", "offset": "-1"}]
    + [{"q": "mill", "offset": offset} for offset in ("²", "9" * 400, "1e3", "")],
)
@pytest.mark.parametrize("address", ["paragraphs", "titles"])
def test_a_strange_question_is_answered_all_the_same(ask, address, query):
    assert ask(address, **query).status_code == 200


@pytest.mark.parametrize("address", ["paragraphs", "titles", "page"])
@pytest.mark.parametrize("context", ["", "forged"])
def test_without_the_page_s_context_nothing_is_said(ask, address, context):
    assert ask(address, context=context, q="mill", title="Sorn").status_code == 403


def test_no_cookie_is_set_and_nothing_is_kept_by_a_browser(ask):
    answer = ask("paragraphs", q="mill")
    assert not answer.cookies
    assert answer["Cache-Control"] == "no-store"


def test_a_page_that_asks_like_a_program_has_to_wait(ask):
    answers = [ask("titles", q="red").status_code for _ in range(searching.PACE.burst + 5)]
    assert answers[: searching.PACE.burst] == [200] * searching.PACE.burst
    last = ask("titles", q="red")
    assert last.status_code == 429
    assert int(last["Retry-After"]) >= 1


def test_a_project_without_a_corpus_says_so(ask, hit):
    use_corpus(project=hit.project, corpus=None)
    answer = ask("paragraphs", q="mill")
    assert answer.status_code == 404
    assert "no corpus" in answer.json()["message"]


def test_pages_that_do_not_search_are_refused(hit, page):
    page.open()
    answer = page.client.get(f"/t/{hit.token}/paragraphs", {"q": "mill"}, headers={"X-Context": page.context})
    assert answer.status_code == 404
    assert "arc_da.direct_answer" in answer.json()["message"]


def test_an_index_that_is_gone_is_a_fault_that_passes(ask, settings, tmp_path):
    settings.CORPORA = str(tmp_path / "elsewhere")
    assert ask("paragraphs", q="mill").status_code == 503


def test_answers_carry_the_corpus_that_was_searched(searched, page, corpus):
    page.open()
    page.submit(answers_to(searched))
    assert page.assignment.corpus_digest == corpus.digest


def test_answers_of_other_task_types_carry_none(hit, page, corpus):
    use_corpus(project=hit.project, corpus=corpus)
    page.open()
    page.submit(answers_to(hit))
    assert page.assignment.corpus_digest == ""


def test_a_search_costs_one_query(ask, django_assert_num_queries):
    ask("paragraphs", q="mill")
    with django_assert_num_queries(1):
        ask("paragraphs", q="clock")
