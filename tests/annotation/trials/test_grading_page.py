"""The grading page as programs and people post it: what it tells before and after, and to whom."""

import pytest
from django.urls import reverse

from annotation.trials.models import Grade
from tests.annotation.trials.conftest import POINTS
from tests.annotation.trials.test_grading import read
from tests.factories import make_project, make_user

JSON = {"HTTP_ACCEPT": "application/json"}


def page(trial) -> str:
    return reverse("admin:trials_trial_change", args=[trial.pk])


def form(verdict: str, **more) -> dict:
    return {"verdict": verdict, **{f"points.{name}": str(given) for name, given in POINTS.items()}} | more


def test_a_grade_is_taken_and_leads_to_the_next_trial(client, take, graders) -> None:
    first, second = take(), take()
    client.force_login(graders[0])

    answer = client.post(page(first), form("pass", seconds="61"), **JSON)

    assert answer.json() == {"state": "waiting", "next": f"{page(second)}?done={first.pk}"}
    assert Grade.objects.get().seconds == 61


def test_a_trial_that_lacks_one_grade_comes_first(client, take, graders) -> None:
    take()
    second = take()
    read(second, graders[1])
    client.force_login(graders[0])

    answer = client.get(reverse("admin:trials_trial_next"), {"project": "forces"}, **JSON)

    assert answer.json()["next"] == page(second)


@pytest.mark.parametrize(
    ("posted", "status", "kind"),
    [
        (form("fail"), 422, "incomplete"),
        (form("pass", **{"points.care": "9"}), 422, "incomplete"),
        (form("pass", **{"points.care": "two"}), 422, "incomplete"),
        ({}, 422, "incomplete"),
    ],
)
def test_what_is_refused_says_why(client, take, graders, posted, status, kind) -> None:
    trial = take()
    client.force_login(graders[0])

    answer = client.post(page(trial), posted, **JSON)

    assert (answer.status_code, answer.json()["error"]) == (status, kind)
    assert not Grade.objects.exists()


def test_a_refused_page_keeps_what_was_typed(client, take, graders) -> None:
    trial = take()
    client.force_login(graders[0])

    answer = client.post(page(trial), form("again", **{"points.care": "", "feedback": "A good beginning."}))

    assert answer.status_code == 422
    assert "A good beginning." in answer.content.decode()
    assert answer.content.decode().count("checked") >= 2


def test_the_first_grade_is_told_to_nobody_before_the_second(client, take, graders) -> None:
    trial = take()
    read(trial, graders[0], "fail", feedback="Nothing of this is usable.")
    client.force_login(graders[1])

    told = (
        client.get(page(trial)).content.decode() + client.get(reverse("admin:trials_trial_changelist")).content.decode()
    )

    assert "Nothing of this is usable." not in told
    assert "ana" not in told.replace("manage", "")


def test_who_graded_already_is_told_so_and_led_on(client, take, graders) -> None:
    trial = take()
    read(trial, graders[0])
    client.force_login(graders[0])

    assert "comes from somebody else" in client.get(page(trial)).content.decode()
    assert client.post(page(trial), form("pass"), **JSON).status_code == 403


def test_nobody_of_another_project_finds_a_trial(client, take) -> None:
    trial = take()
    client.force_login(make_user(project=make_project(), role="owner"))

    assert client.get(page(trial)).status_code == 404
    assert client.post(page(trial), form("pass")).status_code == 404
    assert client.get(reverse("admin:trials_trial_next"), {"project": "forces"}).status_code == 404


def test_a_person_without_a_test_in_their_projects_is_told_where_to_make_one(client, db) -> None:
    client.force_login(make_user(project=make_project(), role="reviewer"))

    assert "on the desk" in client.get(reverse("admin:trials_trial_changelist")).content.decode()
