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


def test_words_for_a_trial_that_was_decided_meanwhile_are_given_back(client, project, take, graders) -> None:
    trial = take()
    for grader in graders:
        read(trial, grader)
    client.force_login(make_user(project=project))

    answer = client.post(page(trial), form("fail", feedback="Nothing of <b>this</b> is usable."))

    assert answer.status_code == 409
    assert "Nothing of &lt;b&gt;this&lt;/b&gt; is usable." in answer.content.decode()


def test_a_page_says_done_only_of_what_a_person_graded_themselves(client, take, graders) -> None:
    first, second = take(), take()
    read(second, graders[1])
    client.force_login(graders[0])

    def told(place: str, trial) -> bool:
        return (
            f'data-done="{trial.pk}" data-done-states="waiting"'
            in client.get(place, {"done": trial.pk}).content.decode()
        )

    queue = reverse("admin:trials_trial_changelist")
    assert not any(told(place, trial) for place in (page(first), queue) for trial in (first, second))
    read(first, graders[0])
    assert told(page(second), first) and told(queue, first)
    assert not told(queue, second)


def test_a_skip_tells_of_nothing_done(client, take, graders) -> None:
    first, second = take(), take()
    client.force_login(graders[0])

    assert client.post(page(first), {"skip": "1"}).url == page(second)


@pytest.mark.parametrize("verdicts", [["pass"], ["pass", "pass"], ["fail", "pass", "pass"]], ids=len)
def test_what_came_of_a_grade_is_told_as_it_came_about(client, programme, take, graders, verdicts) -> None:
    type(programme).objects.update(graders=min(2, len(verdicts)))
    trial, last = take(), graders[0]
    for verdict, grader in zip(verdicts[:-1], [graders[1], graders[0]], strict=False):
        read(trial, grader, verdict)
    client.force_login(last)

    told = client.post(page(trial), form("pass"), follow=True).content.decode()

    words = {1: "Your grade decides", 2: "Both grades agree", 3: "your verdict together"}
    assert [number for number, said in words.items() if said in told] == [len(verdicts)]


@pytest.mark.parametrize(("graders_wanted", "words"), [(1, "read by one grader."), (2, "read by two graders, the")])
def test_the_queue_says_how_many_read_a_trial(client, programme, take, graders, graders_wanted, words) -> None:
    type(programme).objects.update(graders=graders_wanted)
    client.force_login(graders[0])

    assert words in client.get(reverse("admin:trials_trial_changelist")).content.decode()


def test_a_long_list_says_that_it_is_not_all(client, monkeypatch, take, graders) -> None:
    for trial in (take(), take(), take()):
        for grader in graders:
            read(trial, grader)
    client.force_login(graders[0])

    def shown() -> str:
        return client.get(reverse("admin:trials_trial_changelist"), {"show": "decided"}).content.decode()

    assert "These are the newest" not in shown()
    monkeypatch.setattr("annotation.trials.views.MOST_ROWS", 2)
    assert "These are the newest 2 of 3." in shown()
