"""`./crowdwright corpus`: import, list, search, use, remove."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.corpus.models import Corpus
from annotation.events.models import Event
from tests.annotation.corpus.paragraphs import PARAGRAPHS
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def mills(settings, tmp_path):
    """A file of paragraphs."""
    settings.CORPORA = str(tmp_path / "corpora")
    path = tmp_path / "mills.jsonl"
    path.write_text("".join(json.dumps(each._asdict()) + "\n" for each in PARAGRAPHS))
    return path


@pytest.fixture
def run(capsys):
    def ran(*words):
        call_command("corpus", *words, "--json")
        return json.loads(capsys.readouterr().out)

    return ran


def test_help_has_an_example_and_import_tells_the_forms(capsys):
    for words, wanted in [(["--help"], "./crowdwright corpus import"), (["import", "--help"], "strategyqa")]:
        with pytest.raises(SystemExit) as ended:
            call_command("corpus", *words)
        assert ended.value.code == 0
        assert wanted in capsys.readouterr().out


def test_a_corpus_is_imported_listed_searched_used_and_removed(run, mills):
    made = run("import", "mills", str(mills))
    assert (made["new"], made["paragraphs"], made["pages"]) == (True, 9, 5)
    assert Event.objects.get(verb="corpus.imported").actor == "command:corpus"
    found = run("search", "mills", 'clock "high water"', "river")
    assert (found["total"], found["digest"]) == (1, made["digest"])
    [hit] = found["hits"]
    assert hit["id"] == "Red Mill-3"
    assert [hit["text"][start:end] for start, end in hit["marks"]] == ["clock", "high water"]
    project = make_project("rivers")
    assert run("use", "rivers", "mills")["corpus"]["digest"] == made["digest"]
    [listed] = run("list")
    assert (listed["projects"], listed["searchable"]) == (["rivers"], True)
    with pytest.raises(CommandError, match="used by Rivers"):
        run("remove", "mills")
    assert run("use", "rivers", "--none")["corpus"] is None
    assert run("remove", "mills")["digest"] == made["digest"]
    assert not Corpus.objects.exists()
    assert [event.data["changed"]["corpus"][1] for event in Event.objects.filter(verb="project.changed")] == [
        f"mills {made['digest']}",
        None,
    ]
    project.refresh_from_db()
    assert project.corpus is None


def test_people_read_text(mills, capsys):
    call_command("corpus", "list")
    assert "no corpus yet" in capsys.readouterr().out
    call_command("corpus", "import", "mills", str(mills))
    assert "mills: 9 paragraphs of 5 pages" in capsys.readouterr().out
    call_command("corpus", "import", "mills", str(mills))
    assert "nothing changed" in capsys.readouterr().out
    call_command("corpus", "search", "mills", "gable clock")
    assert "A [clock] in the [gable], made by" in capsys.readouterr().out


def test_faults_are_told_by_file_and_line(mills, capsys):
    mills.write_text("{}\n")
    with pytest.raises(CommandError, match=r"nothing was imported; problems:\n  mills.jsonl:1: expected an id"):
        call_command("corpus", "import", "mills", str(mills))
    with pytest.raises(CommandError, match=r"nothing was imported: 1 problem$"):
        call_command("corpus", "import", "mills", str(mills), "--json")
    assert json.loads(capsys.readouterr().out)["problems"][0]["line"] == 1


def test_an_unknown_corpus_is_an_error_that_lists_what_there_is(run, mills):
    with pytest.raises(CommandError, match="no corpus 'rivers'; there are: none yet"):
        run("search", "rivers", "mill")
    digest = run("import", "mills", str(mills))["digest"]
    with pytest.raises(CommandError, match=f"there are: mills \\({digest[:12]}\\)"):
        run("search", "mills", "mill", "--digest", "0123")


def test_an_index_that_is_gone_shows_in_the_list_and_is_not_given_to_a_project(run, mills, settings, tmp_path, capsys):
    run("import", "mills", str(mills))
    make_project("rivers")
    settings.CORPORA = str(tmp_path / "elsewhere")
    call_command("corpus", "list")
    assert "THE INDEX IS MISSING" in capsys.readouterr().out
    with pytest.raises(CommandError, match="import the same files again"):
        run("use", "rivers", "mills")


@pytest.mark.parametrize("words", [["use", "rivers"], ["use", "rivers", "mills", "--none"]])
def test_using_wants_a_name_or_none(run, mills, words):
    make_project("rivers")
    with pytest.raises(CommandError, match="which corpus"):
        run(*words)


def test_a_corpus_that_answers_carry_stays(run, mills):
    digest = run("import", "mills", str(mills))["digest"]
    project = make_project("rivers")
    make_assignment(make_hit(project, make_item(project)), corpus_digest=digest)
    with pytest.raises(CommandError, match="answers were given with mills"):
        run("remove", "mills")
    assert Corpus.objects.exists()
