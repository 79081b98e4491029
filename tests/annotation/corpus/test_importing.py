"""An import brings in everything or nothing, and the same content is the same corpus."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from annotation.corpus import queries
from annotation.corpus.actions import ImportRefused, Refused, import_corpus, remove_corpus
from annotation.corpus.base import IndexFailed, IndexMissing
from annotation.corpus.embedded import EmbeddedBuilder
from annotation.corpus.models import Corpus
from annotation.events.models import Event
from annotation.projects.actions import use_corpus
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["embedded", "opensearch"])
def backend(request, settings, tmp_path):
    """Where imports go: each test runs once with each."""
    settings.CORPORA = str(tmp_path / "corpora")
    if request.param == "opensearch":
        settings.SEARCH_URL = f"{request.getfixturevalue('search_url')}/test-{os.getpid()}-{time.monotonic_ns()}"
    return request.param


@pytest.fixture
def here(settings, tmp_path):
    settings.CORPORA = str(tmp_path / "corpora")
    return tmp_path / "corpora"


@pytest.fixture
def write(tmp_path):
    def written(*rows, name="mills.jsonl"):
        path = tmp_path / name
        path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
        return path

    return written


ROWS = [each._asdict() for each in PARAGRAPHS]


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*") if path.name != "import.lock")


def test_what_was_imported_is_found(backend, write):
    done = import_corpus(name="mills", paths=[write(*ROWS)])
    assert done.is_new
    corpus = done.corpus
    assert (corpus.backend, corpus.form, corpus.files) == (backend, "json-lines", ["mills.jsonl"])
    assert (corpus.paragraphs, corpus.pages) == (9, 5)
    found = queries.index_of(corpus).search("gable")
    assert found.hits[0].paragraph == PARAGRAPHS[2]
    assert queries.is_searchable(corpus)
    event = Event.objects.get(verb="corpus.imported")
    assert event.data["digest"] == corpus.digest


def test_the_same_content_again_changes_nothing(backend, write):
    first = import_corpus(name="mills", paths=[write(*ROWS)])
    again = import_corpus(name="mills", paths=[write(*ROWS)])
    assert (again.is_new, again.corpus) == (False, first.corpus)
    assert Corpus.objects.count() == 1
    assert queries.index_of(again.corpus).search("gable").total == 1


def test_the_digest_does_not_depend_on_the_order_or_on_the_form(here, write):
    first = import_corpus(name="mills", paths=[write(*ROWS)]).corpus
    turned = import_corpus(name="turned", paths=[write(*ROWS[5:], name="b.jsonl"), write(*ROWS[:5], name="a.jsonl")])
    whole = {row["id"]: {**row, "content": row["text"], "para_index": row["number"]} for row in ROWS}
    for row in whole.values():
        del row["text"], row["id"], row["number"]
    other = import_corpus(name="other", paths=[write(whole, name="paragraphs.json")]).corpus
    assert other.form == "strategyqa"
    assert first.digest == turned.corpus.digest == other.digest


def test_other_content_is_another_corpus_and_projects_keep_theirs(here, write):
    old = import_corpus(name="mills", paths=[write(*ROWS)]).corpus
    project = make_project()
    use_corpus(project=project, corpus=old)
    new = import_corpus(name="mills", paths=[write(*ROWS[1:])]).corpus
    assert new != old
    assert queries.corpus_named("mills") == new
    assert queries.corpus_named("mills", digest=old.digest[:8]) == old
    project.refresh_from_db()
    assert queries.index_for(project).digest == old.digest
    assert queries.index_for(project).search("watermill").total == 1


def test_a_fault_of_one_line_imports_nothing(backend, here, write):
    path = write(*ROWS, {"title": "Red Mill"}, "{broken", {"id": "no number", "text": "x"}, {"title": "X", "text": 7})
    with pytest.raises(ImportRefused) as refused:
        import_corpus(name="mills", paths=[path])
    problems = [str(problem) for problem in refused.value.problems]
    assert [problem.line for problem in refused.value.problems] == [10, 11, 12, 13]
    assert problems[0] == "mills.jsonl:10: expected a text as content, found none"
    assert "not JSON" in problems[1]
    assert "expected an id like Title-1" in problems[2]
    assert "found a number" in problems[3]
    assert not Corpus.objects.exists()
    assert not Event.objects.exists()
    if backend == "embedded":
        assert left_behind(here) == []


def test_an_id_that_stands_twice_is_a_fault(here, write):
    with pytest.raises(ImportRefused, match=r"b.jsonl:2: Sorn-1 stands a second time"):
        import_corpus(
            name="mills",
            paths=[write(*ROWS, name="a.jsonl"), write({"title": "X", "text": "y"}, ROWS[4], name="b.jsonl")],
        )


def test_an_id_that_stands_twice_far_apart_is_a_fault(here, write, monkeypatch):
    monkeypatch.setattr("annotation.corpus.ledger.BATCH", 4)
    with pytest.raises(ImportRefused, match=r"mills.jsonl:10: Red Mill-1 stands a second time"):
        import_corpus(name="mills", paths=[write(*ROWS, ROWS[0])])


def test_a_paragraph_without_text_is_passed_over_and_counted(here, write):
    done = import_corpus(name="mills", paths=[write(*ROWS, {"title": "Empty", "text": "  "})])
    assert (done.empty, done.corpus.paragraphs) == (1, 9)


def test_paragraphs_without_numbers_are_counted_on_their_page(here, write):
    rows = [{"title": title, "text": f"Text {place}."} for place, title in enumerate(["A-1", "B", "A-1"])]
    index = queries.index_of(import_corpus(name="counted", paths=[write(*rows)]).corpus)
    assert [each.id for each in index.page("A-1")] == ["A-1-1", "A-1-2"]


def test_records_that_begin_with_an_object_are_no_published_file(here, write):
    rows = [{"source": {"by": "Otto Fenn"}, **row} for row in ROWS]
    corpus = import_corpus(name="mills", paths=[write(*rows)]).corpus
    assert (corpus.form, corpus.paragraphs) == ("json-lines", 9)


@pytest.mark.parametrize("name", ["", "two words", "a/b", "x" * 61])
def test_a_name_that_is_none_is_refused(here, write, name):
    with pytest.raises(Refused, match="a corpus is named by"):
        import_corpus(name=name, paths=[write(*ROWS)])


def test_files_that_are_not_there_empty_or_mixed_are_refused(here, write, tmp_path):
    with pytest.raises(Refused, match="there is no file"):
        import_corpus(name="mills", paths=[tmp_path / "nowhere.jsonl"])
    with pytest.raises(Refused, match="there is no paragraph in it"):
        import_corpus(name="mills", paths=[write(name="empty.jsonl")])
    with pytest.raises(Refused, match="several forms"):
        import_corpus(name="mills", paths=[write(*ROWS), write("Some text.", name="article.txt")])
    with pytest.raises(Refused, match="no form 'tables'"):
        import_corpus(name="mills", paths=[write(*ROWS)], form="tables")


def test_two_imports_at_once_are_one_too_many(here, write):
    with EmbeddedBuilder(here), pytest.raises(IndexFailed, match="another import is at work"):
        import_corpus(name="mills", paths=[write(*ROWS)])
    import_corpus(name="mills", paths=[write(*ROWS)])


def test_an_import_that_was_killed_leaves_no_corpus_and_the_next_one_cleans_up(here, write):
    program = textwrap.dedent("""
        import pathlib, sys, time
        from annotation.corpus.embedded import EmbeddedBuilder
        builder = EmbeddedBuilder(pathlib.Path(sys.argv[1]))
        print("begun", flush=True)
        time.sleep(60)
    """)
    with subprocess.Popen(
        [sys.executable, "-c", program, str(here)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    ) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGKILL)
    [left] = left_behind(here)
    assert left.startswith("unfinished-")
    corpus = import_corpus(name="mills", paths=[write(*ROWS)]).corpus
    assert left_behind(here) == [f"{corpus.digest}.1"]


def test_an_index_that_is_gone_is_missed_and_comes_back_with_the_same_files(
    backend, settings, write, tmp_path, search_url
):
    corpus = import_corpus(name="mills", paths=[write(*ROWS)]).corpus
    if backend == "embedded":
        settings.CORPORA = str(tmp_path / "other")
    else:
        settings.SEARCH_URL = f"{search_url}/elsewhere-{time.monotonic_ns()}"
    assert not queries.is_searchable(corpus)
    with pytest.raises(IndexMissing, match="import the same files again"):
        queries.index_of(corpus)
    assert import_corpus(name="mills", paths=[write(*ROWS)]).is_new is False
    assert queries.index_of(corpus).search("gable").total == 1


def test_a_corpus_moves_to_the_server_when_it_is_imported_again(here, settings, write, search_url):
    corpus = import_corpus(name="mills", paths=[write(*ROWS)]).corpus
    settings.SEARCH_URL = f"{search_url}/moved-{time.monotonic_ns()}"
    import_corpus(name="mills", paths=[write(*ROWS)])
    corpus.refresh_from_db()
    assert corpus.backend == "opensearch"
    assert queries.index_of(corpus).search("gable").total == 1


def test_a_server_that_does_not_answer_is_said_so_without_its_password(settings, write):
    settings.SEARCH_URL = "http://ana:secret@127.0.0.1:9"
    with pytest.raises(IndexFailed, match=r"OpenSearch at 127.0.0.1 can't be reached") as failed:
        import_corpus(name="mills", paths=[write(*ROWS)])
    assert "secret" not in str(failed.value)


def test_a_corpus_is_removed_with_its_index_unless_somebody_uses_it(backend, here, write):
    corpus = import_corpus(name="mills", paths=[write(*ROWS)]).corpus
    twin = import_corpus(name="twin", paths=[write(*ROWS)]).corpus
    project = make_project("rivers")
    use_corpus(project=project, corpus=corpus)
    with pytest.raises(Refused, match="used by Rivers"):
        remove_corpus(corpus=corpus)
    use_corpus(project=project, corpus=None)
    remove_corpus(corpus=corpus)
    assert queries.is_searchable(twin)
    remove_corpus(corpus=twin)
    assert not Corpus.objects.exists()
    if backend == "embedded":
        assert left_behind(here) == []


def test_a_disk_that_is_full_ends_the_import_and_leaves_nothing(here, write, monkeypatch):
    class FullDisk:
        def add_document(self, document):
            raise ValueError("No space left on device")

    make = EmbeddedBuilder.__init__

    def make_on_a_full_disk(builder, root):
        make(builder, root)
        builder._writer = FullDisk()

    monkeypatch.setattr(EmbeddedBuilder, "__init__", make_on_a_full_disk)
    with pytest.raises(IndexFailed, match=r"could not be written in .*: No space left"):
        import_corpus(name="mills", paths=[write(*ROWS)])
    assert left_behind(here) == []
    assert not Corpus.objects.exists()
