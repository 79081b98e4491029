"""Two graders read a trial independently; where they differ, they talk."""

import pytest

from annotation.events.models import Event
from annotation.trials.grading import GradeRefused, grade
from annotation.trials.models import Grade
from annotation.trials.programmes import change_programme
from tests.annotation.trials.conftest import POINTS
from tests.factories import make_user


def read(trial, grader, verdict="pass", **more):
    fields = {"points": POINTS, "feedback": "" if verdict == "pass" else "Read the question again."} | more
    return grade(trial=trial, grader=grader, verdict=verdict, **fields)


def test_one_grade_decides_nothing_and_the_second_does(take, graders) -> None:
    trial = take()

    read(trial, graders[0])
    after_one = trial.state
    read(trial, graders[1], points=POINTS | {"care": 2})

    assert (after_one, trial.state) == ("waiting", "passed")
    assert trial.points == pytest.approx((5 / 6 + 6 / 6) / 2)
    assert Event.objects.filter(verb="trial.decided").get().data["verdict"] == "pass"


def test_where_a_programme_wants_one_grade_one_decides(programme, take, graders) -> None:
    type(programme).objects.update(graders=1)
    trial = take()

    read(trial, graders[0], "fail")

    assert trial.state == "failed"


def test_nobody_grades_a_trial_twice(take, graders) -> None:
    trial = take()
    read(trial, graders[0])

    with pytest.raises(GradeRefused, match="somebody else"):
        read(trial, graders[0])


def test_graders_who_differ_talk_and_one_of_them_says_what_they_came_to(take, graders) -> None:
    trial = take()
    read(trial, graders[0], "pass")
    read(trial, graders[1], "fail")
    assert trial.state == "talk"

    read(trial, graders[1], "pass", feedback="Mind the rule on lists.")

    assert (trial.state, trial.feedback) == ("passed", "Mind the rule on lists.")
    own = Grade.objects.filter(is_joint=False).order_by("id").values_list("verdict", flat=True)
    assert list(own) == ["pass", "fail"], "their own grades stay as they were"


def test_a_talk_is_closed_by_its_graders_or_who_runs_the_project_and_nobody_else(project, take, graders) -> None:
    trial = take()
    read(trial, graders[0], "pass")
    read(trial, graders[1], "fail")

    with pytest.raises(GradeRefused) as refused:
        read(trial, make_user(project=project, role="reviewer"))
    assert refused.value.kind == "not_allowed"
    read(trial, make_user(project=project, role="researcher"), "fail")

    assert trial.state == "failed"


def test_a_decided_trial_takes_no_grade(project, take, graders) -> None:
    trial = take()
    for grader in graders:
        read(trial, grader)

    with pytest.raises(GradeRefused, match="has its verdict"):
        read(trial, make_user(project=project))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"points": {"right": 2, "care": 1}}, "Does the worker do what"),
        ({"points": POINTS | {"right": 3}}, "0 to 2"),
        ({"points": POINTS | {"style": 1}}, "no style"),
        ({"verdict": "fail", "feedback": " "}, "what was missing"),
        ({"verdict": "maybe"}, "Choose a verdict"),
        ({"feedback": "x" * 1_501}, "at most 1,500"),
    ],
)
def test_a_grade_with_a_hole_is_refused_and_nothing_is_kept(take, graders, said, words) -> None:
    trial = take()

    with pytest.raises(GradeRefused, match=words):
        read(trial, graders[0], **said)

    assert not Grade.objects.exists()


def test_try_again_is_no_verdict_after_the_last_try(take, graders) -> None:
    first = take()
    for grader in graders:
        read(first, grader, "again")
    second = take(first.worker, place=1)

    assert (first.state, second.attempt) == ("again", 2)
    with pytest.raises(GradeRefused, match="try 2 of 2"):
        read(second, graders[0], "again")


def test_where_one_grade_is_enough_from_now_on_those_that_have_one_are_decided(programme, take, graders) -> None:
    graded, bare, differing = take(), take(), take()
    read(graded, graders[0], "fail")
    read(differing, graders[0], "fail")
    read(differing, graders[1], "pass")

    change_programme(programme=programme, graders=1)

    for trial in (graded, bare, differing):
        trial.refresh_from_db()
    assert (graded.state, bare.state, differing.state) == ("failed", "waiting", "talk")
    assert graded.feedback == "Read the question again."
    read(bare, graders[0])
    assert bare.state == "passed"


def test_words_that_no_database_takes_are_refused(take, graders) -> None:
    trial = take()

    with pytest.raises(GradeRefused, match=r"U\+0000"):
        read(trial, graders[0], "fail", feedback="Read\x00 again.")

    assert not Grade.objects.exists()
