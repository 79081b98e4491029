"""The report of a test: everybody counted once, whatever they tried; the share as the paper gives it."""

import pytest

from annotation.hits.models import Assignment
from annotation.trials.models import Application, Grade, Trial
from annotation.trials.report import report_of
from annotation.workers.models import Worker
from annotation.workers.qualifying import grant, revoke
from tests.annotation.trials.conftest import POINTS
from tests.annotation.trials.test_grading import read
from tests.factories import make_assignment, make_hit, make_worker


def test_the_paper_s_figure_45_of_256(programme, graders) -> None:
    hit = make_hit(programme.stage.project, trial_of=programme.qualification)
    people = Worker.objects.bulk_create(Worker(environment="own", pseudonym=f"w-{n:06}") for n in range(256))
    work = Assignment.objects.bulk_create(
        Assignment(hit=hit, worker=one, assignment_id=f"A{one.pk}", state="approved") for one in people
    )
    trials = Trial.objects.bulk_create(
        Trial(programme=programme, worker=one.worker, assignment=one, attempt=1, state="passed" if n < 45 else "failed")
        for n, one in enumerate(work)
    )
    Grade.objects.bulk_create(
        Grade(trial=one, grader=grader, verdict="pass" if one.state == "passed" else "fail", points=POINTS)
        for one in trials
        for grader in graders
    )

    report = report_of(programme)

    assert (report.passed, round(report.passed_share.value, 3)) == (45, 0.176)
    assert (report.applied, report.admitted, report.took, report.failed) == (256, 256, 256, 211)
    low, high = report.passed_share.low, report.passed_share.high
    assert low < 45 / 256 < high
    assert [(one.grader, one.grades, one.passed) for one in report.graders] == [("ana", 256, 45), ("ben", 256, 45)]
    assert report.agreement.equal.value == report.agreement.nominal.value == 1


def test_a_worker_with_two_trials_counts_once_where_they_stand_now(take, graders, programme) -> None:
    first = take()
    for grader in graders:
        read(first, grader, "again")
    take(first.worker, place=1)

    report = report_of(programme)

    assert (report.took, report.trials, report.again, report.waiting) == (1, 2, 0, 1)


def test_who_only_asked_or_only_began_has_applied(programme, take) -> None:
    trial = take()
    make_assignment(trial.assignment.hit, state=Assignment.State.OPEN)
    Application.objects.create(programme=programme, worker=make_worker(), request_id="R1")
    Application.objects.create(programme=programme, worker=trial.worker, request_id="R2")

    report = report_of(programme)

    assert (report.applied, report.admitted, report.took) == (3, 2, 1)


def test_graders_who_differ_lower_the_agreement_and_talks_are_no_grades(project, programme, take, graders) -> None:
    for verdicts in (("pass", "pass"), ("fail", "fail"), ("pass", "fail")):
        trial = take()
        for grader, verdict in zip(graders, verdicts, strict=True):
            read(trial, grader, verdict)
    read(trial, graders[0], "pass")

    report = report_of(programme)

    assert report.agreement.equal.value == pytest.approx(2 / 3)
    assert 0 < report.agreement.nominal.value < 1
    assert (report.agreement.talks, sum(one.grades for one in report.graders)) == (1, 6)
    assert report.passed == 2


def test_holders_are_those_who_hold_it_now_however_they_came_to_it(project, programme, take) -> None:
    qualification = programme.qualification
    take()
    by_hand, lost = make_worker(), make_worker()
    for one in (by_hand, lost):
        grant(qualification=qualification, worker=one, value=100, reason="known to us")
    revoke(qualification=qualification, worker=lost, reason="Asked for it.")

    report = report_of(programme)

    assert (report.holders, report.revoked) == (1, 1)


def test_nothing_yet_is_no_share(programme) -> None:
    report = report_of(programme)

    assert report.passed_share.value is None
    assert report.as_dict()["agreement"]["equal"]["n"] == 0
