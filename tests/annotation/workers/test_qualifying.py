"""Who holds a qualification: one wish after the other, whatever the calls' answers do."""

import pytest

from annotation.events.actions import acting_as
from annotation.events.models import Event
from annotation.projects.actions import Refused
from annotation.providers.models import Intent
from annotation.workers.models import Grant, Qualification
from annotation.workers.qualifying import (
    absorb_qualifications,
    grant,
    make_qualification,
    mark_as_taken,
    require,
    revoke,
    send_again,
)
from annotation.workers.queries import not_ready, requirements_of
from tests.factories import make_project, make_stage, make_worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def planned(project) -> Qualification:
    return make_qualification(project=project, name="Careful readers", description="Passed our test.")


@pytest.fixture
def qualification(project, planned) -> Qualification:
    answer("create_qualification", result={"type_id": "TYPE1"})
    absorb_qualifications(project=project)
    planned.refresh_from_db()
    return planned


def answer(kind: str, state: str = "confirmed", **fields) -> int:
    return Intent.objects.filter(kind=kind, state__in=["planned", "unknown"]).update(state=state, **fields)


def calls(*states: str) -> list[tuple[str, object]]:
    rows = Intent.objects.filter(kind__in=["grant", "revoke"], state__in=states or ["planned"]).order_by("id")
    return [(one.kind, one.request.get("value")) for one in rows]


def test_a_qualification_is_ready_when_the_marketplace_has_its_type(project, planned, qualification) -> None:
    assert (qualification.state, qualification.type_id) == ("ready", "TYPE1")
    assert Intent.objects.get(kind="create_qualification").request["name"].endswith(planned.reference)


def test_a_stage_asks_for_it_as_a_requirement_of_the_protocol(project, planned) -> None:
    stage = project.stages.get()
    require(qualification=planned, stage=stage)
    assert (requirements_of(stage), not_ready(stage)) == ([], [planned])

    answer("create_qualification", result={"type_id": "TYPE1"})
    absorb_qualifications(project=project)

    [asked] = requirements_of(stage)
    assert asked == {"QualificationTypeId": "TYPE1", "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [1]}


def test_a_stage_of_another_project_at_the_same_marketplace_may_ask_for_it(qualification) -> None:
    other = make_project()
    require(qualification=qualification, stage=other.stages.get())
    assert requirements_of(other.stages.get())

    elsewhere = make_project(environment="mturk_sandbox")
    with pytest.raises(Refused, match="mturk_sandbox"):
        require(qualification=qualification, stage=elsewhere.stages.get())
    with pytest.raises(Refused, match="experts"):
        require(qualification=qualification, stage=make_stage(other, name="derivability", crowd=False))


def test_the_same_grant_twice_is_one_call(qualification) -> None:
    worker = make_worker()
    for _ in range(2):
        with acting_as("user:7"):
            grant(qualification=qualification, worker=worker, value=80)

    assert calls() == [("grant", 80)]
    assert Grant.objects.get().granted_by == "user:7"


def test_a_later_wish_waits_until_the_earlier_call_is_settled(project, qualification) -> None:
    worker = make_worker()
    mark_as_taken(qualification=qualification, worker=worker)
    answer("grant", "unknown")
    grant(qualification=qualification, worker=worker, value=90)
    revoke(qualification=qualification, worker=worker, reason="answers copied")
    assert calls("planned", "unknown") == [("grant", 0)], "one call a worker at a time"

    answer("grant")
    absorb_qualifications(project=project)

    # The wish in between is overtaken: only the newest is sent.
    assert calls() == [("revoke", None)]
    answer("revoke")
    absorb_qualifications(project=project)
    row = Grant.objects.get()
    assert (row.value_there, row.is_under_way) == (None, False)


def test_grants_wait_for_the_type(project, planned) -> None:
    grant(qualification=planned, worker=make_worker(), value=1)
    assert calls() == []

    answer("create_qualification", result={"type_id": "TYPE1"})
    absorb_qualifications(project=project)

    assert calls() == [("grant", 1)]


def test_what_the_marketplace_refused_is_told_and_can_be_wanted_again(project, qualification) -> None:
    row = grant(qualification=qualification, worker=make_worker(), value=1)
    answer("grant", "refused", error="the worker is gone")
    absorb_qualifications(project=project)
    row.refresh_from_db()
    assert row.problem == "the worker is gone"

    send_again(grant=row)

    assert calls() == [("grant", 1)]
    with pytest.raises(Refused):
        send_again(grant=row)


def test_taking_a_test_takes_nothing_from_who_holds_the_qualification(qualification) -> None:
    worker = make_worker()
    grant(qualification=qualification, worker=worker, value=70)

    assert mark_as_taken(qualification=qualification, worker=worker).value == 70


def test_taking_it_away_needs_a_reason_and_somebody_who_holds_it(qualification) -> None:
    worker = make_worker()
    with pytest.raises(Refused, match="does not hold"):
        revoke(qualification=qualification, worker=worker, reason="why not")
    grant(qualification=qualification, worker=worker, value=1)

    with pytest.raises(Refused, match="reason"):
        revoke(qualification=qualification, worker=worker, reason=" ")


def test_all_of_it_is_in_the_log_by_pseudonym(qualification) -> None:
    worker = make_worker("AREALWORKERID")
    grant(qualification=qualification, worker=worker, value=1)
    revoke(qualification=qualification, worker=worker, reason="asked for it")

    said = [(event.verb, event.data["worker"]) for event in Event.objects.filter(verb__startswith="grant.")]
    assert said == [("grant.made", worker.pseudonym), ("grant.revoked", worker.pseudonym)]
    assert "AREALWORKERID" not in str(list(Event.objects.values_list("data", flat=True)))
