import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.events.models import Event
from annotation.pipeline import Progress
from annotation.projects.models import Membership, Project
from annotation.providers import mturk
from tests.factories import make_hit, make_item, make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(capsys):
    """Runs a command and gives its JSON."""

    def ran(*words):
        call_command(*words, "--json")
        return json.loads(capsys.readouterr().out)

    return ran


COMMANDS = [
    *"projects create import status quote publish top_up advance collect pause open close".split(),
    *"assignments approve reject bonus".split(),
]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(name, capsys):
    with pytest.raises(SystemExit) as ended:
        call_command(name, "--help")
    assert ended.value.code == 0
    assert f"./crowdwright {name.replace('_', '-')}" in capsys.readouterr().out


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("projects", "create")])
def test_an_unknown_project_is_an_error_that_lists_what_there_is(name):
    make_project("forces")
    more = {
        "import": ["README.md"],
        "approve": ["1"],
        "reject": ["1", "--reason", "Empty.", "--by", "ana"],
        "bonus": ["1", "--cents", "1", "--purpose", "care", "--reason", "Care"],
    }
    words = more.get(name, [])
    with pytest.raises(CommandError, match="no project 'waves'; there are forces"):
        call_command(name, "waves", *words)


def test_a_project_is_made_listed_and_asked_about(run):
    ana = make_user("ana")
    made = run("create", "arc-da", "Waves & light", "--owner", "ana", "--budget", "12.34")
    assert made == {"project": "waves-light", "pipeline": "arc_da"}
    project = Project.objects.get()
    assert (project.budget_cap_cents, Membership.objects.get().user) == (1_234, ana)
    assert run("projects")[0]["project"] == "waves-light"
    status = run("status", "waves-light")
    assert status["spending"]["free_cents"] == 1_234
    assert [step["reached"] for step in status["funnel"]] == [0] * 6
    assert Event.objects.get(verb="project.created").actor == "command:create"


def test_a_project_without_an_owner_is_made_with_a_warning(capsys):
    make_user("ana")
    call_command("create", "arc-da", "Waves", "--owner", "ana")
    assert not capsys.readouterr().err
    call_command("create", "arc-da", "Tides", "--json")
    told = capsys.readouterr()
    assert json.loads(told.out)["project"] == "tides"
    assert "tides has no owner: only superusers see it. Say --owner NAME" in told.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such", "Name"], "no pipeline 'no-such'"),
        (["arc-da", "???"], "is no short name"),
        (["arc-da", "Name", "--owner", "nobody"], "no account 'nobody'"),
        (["arc-da", "Name", "--environment", "moon"], "no marketplace 'moon'"),
        (["arc-da", "Name", "--choices", "{"], "is not JSON"),
        (["arc-da", "Name", "--choices", "[]"], "must be a JSON object"),
        (["arc-da", "Name", "--choices", '{"colour": 1}'], "colour"),
        (["arc-da", "Name", "--budget", "-1"], "expected dollars from 0 to 10,000,000"),
    ],
)
def test_what_can_not_be_made_is_an_error(words, said):
    with pytest.raises(CommandError, match=said):
        call_command("create", *words)
    assert not Project.objects.exists()


def test_the_same_name_twice_is_an_error(run):
    run("create", "arc-da", "Waves")
    with pytest.raises(CommandError, match="there is a project 'waves' already"):
        call_command("create", "arc-da", "Waves")


def test_files_are_imported_from_disk_all_or_none(run, tmp_path):
    project = make_project("forces")
    good, bad = tmp_path / "ARC-Easy-Train.jsonl", tmp_path / "ARC-Easy-Dev.jsonl"
    question = {"stem": "Why?", "choices": [{"label": "A", "text": "a"}, {"label": "B", "text": "b"}]}
    good.write_text(json.dumps({"id": "1", "question": question, "answerKey": "A"}))
    bad.write_text("{broken")
    with pytest.raises(CommandError, match=r"ARC-Easy-Dev.jsonl:1:"):
        call_command("import", "forces", str(good), str(bad))
    assert project.items.count() == 0
    assert run("import", "forces", str(good)) == {"added": 1, "known": 0, "excluded": 0}
    with pytest.raises(CommandError, match="no such file"):
        call_command("import", "forces", str(tmp_path / "missing.jsonl"))
    with pytest.raises(CommandError, match="NAME=VALUE"):
        call_command("import", "forces", str(good), "--option", "train")


def test_a_project_and_a_stage_are_paused_opened_and_closed(run):
    project = make_project("forces")
    stage = project.stages.get()
    assert run("pause", "forces")["state"] == "paused"
    assert run("open", "forces")["state"] == "open"
    assert run("pause", "forces", "--stage", stage.name) == {"stage": stage.name, "state": "paused"}
    assert run("open", "forces", "--stage", stage.name)["state"] == "open"
    assert run("close", "forces")["state"] == "closed"
    with pytest.raises(CommandError, match="no crowd stage 'rating'; it has direct_answer"):
        call_command("pause", "forces", "--stage", "rating")


def test_advancing_reports_what_was_done_and_fails_where_another_is_at_it(run, monkeypatch):
    project = make_project("forces")
    seen = []

    def advance(project, *, everything, asked):
        asked(1)
        seen.append(everything)
        return Progress(collected=2, settled=1)

    monkeypatch.setattr("annotation.desk.commanding.advance", advance)
    assert run("advance", "forces")["collected"] == 2
    assert run("collect", "forces") == {"collected": 2, "settled": 1, "unread": []}
    assert seen == [False, True], "collect asks about every HIT, due or not"
    monkeypatch.setattr("annotation.desk.commanding.advance", lambda *args, **kwargs: None)
    for name in ("advance", "collect"):
        with pytest.raises(CommandError, match="by another process"):
            call_command(name, project.slug)


@pytest.mark.parametrize("name", ["advance", "collect"])
def test_what_came_is_reported_and_then_fails_where_a_hit_could_not_be_read(name, capsys, settings):
    project = make_project("forces")
    settings.MARKETPLACES = {**settings.MARKETPLACES, "own": settings.MARKETPLACES["mturk_production"]}
    hits = [make_hit(project, make_item(project), collect_after=timezone.now()) for _ in range(7)]
    mturk.connect.cache_clear()
    with pytest.raises(CommandError, match=r"7 HITs could not be read: HIT \d+: RealMoneyOff.*; and 2 more"):
        call_command(name, "forces", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["collected"] == 0
    assert {reason.partition(":")[0] for reason in told["unread"]} == {f"HIT {hit.pk}" for hit in hits}


def test_status_in_words_names_what_was_lost(capsys):
    project = make_project("forces")
    make_item(project, state="excluded", reason="most")
    make_item(project)
    call_command("status", "forces")
    said = capsys.readouterr().out
    assert "Kept by the filter" in said and "(1 excluded by the filter)" in said
