"""`solvers PROJECT` tells how the solvers do, gives them lessons and trains them."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.solving import judging
from annotation.solving.models import Lesson, SolverVersion


@pytest.fixture
def slug(desk):
    judging.judge(desk.hand_in(desk.page(), "Is this easy?").pk)
    return desk.stage.project.slug


def told(capsys, *words):
    call_command("solvers", *words)
    return capsys.readouterr().out


def test_it_tells_how_often_each_solver_was_right(slug, capsys):
    said = told(capsys, slug)
    assert "0 questions held, 1 were solved, 0 wait" in said
    assert "PTD/letters" in said and "right in 1 of 1" in said
    data = json.loads(told(capsys, slug, "--json"))
    assert data["groups"][1]["solvers"][0] | {"asked": 1, "right": 1} == data["groups"][1]["solvers"][0]


def test_lessons_are_taken_and_every_solver_is_trained_on_them(slug, capsys, tmp_path):
    path = tmp_path / "lessons.jsonl"
    path.write_text('{"question": "Is it  so?", "answer": true}\n{"question": "Is it not?", "answer": "no"}\n')
    told(capsys, slug, "--lessons", str(path))
    assert list(Lesson.objects.values_list("text", "answer")) == [("Is it so?", "yes"), ("Is it not?", "no")]
    assert set(SolverVersion.objects.values_list("solver", "state")) == {
        ("PTD/letters", "ordered"),
        ("FNTD/words", "ordered"),
    }


def test_an_unknown_project_is_told_with_those_there_are(slug):
    with pytest.raises(CommandError, match=f"no project 'nowhere'; there are {slug}"):
        call_command("solvers", "nowhere")


def test_a_file_with_faults_changes_nothing(slug, tmp_path):
    path = tmp_path / "lessons.jsonl"
    path.write_text('{"question": "Is it so?", "answer": true}\n{"question": "Is it not?", "answer": "maybe"}\n')
    with pytest.raises(CommandError, match=r"lessons\.jsonl:2: expected"):
        call_command("solvers", slug, "--lessons", str(path))
    assert not Lesson.objects.exists()


def test_a_project_without_solvers_is_told_so(desk):
    desk.change(groups=[])
    with pytest.raises(CommandError, match="has solvers"):
        call_command("solvers", desk.stage.project.slug)
    with pytest.raises(CommandError, match="no project"):
        call_command("solvers", "nowhere")
