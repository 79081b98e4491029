"""What a verdict does: what the marketplace is told of the worker, what the worker reads, and that all are paid."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.hits.models import Assignment
from annotation.hits.paying import absorb_decisions, approve_due, reject
from annotation.projects.actions import Refused
from annotation.providers.models import Intent
from annotation.review.actions import settle
from annotation.review.board import board_of
from annotation.review.figures import funnel
from annotation.review.models import Outcome
from annotation.trials.deciding import pay_trials, take_in, tell_verdicts
from annotation.trials.models import Programme, Trial
from annotation.trials.programmes import change_programme
from annotation.workers.models import Grant
from annotation.workers.qualifying import absorb_qualifications, grant, revoke
from annotation.workers.queries import standing_grants
from tests.annotation.trials.conftest import POINTS
from tests.annotation.trials.test_grading import read


def confirm(kind: str) -> list[dict]:
    """The marketplace does what is planned; gives what it was asked."""
    rows = Intent.objects.filter(kind=kind, state="planned")
    asked = list(rows.order_by("id").values_list("request", flat=True))
    rows.update(state="confirmed")
    return asked


def followed(project) -> list[dict]:
    """All that the marketplace is asked of grants until nothing more is wanted."""
    asked = []
    while Intent.objects.filter(kind__in=["grant", "revoke"], state="planned").exists():
        asked += [{"kind": kind, **request} for kind in ("grant", "revoke") for request in confirm(kind)]
        absorb_qualifications(project=project)
    return asked


def decide(trial: Trial, graders, verdict: str) -> Trial:
    for grader in graders:
        read(trial, grader, verdict)
    trial.refresh_from_db()
    return trial


def test_who_took_the_test_is_marked_so_that_nobody_takes_it_twice(project, take) -> None:
    trial = take()

    [asked] = followed(project)

    assert (asked["kind"], asked["value"], asked["worker"]) == ("grant", 0, trial.worker_id)
    assert take_in(project=project) == 0


def test_who_passes_holds_the_share_of_points_and_reads_that_they_may_begin(project, take, graders) -> None:
    trial = decide(take(), graders, "pass")

    assert [one["value"] for one in followed(project)] == [0, 83]
    assert list(standing_grants(trial.programme.qualification)) == [Grant.objects.get()]
    [approval] = confirm("approve")
    assert "You passed the test" in approval["feedback"]


def test_who_fails_keeps_the_mark_and_is_paid_with_the_reason(project, take, graders) -> None:
    trial = decide(take(), graders, "fail")

    assert [one["value"] for one in followed(project)] == [0]
    assert not standing_grants(trial.programme.qualification).exists()
    [approval] = confirm("approve")
    assert "paid all the same" in approval["feedback"] and "Read the question again." in approval["feedback"]


def test_who_may_try_again_loses_the_mark(project, take, graders) -> None:
    trial = take()
    followed(project)
    decide(trial, graders, "again")

    assert [one["kind"] for one in followed(project)] == ["revoke"]
    assert Grant.objects.get().may_retake


def test_a_worker_who_was_paid_before_the_verdict_reads_it_in_a_message(project, take, graders) -> None:
    trial = take(state=Assignment.State.APPROVED)

    decide(trial, graders, "fail")

    [message] = confirm("notify")
    assert message["worker"] == trial.worker_id
    assert "Read the question again." in message["text"]
    assert trial.told == "message" and tell_verdicts(project=project) == 0


def test_a_verdict_while_the_approval_is_under_way_is_told_when_that_has_arrived(project, take, graders) -> None:
    trial = take()
    pay_trials(project=project)
    decide(trial, graders, "pass")
    assert trial.told == ""

    Assignment.objects.update(state=Assignment.State.APPROVED)

    assert tell_verdicts(project=project) == 1
    assert len(confirm("notify")) == 1


def test_the_programme_says_how_long_pay_waits_for_a_verdict(project, programme, take) -> None:
    Programme.objects.update(approve_after_hours=24)
    take()

    assert (approve_due(project=project), pay_trials(project=project)) == (0, 0)
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=25))
    assert (pay_trials(project=project), pay_trials(project=project)) == (1, 0)


def test_a_trial_is_never_rejected(take) -> None:
    trial = take()

    with acting_as("user:1"), pytest.raises(Refused, match="paid whatever"):
        reject(assignment=trial.assignment, reason="no good")


def test_trials_add_up_to_nothing(project, take, graders) -> None:
    decide(take(), graders, "pass")

    settle(project=project)

    assert not Outcome.objects.exists()
    assert [column.total for column in board_of(project)] == [0]
    assert funnel(project)[0].reached == 0
    assert set(project.items.values_list("state", flat=True)) == {"trial"}


def test_a_grant_by_hand_before_the_verdict_stays(project, programme, take, graders) -> None:
    trial = take()
    grant(qualification=programme.qualification, worker=trial.worker, value=100, reason="a colleague")

    decide(trial, graders, "fail")

    assert Grant.objects.get().value == 100


def test_who_lost_the_qualification_may_not_take_the_test_again(programme, take, graders) -> None:
    trial = decide(take(), graders, "pass")

    revoke(qualification=programme.qualification, worker=trial.worker, reason="copied from others")

    assert not Grant.objects.get().may_retake
    assert sum(POINTS.values()) == 5


def test_words_with_the_pay_count_as_told_once_the_marketplace_took_them(project, take, graders) -> None:
    trial = decide(take(), graders, "fail")
    assert (trial.told, tell_verdicts(project=project)) == ("", 0)

    confirm("approve")
    absorb_decisions(project=project)

    assert tell_verdicts(project=project) == 1
    trial.refresh_from_db()
    assert (trial.told, confirm("notify")) == ("approval", [])


def test_words_that_came_after_the_marketplace_had_paid_by_itself_go_by_message(project, take, graders) -> None:
    trial = decide(take(), graders, "fail")
    Assignment.objects.update(state=Assignment.State.APPROVED)
    assert tell_verdicts(project=project) == 0, "the call is under way: nobody knows yet"

    Intent.objects.filter(kind="approve").update(state="confirmed", result={"status": "Approved", "already": True})
    absorb_decisions(project=project)

    assert tell_verdicts(project=project) == 1
    [message] = confirm("notify")
    assert "Read the question again." in message["text"]
    trial.refresh_from_db()
    assert (trial.told, tell_verdicts(project=project)) == ("message", 0)


@pytest.mark.parametrize(
    ("waits", "pays", "is_refused"), [(0, 0, False), (71, 72, False), (72, 72, True), (1, 0, True)]
)
def test_pay_waits_for_a_verdict_less_long_than_the_marketplace_waits(programme, waits, pays, is_refused) -> None:
    hours = {"approve_after_hours": waits, "auto_approval_hours": pays}
    if is_refused:
        with pytest.raises(Refused, match=f"pays by itself after {pays}"):
            change_programme(programme=programme, **hours)
    else:
        assert change_programme(programme=programme, **hours).approve_after_hours == waits
