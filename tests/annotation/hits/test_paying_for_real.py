"""What the real marketplace refuses is made good, tried again and paid; what it lists late is found."""

import subprocess
import sys

import pytest
from django.utils import timezone

from annotation.events.actions import acting_as
from annotation.hits.collecting import collect
from annotation.hits.models import HIT, Assignment
from annotation.hits.paying import absorb_decisions, approve, bonus
from annotation.hits.publishing import absorb_offers, publish, quote
from annotation.hits.quarantine import look_again
from annotation.hits.retrying import try_again
from annotation.providers import mturk
from annotation.providers.dispatching import dispatch
from annotation.providers.models import Intent
from annotation.workers.actions import meet_worker
from tests.annotation.hits.test_collecting import copy_of_answers, work
from tests.crowd import hire
from tests.factories import make_item, make_project
from tests.services import ROOT

pytestmark = pytest.mark.django_db
PREPAY = """
from annotation.marketplace import keys, ledger, models
account = models.Account.objects.filter(is_requester=True).order_by("pk").first()
ledger.prepay(requester=account, cents={cents}, note="a transfer came in")
"""


@pytest.fixture
def project(own_market):
    project = make_project(budget_cap_cents=10_000_000, wage_floor_cents=0, stage={"answers_per_item": 1})
    make_item(project)
    return project


@pytest.fixture
def hit(project) -> HIT:
    stage = project.stages.get()
    [hit] = publish(stage=stage, confirmed_cents=quote(stage).total_cents)
    dispatch()
    absorb_offers(project=project)
    hit.refresh_from_db()
    return hit


def carry_out(project) -> None:
    dispatch()
    absorb_decisions(project=project)


def test_a_bonus_without_funds_is_paid_once_after_a_prepayment(own_market, project, hit) -> None:
    work(own_market, hit)
    collect(project=project, everything=True)
    assignment = Assignment.objects.get()
    approve(assignment=assignment)
    carry_out(project)
    intent = bonus(assignment=assignment, cents=2_000_000, reason="A great deal of care", purpose="care")
    carry_out(project)
    intent.refresh_from_db()
    assert (intent.state, "insufficient funds" in intent.error) == (Intent.State.REFUSED, True)

    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "shell", "-v0", "-c", PREPAY.format(cents=2_500_000)],
        env=own_market.environment,
        check=True,
    )
    try_again(intent=intent)
    carry_out(project)

    intent.refresh_from_db()
    assert intent.state == Intent.State.CONFIRMED
    paid = list(mturk.connect("own").list_bonuses(assignment.assignment_id))
    assert [(one.cents, one.reason) for one in paid] == [(2_000_000, intent.request["reason"])]


def test_work_in_quarantine_is_found_in_a_closed_hit_when_somebody_asks(own_market, project, hit) -> None:
    worker = hire(own_market.endpoint)
    frame = worker.accept(hit.remote_id)
    worker.submit(frame["assignmentId"], receipt="pending", answers=copy_of_answers(hit, "gravity"))
    late = Assignment.objects.create(
        hit=hit,
        worker=meet_worker(environment="own", provider_id=frame["workerId"]),
        assignment_id=frame["assignmentId"],
        state=Assignment.State.QUARANTINED,
        handed_over_at=timezone.now(),
    )
    HIT.objects.filter(pk=hit.pk).update(state=HIT.State.CLOSED, collect_after=None)
    project.items.update(state="open")
    assert collect(project=project, everything=True).changed == 0

    with acting_as("user:1"):
        look_again(project=project)
    assert collect(project=project).changed == 1

    late.refresh_from_db()
    assert (late.state, late.answers.filter(counts=True).count()) == (Assignment.State.SUBMITTED, 1)
    assert set(project.items.values_list("state", flat=True)) == {"answered"}
    assert collect(project=project).changed == 0
