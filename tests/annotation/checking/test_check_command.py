"""`check` over a file of answers, and Django's own check behind the same name."""

import io
import json

import pytest
from django.core.checks import register
from django.core.checks.registry import registry
from django.core.management import CommandError, call_command

from tasks.registry import task_type

ITEM = {"question": "Why does a dropped spoon fall?"}
GOOD = {"item": ITEM, "answer": {"answers": ["gravity"], "category": "single"}}
PAPER = {"item": ITEM, "answer": {"answers": "gravity; a pull", "category": 2}}
EMPTY = {"item": ITEM, "answer": {"answers": [], "category": "single"}}
TWICE = {"item": ITEM, "answer": {"answers": ["pull", "Pull."], "category": "wordings"}}


def run(*arguments):
    told = io.StringIO()
    try:
        call_command("check", *map(str, arguments), stdout=told)
    except CommandError as error:
        return told.getvalue(), str(error)
    return told.getvalue(), ""


@pytest.fixture
def answers(tmp_path):
    def write(*lines):
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return write


def test_each_line_is_given_with_its_findings(answers):
    told, failure = run("arc_da.direct_answer", answers(GOOD, PAPER, EMPTY, TWICE), "--json")
    result = json.loads(told)
    found = [(line["line"], [finding["check"] for finding in line["findings"]]) for line in result["lines"]]
    assert found == [(1, []), (2, []), (3, ["nothing_answered"]), (4, ["repeats_an_answer"])]
    assert result["lines"][2]["findings"][0] | {"message": ""} == {
        "check": "nothing_answered",
        "level": "block",
        "message": "",
        "field": "answers",
        "version": 1,
    }
    assert result["counts"] == {"block": 1, "warn": 1, "note": 0}
    assert result["by_check"] == {"nothing_answered": 1, "repeats_an_answer": 1}
    assert not failure


def test_findings_are_a_failure_only_where_asked(answers):
    assert run("arc_da.direct_answer", answers(TWICE))[1] == ""
    assert run("arc_da.direct_answer", answers(TWICE), "--fail-on", "block")[1] == ""
    assert "level warn" in run("arc_da.direct_answer", answers(TWICE), "--fail-on", "warn")[1]
    assert "level note" in run("arc_da.direct_answer", answers(EMPTY), "--fail-on", "note")[1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{not json\n", "not JSON"),
        ({"item": ITEM}, 'expected an object with "item" and "answer"'),
        ([1], 'expected an object with "item" and "answer"'),
        (GOOD | {"item": {}}, "item: question: Field required"),
        (GOOD | {"answer": {"category": "maybe"}}, "answer: category: Input should be"),
        (GOOD | {"answer": {"answer": "gravity"}}, "answer: answer: Extra inputs are not permitted"),
        (GOOD | {"answer": {"answers": [1]}}, "answer: answers.0: Input should be a valid string"),
    ],
)
def test_a_line_that_cannot_be_read_is_reported_and_fails(answers, line, reason):
    told, failure = run("arc_da.direct_answer", answers(GOOD, line, GOOD), "--json")
    result = json.loads(told)
    assert [line["line"] for line in result["lines"]] == [1, 3]
    [error] = result["errors"]
    assert error["line"] == 2
    assert reason in error["reason"]
    assert failure == "1 of 3 lines can't be read"


def test_the_examples_of_a_task_type_can_be_checked():
    kind = task_type("arc_da.direct_answer")
    told, failure = run("arc-da.direct-answer", kind.folder / "examples.jsonl", "--json")
    result = json.loads(told)
    assert [[finding["check"] for finding in line["findings"]] for line in result["lines"]] == [
        [example.finding] if example.finding else [] for example in kind.examples()
    ]
    assert not failure


def test_people_read_places_and_messages_without_control_characters(answers):
    line = {"item": ITEM, "answer": {"answers": ["\x1b[31mred", "\x1b[31mRed"], "category": "wordings"}}
    told, _ = run("arc_da.direct_answer", answers(line))
    assert 'answers.jsonl:1: warn repeats_an_answer: You entered "<U+001B>[31mRed" twice.' in told
    assert "\x1b" not in told


def test_unknown_task_types_and_missing_files_are_named(answers, tmp_path):
    assert "there are arc_da.direct_answer" in run("arc_da.guess", answers(GOOD))[1]
    assert "expected one file" in run("arc_da.direct_answer")[1]
    told, failure = run("arc_da.direct_answer", tmp_path / "none.jsonl", "--json")
    assert "No such file" in json.loads(told)["errors"][0]["reason"]
    assert failure


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_what_is_neither_task_type_nor_app_is_named_without_a_traceback(answers, more):
    told, problem = run("arcda", answers(GOOD), *more)
    assert told == "" and problem.startswith("'arcda' is neither a task type") and "projects" in problem


@pytest.fixture
def failing_site_check(monkeypatch):
    from django.core.checks import Error

    def fault(app_configs, **kwargs):
        return [Error("the roof leaks", hint="mend it", id="house.E001")]

    monkeypatch.setattr(registry, "registered_checks", set())
    monkeypatch.setattr(registry, "deployment_checks", set())
    register(fault, "house", deploy=True)


@pytest.mark.usefixtures("failing_site_check")
def test_without_a_task_type_it_is_djangos_check():
    assert run() == ("System check identified no issues (0 silenced).\n", "")
    assert "the roof leaks" in run("--deploy")[1]
    assert "house" in run("--list-tags", "--deploy")[0]
    told, failure = run("--deploy", "--json")
    assert json.loads(told) == {
        "messages": [{"id": "house.E001", "level": 40, "message": "the roof leaks", "hint": "mend it"}]
    }
    assert failure == "1 checks of the site failed"
