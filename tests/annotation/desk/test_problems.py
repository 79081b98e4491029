"""What needs a person: each trouble has a way to end, and is gone from the list once it is over."""

import pytest
from django.utils import timezone

from annotation.events.models import Event
from annotation.hits.models import HIT, Assignment
from annotation.hits.paying import absorb_decisions
from annotation.providers.models import Intent
from annotation.releases.models import Release
from annotation.trials.programmes import make_programme
from annotation.workers.models import Grant, Qualification
from annotation.workers.qualifying import absorb_qualifications, grant
from tests.factories import make_assignment, make_hit, make_item, make_worker

PAGE = "/projects/forces/problems/"
API = "/api/v1/projects/forces/calls"


@pytest.fixture
def work(project) -> Assignment:
    return make_assignment(make_hit(project, make_item(project)))


def make_call(project, kind: str, key: str, *, state: str = "absent", **fields) -> Intent:
    now = timezone.now()
    return Intent.objects.create(
        environment="own",
        kind=kind,
        key=key,
        project_id=project.pk,
        state=state,
        **{"request": {}, "due_at": now, "first_sent_at": now, "absorbed_at": now, "asked_by": "clock"} | fields,
    )


def listed(browse) -> str:
    return " ".join(browse("researcher").get(PAGE).content.decode().split())


def tell(browse, call: Intent, found: str, reason: str = "On its page there."):
    return browse("researcher").post(f"{PAGE}calls/{call.pk}/tell/", {"found": found, "reason": reason}, follow=True)


# --- Calls that were never seen there ---


def test_a_person_who_found_it_done_says_so_and_it_counts(project, work, people, browse) -> None:
    request = {"assignment_id": work.assignment_id, "feedback": "Thank you!"}
    call = make_call(project, "approve", f"own/assignment/{work.pk}/approve", request=request)
    assert "It is done there" in listed(browse)

    tell(browse, call, "done")
    absorb_decisions(project=project)

    work.refresh_from_db()
    assert work.state == "approved"
    assert "It is done there" not in listed(browse)
    said = Event.objects.get(verb="intent.told")
    assert (said.actor, said.data["is_done"]) == (f"user:{people.researcher.pk}", True)
    assert said.data["reason"] == "On its page there."


def test_a_person_who_found_it_undone_may_try_it_again(project, work, browse) -> None:
    request = {"assignment_id": work.assignment_id, "feedback": "Thank you!"}
    call = make_call(project, "approve", f"own/assignment/{work.pk}/approve", request=request)
    browse("researcher").post(f"{PAGE}calls/{call.pk}/again/")
    call.refresh_from_db()
    assert call.state == "absent"

    tell(browse, call, "not")

    call.refresh_from_db()
    assert (call.state, "it was not done" in call.error) == ("refused", True)
    browse("researcher").post(f"{PAGE}calls/{call.pk}/again/")
    call.refresh_from_db()
    assert call.state == "planned"


def test_what_became_of_a_call_is_not_said_without_a_reason(project, work, browse) -> None:
    call = make_call(project, "bonus", f"own/assignment/{work.pk}/bonus/care")
    assert "say where you looked" in tell(browse, call, "done", "  ").content.decode()
    call.refresh_from_db()
    assert call.state == "absent"


@pytest.mark.parametrize("state", ["unknown", "refused", "planned", "confirmed"])
def test_only_of_what_was_never_seen_there_a_person_says_it(project, work, browse, state) -> None:
    call = make_call(project, "approve", f"own/assignment/{work.pk}/approve", state=state)
    assert "Nothing was changed" in tell(browse, call, "done").content.decode()
    call.refresh_from_db()
    assert call.state == state


def test_a_hit_that_was_never_seen_there_is_taken_off_by_hand_and_then_gone(project, browse) -> None:
    make_hit(project, make_item(project), state="refused", token="TOKEN", remote_id=None)
    call = make_call(project, "create_hit", "own/forces/direct_answer/hit/1")
    page = listed(browse)
    assert "It is not there" in page and "It is done there" not in page

    tell(browse, call, "not")

    assert "Calls to the marketplace" not in listed(browse)


def test_a_message_that_may_have_arrived_is_sent_again_by_its_button(project, browse) -> None:
    call = make_call(project, "notify", "own/message/1")
    assert "Try again" in listed(browse)

    browse("researcher").post(f"{PAGE}calls/{call.pk}/again/")

    call.refresh_from_db()
    assert call.state == "planned"


def test_the_api_says_what_became_of_a_call(project, work, call) -> None:
    lost = make_call(project, "bonus", f"own/assignment/{work.pk}/bonus/care")
    body = {"is_done": True, "reason": "Listed among its bonuses."}
    assert call("owner").post(f"{API}/{lost.pk}/tell", body, format="json").json()["state"] == "confirmed"
    assert call("owner").post(f"{API}/{lost.pk}/tell", body, format="json").status_code == 400
    assert call("owner").get(API).json() == []


# --- What a worker holds ---


def test_a_refused_grant_leads_to_its_page_and_is_gone_once_it_was_asked_for_again(project, browse) -> None:
    test = make_programme(stage=project.stages.get(), name="Science answers", description="Passed.")
    Qualification.objects.update(state="ready", type_id="TYPE1")
    test.qualification.refresh_from_db()
    row = grant(qualification=test.qualification, worker=make_worker(), value=90)
    Intent.objects.filter(kind="grant").update(state="refused", error="ServiceFault")
    absorb_qualifications(project=project)
    assert f"/projects/forces/qualifications/{test.pk}/#grants-title" in listed(browse)

    browse("researcher").post(f"/projects/forces/qualifications/{test.pk}/grants/{row.pk}/again/")

    assert Grant.objects.get().problem == ""
    assert "Calls to the marketplace" not in listed(browse)


# --- HITs and releases ---


def test_a_refused_hit_is_a_problem_until_its_items_are_offered_again(project, browse) -> None:
    item = make_item(project)
    make_hit(project, item, state=HIT.State.REFUSED, close_reason="No such qualification")
    assert "No such qualification" in listed(browse)

    make_hit(project, item)

    assert "No such qualification" not in listed(browse)


def test_a_refused_hit_whose_items_wait_for_nothing_is_none(project, browse) -> None:
    make_hit(
        project, make_item(project, state="accepted"), state=HIT.State.REFUSED, close_reason="No such qualification"
    )
    assert "No such qualification" not in listed(browse)


def test_a_failed_release_is_a_problem_until_a_later_one_is_built(project, browse) -> None:
    Release.objects.create(project=project, version="1.0.0", state="failed", error="disk full")
    assert "disk full" in listed(browse)

    Release.objects.create(project=project, version="1.0.1", state="ready")

    assert "disk full" not in listed(browse)
