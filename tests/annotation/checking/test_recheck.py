"""`recheck` runs today's checks over stored answers and reports what they say differently."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.checking.models import CheckResult
from annotation.events.models import Event
from tasks.base import Check
from tasks.registry import task_type
from tests.factories import make_answered_item, make_project

pytestmark = pytest.mark.django_db
TWO = {"answers": ["gravity", "weight"], "category": "single"}


@pytest.fixture
def project():
    project = make_project("replay")
    item = make_answered_item(project, TWO, {"answers": ["gravity"], "category": "single"}, key="ARCEZ_1")
    answer = item.answers.first()
    CheckResult.objects.create(
        assignment=answer.assignment, item=item, check_name="was_dropped", version=3, level="warn", message="Old."
    )
    return project


def run(capsys, *arguments):
    call_command("recheck", *arguments, "--json")
    [stage] = json.loads(capsys.readouterr().out)["stages"]
    return stage["answers"], {each["check"]: each for each in stage["checks"]}


def test_findings_that_appeared_and_went_are_counted_with_examples(project, capsys):
    count, checks = run(capsys, "replay")
    assert count == 2
    assert checks["more_answers_than_announced"]["appeared"] == 1
    assert checks["was_dropped"] | {"examples": None} == {
        "check": "was_dropped",
        "versions_before": [3],
        "version_now": None,
        "same": 0,
        "appeared": 0,
        "gone": 1,
        "examples": None,
    }
    assert checks["was_dropped"]["examples"][0].startswith("- ARCEZ_1, answer ")


def test_stored_findings_are_brought_up_to_date_and_the_log_says_so(project, capsys):
    run(capsys, "replay")
    [result] = CheckResult.objects.all()
    assert (result.check_name, result.source) == ("more_answers_than_announced", "recheck")
    assert Event.objects.get().data["changes"]["direct_answer"]["was_dropped"] == [0, 1]
    _, again = run(capsys, "replay")
    assert again["more_answers_than_announced"]["same"] == 1
    assert sum(each["appeared"] + each["gone"] for each in again.values()) == 0


def test_a_trial_only_reports(project, capsys):
    run(capsys, "replay", "--trial")
    assert CheckResult.objects.get().check_name == "was_dropped"
    assert not Event.objects.exists()


def test_a_new_version_of_a_check_is_named_beside_the_old_one(project, capsys, monkeypatch):
    run(capsys, "replay")
    kind = task_type("arc_da.direct_answer")
    newer = [
        Check(each.function, each.level, each.field, version=2) if each.name == "more_answers_than_announced" else each
        for each in kind.checks
    ]
    monkeypatch.setattr(type(kind), "checks", newer)
    _, checks = run(capsys, "replay")
    change = checks["more_answers_than_announced"]
    assert (change["versions_before"], change["version_now"], change["same"]) == ([1], 2, 1)
    assert CheckResult.objects.get().version == 2


def test_an_unknown_project_is_an_error_that_lists_the_known(project):
    with pytest.raises(CommandError, match="no project 'play'; there are replay"):
        call_command("recheck", "play")
