"""The demo: questions of our own that the filter leaves enough of, people with roles, HITs on the marketplace."""

import json
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.hits.models import HIT
from annotation.launch import accounts, demo, preparation
from annotation.projects.models import Item, Membership, Project
from tasks.arc_da import filtering
from tasks.arc_da import simulation as arc_da
from tasks.simulation import demos, simulation_of

FILES = sorted(arc_da.DEMO.glob("ARC-*.jsonl"))


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


QUESTIONS = {row["id"]: row for path in FILES for row in rows(path)}


def test_its_files_are_named_as_arc_names_them_so_that_set_and_split_are_known():
    names = {f"ARC-{kind}-{split}" for kind in ("Easy", "Challenge") for split in ("train", "dev", "test")}
    assert {path.stem for path in FILES} == names


def test_its_questions_have_a_key_among_three_to_five_options_and_no_key_is_the_favourite():
    for row in QUESTIONS.values():
        assert row["answerKey"] in row["choices"]["label"]
        assert 3 <= len(row["choices"]["text"]) == len(row["choices"]["label"]) <= 5
    keys = Counter(row["choices"]["label"].index(row["answerKey"]) for row in QUESTIONS.values())
    assert max(keys.values()) < len(QUESTIONS) / 2


def test_more_than_sixty_questions_are_left_by_the_filter_and_some_are_not():
    left = [row for row in QUESTIONS.values() if not filtering.excluding_phrases(row["question"])]
    assert len(left) >= 60
    assert len(QUESTIONS) - len(left) >= 15


def test_the_crowd_knows_answers_of_several_people_to_each_question_left_and_a_wrong_one():
    known = {row["id"]: row for row in rows(arc_da.DEMO / "answers.jsonl")}
    left = {key for key, row in QUESTIONS.items() if not filtering.excluding_phrases(row["question"])}
    assert known.keys() == left
    for row in known.values():
        assert 4 <= len(row["answers"]) <= 8
        assert row["wrong"]
        said = {text.lower() for answers in row["answers"] for text in answers}
        assert all(text.strip() for text in said)
        assert not said & {text.lower() for text in row["wrong"]}


@pytest.fixture
def people(db):
    accounts.ensure_staff("a-password-of-ours")


def test_made_twice_it_is_there_once(people):
    demo.make_project()
    project = demo.make_project()
    assert Project.objects.count() == 1
    assert project.items.count() == len(QUESTIONS)
    assert project.items.filter(state=Item.State.EXCLUDED).count() >= 15


def test_its_people_have_the_roles_that_their_names_say(people):
    project = demo.make_project()
    roles = dict(Membership.objects.filter(project=project).values_list("user__username", "role"))
    assert roles == {"owner": "owner", "researcher": "researcher", "expert": "reviewer"}


def test_staff_that_is_there_keeps_its_password(people, django_user_model):
    accounts.ensure_staff("another")
    assert django_user_model.objects.get(username="expert").check_password("a-password-of-ours")


@pytest.mark.django_db(transaction=True)
def test_its_hits_are_offered_at_the_marketplace_within_the_budget(own_market, capsys):
    accounts.ensure_staff("a-password-of-ours")
    assert preparation.demo_is_wanted()
    call_command("demo", "--assignments", "0", "--json")
    told = json.loads(capsys.readouterr().out)
    offered = HIT.objects.filter(state=HIT.State.OFFERED)
    made = told["projects"]
    assert made.keys() == {known.slug for known in demos().values()}
    assert sum(one["hits"] for one in made.values()) == offered.count() == HIT.objects.count() > 10
    assert made["demo"]["items"] == len(QUESTIONS)
    assert all(offered.values_list("remote_id", flat=True))
    assert not Item.objects.filter(state=Item.State.OPEN).exists()
    assert not preparation.demo_is_wanted()


@pytest.mark.parametrize("dataset", demos())
def test_each_dataset_s_demo_has_items_and_a_crowd_that_knows_them(people, dataset):
    project = demo.make_project(dataset)
    assert project.items.filter(state=Item.State.OPEN).count() >= 10
    assert len(simulation_of(dataset).knowledge()) >= 10
