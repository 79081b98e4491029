"""A test at the real marketplace: who may take it, who is let in afterwards, and what everybody reads."""

import json
import subprocess
import sys

import pytest

from annotation.hits.models import HIT
from annotation.hits.publishing import publish, quote
from annotation.pipeline import advance
from annotation.projects.actions import Refused
from annotation.providers import mturk
from annotation.trials.models import Application, Trial
from annotation.trials.programmes import Known, add_items, make_programme, publish_programme, quote_programme
from annotation.trials.report import report_of
from tests.annotation.trials.conftest import GOOD
from tests.annotation.trials.test_grading import read
from tests.crowd import MarketplaceWorker
from tests.factories import QUESTION, make_item, make_project, make_user
from tests.services import ROOT

pytestmark = pytest.mark.django_db
GATE = [{"QualificationTypeId": "00000000000000000040", "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [5_000]}]
EXPERIENCED = """
from annotation.marketplace import models, requirements
for account in models.Account.objects.filter(customer_id__in={ids!r}):
    models.SystemValue.objects.update_or_create(
        worker=account, qualification_type_id=requirements.APPROVED, defaults=dict(integer_value=5000)
    )
"""


@pytest.fixture
def programme(own_market):
    project = make_project(budget_cap_cents=100_000, wage_floor_cents=0, stage={"items_per_hit": 1})
    for _ in range(2):
        make_item(project)
    made = make_programme(
        stage=project.stages.get(), name="Science answers", description="Passed our test.", gate=GATE, cents_per_item=15
    )
    add_items(programme=made, items=[Known("trial-1", QUESTION, GOOD)])
    advance(project)
    made.qualification.refresh_from_db()
    return made


@pytest.fixture
def crowd(own_market):
    """Four workers, the last of them without the experience that the gate asks for."""
    people = [MarketplaceWorker(own_market.endpoint) for _ in range(4)]
    ids = [one.worker_id for one in people[:3]]
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "shell", "-v0", "-c", EXPERIENCED.format(ids=ids)],
        env=own_market.environment,
        check=True,
    )
    return people


def offer(programme, *, trial: bool) -> HIT:
    if trial:
        offer = quote_programme(programme, workers=4)
        agreed = {"confirmed_cents": offer.total_cents, "digest": offer.digest}
        [hit] = publish_programme(programme=programme, workers=4, **agreed)
    else:
        cents = quote(programme.stage).total_cents
        hit = publish(stage=programme.stage, confirmed_cents=cents)[0]
    advance(programme.stage.project)
    hit.refresh_from_db()
    return hit


def take(worker, hit: HIT) -> None:
    frame = worker.accept(hit.remote_id)
    answers = {str(item.pk): GOOD for item in hit.items.all()}
    worker.submit(frame["assignmentId"], receipt="pending", answers=json.dumps(answers))


def refusal(worker, hit: HIT) -> str:
    """What the marketplace says to a worker who presses Accept."""
    with pytest.raises(AssertionError) as said:
        worker.accept(hit.remote_id)
    return str(said.value)


def test_a_test_from_gate_to_the_real_hits(programme, crowd) -> None:
    good, bad, untried, novice = crowd
    project = programme.stage.project
    trial_hit = offer(programme, trial=True)
    assert trial_hit.reward_cents == 15
    assert "Number of HITs approved at least 5000" in refusal(novice, trial_hit)

    for worker in (good, bad):
        take(worker, trial_hit)
    for _ in range(3):
        advance(project, everything=True)
    graders = [make_user(project=project) for _ in range(2)]
    passed, failed = Trial.objects.order_by("id")
    for grader in graders:
        read(passed, grader, "pass")
        read(failed, grader, "fail")
    for _ in range(3):
        advance(project, everything=True)

    scores = [
        mturk.connect("own").score(programme.qualification.type_id, worker_id=one.worker_id)
        for one in (good, bad, untried)
    ]
    assert scores == [83, 0, None]
    real = offer(programme, trial=False)
    assert good.accept(real.remote_id)["hitId"] == real.remote_id
    assert "Science answers" in refusal(bad, real) and "at least 1" in refusal(bad, real)
    assert "Science answers" in refusal(untried, real)
    assert not project.items.exclude(state="trial").filter(answers__isnull=False).exists()
    told = bad.get("/messages/").get_text(" ", strip=True)
    assert "You did not pass the test" in told and "Read the question again." in told
    again = offer(programme, trial=True)
    assert "not granted" in refusal(bad, again), "one try was allowed"


def test_a_worker_who_asks_for_the_qualification_is_shown_the_way(own_market, programme) -> None:
    novice = MarketplaceWorker(own_market.endpoint)
    novice.post(f"/qualifications/{programme.qualification.type_id}/ask")

    for _ in range(2):
        advance(programme.stage.project, everything=True)

    assert Application.objects.count() == 1
    report = report_of(programme)
    assert (report.applied, report.admitted, report.took) == (1, 0, 0)
    assert list(mturk.connect("own").list_requests(programme.qualification.type_id)) == []


def test_nothing_real_is_offered_before_the_marketplace_has_the_qualification(own_market) -> None:
    project = make_project(budget_cap_cents=100_000, wage_floor_cents=0, stage={"items_per_hit": 1})
    make_item(project)
    programme = make_programme(stage=project.stages.get(), name="Careful", description="Passed our test.")

    with pytest.raises(Refused, match="'Careful' that it asks for is not at the marketplace yet"):
        publish(stage=project.stages.get(), confirmed_cents=60)
    assert "not at the marketplace yet" in quote_programme(programme, workers=1).problems[-1]
