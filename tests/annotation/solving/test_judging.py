"""Every solver's answer is kept with its version and score; a solver that fails leaves the question waiting."""

from datetime import timedelta
from unittest.mock import Mock

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.utils import timezone

from annotation.events.models import Event
from annotation.solving import judging, seats
from annotation.solving.jobs import judge, sweep
from annotation.solving.models import Attempt, Challenge


def challenged(desk, question):
    page = desk.page()
    desk.put(page, question)
    return Challenge.objects.get(assignment=page[0])


def test_all_attempts_are_stored_with_solver_version_answer_and_score(desk):
    challenge = challenged(desk, "Is this easy?")
    assert judging.judge(challenge.pk) == "solved"
    rows = list(challenge.attempts.order_by("pk").values_list("solver", "version", "answer", "score", "is_right"))
    assert rows == [("PTD/letters", "0", "yes", 0.75, True), ("FNTD/words", "0+0", "yes", 0.75, True)]
    challenge.refresh_from_db()
    assert challenge.state == "solved" and challenge.judged_at


def test_a_second_job_about_the_same_question_changes_nothing(desk):
    challenge = challenged(desk, "Is a windmill silent?")
    judging.judge(challenge.pk)
    assert judging.judge(challenge.pk) == ""
    assert Attempt.objects.count() == 2


def test_a_solver_that_breaks_leaves_the_question_waiting_and_the_log_says_so_once(desk):
    for question in ("Is this broken?", "Is that broken?"):
        challenge = challenged(desk, question)
        assert judging.judge(challenge.pk) == "waiting"
    assert not Attempt.objects.exists()
    (event,) = Event.objects.filter(verb="solvers.failed")
    assert event.data["reason"] == "the solver broke"


def test_a_package_that_is_missing_is_an_outage_with_its_remedy(desk, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    desk.change(groups=["PTD, fixed, 1 of: transformer:roberta-base"])
    challenge = challenged(desk, "Is a windmill silent?")
    assert judging.judge(challenge.pk) == "waiting"
    assert "requirements-models.txt" in Event.objects.get(verb="solvers.failed").data["reason"]


def test_when_the_solvers_are_dismissed_what_waits_holds(desk):
    challenge = challenged(desk, "Is this easy?")
    desk.change(groups=[])
    assert judging.judge(challenge.pk) == "holds"


def test_the_sweep_finds_what_was_handed_in_and_never_judged(desk, monkeypatch):
    held = desk.hand_in(desk.page(), "Is a windmill silent?")
    Challenge.objects.filter(pk=held.pk).update(asked_at=timezone.now() - timedelta(days=3))
    forgotten = challenged(desk, "Is a page still open?")
    Challenge.objects.filter(pk=forgotten.pk).update(asked_at=timezone.now() - timedelta(days=3))
    asked = []
    monkeypatch.setattr("annotation.solving.jobs.judge.apply_async", lambda args, **more: asked.append(args[0]))
    sweep()
    assert asked == [held.pk]


def test_the_real_light_solvers_judge_a_question_out_of_the_box(db, settings, tmp_path):
    from tests.annotation.solving.conftest import Desk
    from tests.factories import make_project

    seats.forget()
    stage = {"name": "question", "task_type": "strategyqa.question", "answers_per_item": 1}
    desk = Desk(make_project(stage=stage).stages.get())
    challenge = challenged(desk, "Could the first millers of Maresby have used a steam engine?")
    assert judging.judge(challenge.pk) in ("holds", "solved")
    rows = dict(challenge.attempts.values_list("solver", "answer"))
    assert list(rows) == list(desk.policy.seats)
    # Without a corpus, retrieval has nothing to go by.
    assert rows["PTD/overlap"] == rows["PTD/passages"] == ""
    assert {rows[f"{group}/{name}"] for group in ("PTD", "FNTD") for name in ("words", "letters", "meaning")} <= {
        "yes",
        "no",
    }


@pytest.mark.parametrize("question", ["Is a windmill silent?"])
def test_solvers_are_loaded_once_a_process(desk, question, monkeypatch):
    judging.judge(challenged(desk, question).pk)
    made = []
    monkeypatch.setattr("annotation.solving.files.new_solver", lambda *args: made.append(args))
    judging.judge(challenged(desk, question).pk)
    assert made == []


def test_a_question_that_takes_too_long_is_held_and_asked_about_after_the_others(desk, monkeypatch):
    slow, quick = challenged(desk, "Is this slow?"), challenged(desk, "Is a windmill silent?")
    Challenge.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    monkeypatch.setattr(judging, "_attempts", Mock(side_effect=SoftTimeLimitExceeded()))
    judge(slow.pk)
    assert Challenge.objects.get(pk=slow.pk).state == "waiting"
    assert not Event.objects.filter(verb="solvers.failed").exists(), "the solvers are there, and slow"
    assert list(judging.overdue()) == [quick, slow]


def test_what_the_solvers_failed_at_last_is_asked_about_last(desk):
    broken = [challenged(desk, question) for question in ("Is this broken?", "Is that broken?")]
    Challenge.objects.update(asked_at=timezone.now() - timedelta(minutes=5))
    for challenge in reversed(broken):
        judging.judge(challenge.pk)
    assert list(judging.overdue()) == broken[::-1]
