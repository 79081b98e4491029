"""Pay, rejections, bonuses, barring, quarantine and refused calls, through pages, API and commands."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.events.models import Event
from annotation.hits.models import HIT, Assignment
from annotation.providers.models import Intent
from annotation.workers.queries import release_pseudonym
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_user

REASON = "All answers are the same word."


@pytest.fixture
def work(project) -> Assignment:
    project.stages.update(approve_after_hours=24)
    return make_assignment(make_hit(project, make_item(project)))


@pytest.fixture
def at(work):
    """An address below the assignment: `at("reject")`; with `api=True` the API's."""

    def address(what="", *, api=False):
        return f"{'/api/v1' if api else ''}/projects/forces/assignments/{work.pk}/{what}" + (
            "" if api or not what else "/"
        )

    return address


def refused_bonus(project, work) -> Intent:
    return Intent.objects.create(
        environment="own",
        kind="bonus",
        key=f"own/assignment/{work.pk}/bonus/care",
        request={"assignment_id": work.assignment_id, "cents": 40, "reason": "Care"},
        cents=48,
        project_id=project.pk,
        state="refused",
        error="InsufficientFunds for A1B2C3D4E5F6G7",
        first_sent_at=timezone.now(),
        due_at=timezone.now(),
        asked_by="user:1",
    )


def test_work_is_approved_at_once(work, people, browse, at):
    assert browse("researcher").post(at("approve")).status_code == 302
    intent = Intent.objects.get()
    assert (intent.kind, intent.asked_by) == ("approve", f"user:{people.researcher.pk}")
    assert "on its way" in browse("researcher").get(at()).content.decode()


def test_a_rejection_is_shown_once_more_before_it_happens(work, people, browse, at):
    page = browse("owner").get(at("reject")).content.decode()
    assert "The worker is not paid $0.50" in page and "reads your reason" in page
    assert browse("owner").post(at("reject"), {"reason": " "}).status_code == 422
    again = browse("owner").post(at("reject"), {"reason": REASON}).content.decode()
    assert "Once more, before it happens" in again and REASON in again
    unticked = browse("owner").post(at("reject"), {"reason": REASON, "shown": "yes"}).content.decode()
    assert "please tick the box" in unticked
    assert not Intent.objects.exists()

    assert browse("owner").post(at("reject"), {"reason": f"{REASON}\r\nSorry.", "confirmed": "yes"}).status_code == 302

    intent = Intent.objects.get()
    assert (intent.kind, intent.request["reason"]) == ("reject", f"{REASON}\nSorry.")
    asked = Event.objects.get(verb="assignment.rejection_asked")
    assert asked.actor == f"user:{people.owner.pk}"


def test_a_page_that_can_not_reject_any_more_says_why(work, browse, at):
    Assignment.objects.update(submitted_at=timezone.now() - timedelta(hours=30))
    assert "time to look is over" in browse("owner").get(at("reject")).content.decode()
    assert "It can’t be rejected" in browse("owner").get(at()).content.decode()
    response = browse("owner").post(at("reject"), {"reason": REASON, "confirmed": "yes"})
    assert (response.status_code, Intent.objects.exists()) == (422, False)


def test_a_worker_who_was_rejected_before_is_looked_at_twice(project, work, browse, at):
    make_assignment(work.hit, work.worker, state="rejected", decided_at=timezone.now())
    assert "rejected 1 assignment of this worker within a day" in browse("owner").get(at("reject")).content.decode()


def test_a_rejection_is_turned_round_with_a_word(work, browse, at):
    assert "only a rejection can be turned round" in browse("owner").get(at("override")).content.decode()
    Assignment.objects.update(state="rejected", decided_at=timezone.now())
    browse("owner").post(at("approve"))
    assert not Intent.objects.exists(), "not without a word to the worker"
    assert browse("owner").post(at("override"), {"feedback": ""}).status_code == 422
    assert browse("owner").post(at("override"), {"feedback": "Sorry!"}).status_code == 302
    intent = Intent.objects.get()
    assert (intent.kind, intent.request["override"], intent.request["feedback"]) == ("approve", True, "Sorry!")


def test_a_bonus_shows_its_fee_before_it_is_paid(project, work, browse, at):
    bonus = {"cents": "1.50", "reason": "Careful", "purpose": "care"}
    assert "approve this work first" in browse("owner").get(at("bonus")).content.decode()
    Assignment.objects.update(state="approved")
    shown = browse("owner").post(at("bonus"), bonus).content.decode()
    assert all(text in shown for text in ("$1.50", "$0.30", "$1.80"))
    assert not Intent.objects.exists()
    browse("owner").post(at("bonus"), bonus | {"confirmed": "yes"})
    assert [(one.request["cents"], one.cents) for one in Intent.objects.all()] == [(150, 180)]
    refused = browse("owner").post(at("bonus"), bonus | {"cents": "2", "confirmed": "yes"})
    assert (refused.status_code, "another purpose" in refused.content.decode()) == (422, True)
    type(project).objects.update(budget_cap_cents=100)
    dear = browse("owner").post(at("bonus"), bonus | {"purpose": "more", "confirmed": "yes"})
    assert (dear.status_code, "no room" in dear.content.decode()) == (422, True)


@pytest.mark.parametrize("field", [{"cents": "0"}, {"cents": "-1"}, {"cents": "x"}, {"purpose": "A b"}, {"reason": ""}])
def test_a_bonus_form_with_a_fault_comes_back(work, browse, at, field):
    Assignment.objects.update(state="approved")
    form = {"cents": "1.50", "reason": "Careful", "purpose": "care", "confirmed": "yes"} | field
    assert (browse("owner").post(at("bonus"), form).status_code, Intent.objects.exists()) == (422, False)


def test_a_worker_is_barred_and_let_in_again(work, browse, at):
    assert "any other one of this server" in browse("owner").get(at("worker")).content.decode()
    browse("owner").post(at("worker"), {"reason": REASON})
    work.worker.refresh_from_db()
    assert work.worker.is_barred
    assert "Barred from further HITs" in browse("owner").get(at()).content.decode()
    browse("owner").post(at("worker"), {"reason": "We talked."})
    work.worker.refresh_from_db()
    assert not work.worker.is_barred
    assert list(Event.objects.values_list("verb", flat=True)) == ["worker.barred", "worker.unbarred"]


def test_work_in_quarantine_is_settled_and_off_the_list(project, work, browse, at):
    Assignment.objects.update(state="quarantined", submitted_at=None)
    assert "Work that waits for a person" in browse("owner").get("/projects/forces/problems/").content.decode()
    assert browse("owner").post(at("settle"), {"how": "count_it", "reason": "x"}).status_code == 422
    browse("owner").post(at("settle"), {"how": "paid_outside", "reason": "Bank transfer."})
    work.refresh_from_db()
    assert (work.state, "Bank transfer." in work.settlement) == ("quarantined", True)
    page = browse("owner").get("/projects/forces/problems/")
    assert (page.context["found"].count, page.context["problem_count"]) == (0, 0)
    assert "settled already" in browse("owner").get(at("settle")).content.decode()


def test_looking_now_has_closed_hits_with_quarantined_work_asked_about(work, browse):
    Assignment.objects.update(state="quarantined")
    HIT.objects.update(state="closed", collect_after=None)
    browse("owner").post("/projects/forces/problems/look/")
    assert HIT.objects.get().collect_after <= timezone.now()


def test_a_refused_call_is_tried_again_or_called_off(project, work, browse):
    Assignment.objects.update(state="approved")
    intent = refused_bonus(project, work)
    shown = browse("owner").get("/projects/forces/problems/").content.decode()
    assert "Try again" in shown and f"Assignment {work.pk}" in shown and "A1B2C3D4E5F6G7" not in shown
    place = f"/projects/forces/problems/calls/{intent.pk}"
    browse("owner").post(f"{place}/call-off/", {"reason": ""})
    intent.refresh_from_db()
    assert intent.state == "refused"
    browse("owner").post(f"{place}/again/")
    intent.refresh_from_db()
    assert intent.state == "planned"
    Intent.objects.update(state="refused")
    browse("owner").post(f"{place}/call-off/", {"reason": "Not wanted."})
    intent.refresh_from_db()
    assert intent.state == "withdrawn"
    assert browse("owner").get("/projects/forces/problems/").context["found"].count == 0


def test_a_call_that_may_have_taken_effect_has_no_button_and_is_not_sent(project, work, browse):
    intent = refused_bonus(project, work)
    for state in ("unknown", "absent"):
        Intent.objects.update(state=state)
        assert "Try again" not in browse("owner").get("/projects/forces/problems/").content.decode()
        said = browse("owner").post(f"/projects/forces/problems/calls/{intent.pk}/again/", follow=True)
        assert "Not tried again" in said.content.decode()
        intent.refresh_from_db()
        assert intent.state == state


# --- The same through the API ---------------------------------------------------------------------


def test_the_api_approves_once(work, call, at):
    first = call("researcher").post(at("approve", api=True), {}, format="json")
    again = call("researcher").post(at("approve", api=True), {}, format="json")
    assert (first.status_code, first.json()["id"]) == (202, again.json()["id"])


def test_the_api_rejects_in_two_steps(work, people, call, at):
    told = call("owner").post(at("reject", api=True), {"reason": REASON}, format="json")
    assert (told.status_code, told.json()["worker_loses_cents"]) == (409, 50)
    assert not Intent.objects.exists()
    done = call("owner").post(at("reject", api=True), {"reason": REASON, "confirmed": True}, format="json")
    assert (done.status_code, Intent.objects.get().asked_by) == (202, f"user:{people.owner.pk}")
    Assignment.objects.update(state="approved")
    late = call("owner").post(at("reject", api=True), {"reason": REASON, "confirmed": True}, format="json")
    assert (late.status_code, "only submitted work" in late.json()["detail"]) == (409, True)


def test_the_api_pays_bonuses_settles_and_bars(project, work, call, at):
    Assignment.objects.update(state="approved")
    bonus = {"cents": 150, "reason": "Careful", "purpose": "care"}
    assert call("owner").post(at("bonus", api=True), bonus, format="json").json()["cents"] == 180
    twice = call("owner").post(at("bonus", api=True), bonus | {"cents": 10}, format="json")
    assert (twice.status_code, "another purpose" in twice.json()["detail"]) == (400, True)
    Assignment.objects.update(state="quarantined")
    settled = call("owner").post(at("settle", api=True), {"how": "not_owed", "reason": "Empty."}, format="json")
    assert "Empty." in settled.json()["settlement"]
    name = release_pseudonym(project, work.worker.pseudonym)
    barred = call("owner").put(
        f"/api/v1/projects/forces/workers/{name}", {"is_barred": True, "reason": REASON}, format="json"
    )
    assert barred.json() == {"worker": name, "environment": "own", "is_barred": True}
    nobody = {"is_barred": True, "reason": REASON}
    assert call("owner").put("/api/v1/projects/forces/workers/w-nobody", nobody, format="json").status_code == 404


def test_the_api_tries_refused_calls_again(project, work, call):
    Assignment.objects.update(state="approved")
    intent = refused_bonus(project, work)
    [listed] = call("owner").get("/api/v1/projects/forces/calls").json()
    assert (listed["id"], listed["state"], "A1B2C3D4E5F6G7" in listed["error"]) == (intent.pk, "refused", False)
    place = f"/api/v1/projects/forces/calls/{intent.pk}/again"
    assert call("owner").post(place).json()["state"] == "planned"
    assert call("owner").post(place).status_code == 400


# --- The same through commands --------------------------------------------------------------------


@pytest.fixture
def run(capsys):
    def ran(*words):
        call_command(*map(str, words), "--json")
        return json.loads(capsys.readouterr().out)

    return ran


def test_commands_list_approve_and_pay(project, work, run):
    assert [row["id"] for row in run("assignments", "forces", "--state", "submitted")] == [work.pk]
    assert run("assignments", "forces", "--state", "rejected") == []
    assert run("approve", "forces", work.pk)[0]["kind"] == "approve"
    Assignment.objects.update(state="approved")
    paid = run("bonus", "forces", work.pk, "--cents", 50, "--purpose", "care", "--reason", "Careful")
    assert (paid[0]["kind"], paid[0]["cents"]) == ("bonus", 60)
    for words, said in [
        (("approve", "forces", work.pk, work.pk + 1), "has no assignment"),
        (("assignments", "forces", "--stage", "no"), "has no stage"),
        (("assignments", "forces", "--worker", "w-nobody"), "nobody is called"),
        (("assignments", "forces", "--limit", 0), "from 1 to 10,000"),
        (("bonus", "forces", work.pk, "--cents", 0, "--purpose", "x", "--reason", "y"), "from 1 to"),
    ]:
        with pytest.raises(CommandError, match=said):
            run(*words)


def test_a_command_rejects_in_the_name_of_a_person_with_the_role(project, work, people, run):
    said = ("reject", "forces", work.pk, "--reason", REASON, "--by")
    make_user("left", project=project, role="owner", is_active=False)
    for name, why in (("stranger", "is nobody in forces"), ("left", "is nobody"), ("reviewer", "takes an owner or")):
        with pytest.raises(CommandError, match=why):
            run(*said, name)
    assert not Intent.objects.exists()
    run(*said, "researcher")
    assert Intent.objects.get().asked_by == f"user:{people.researcher.pk}"


def test_a_superuser_answers_for_a_rejection_as_on_the_pages_though_no_member(work, run):
    admin = make_user("admin", is_superuser=True)
    run("reject", "forces", work.pk, "--reason", REASON, "--by", "admin")
    assert Intent.objects.get().asked_by == f"user:{admin.pk}"


def test_work_whose_assignment_another_worker_got_is_settled_too(work, browse, at):
    make_answer(work.hit.items.first(), {"answers": ["gravity"], "category": "single"}, assignment=work, counts=False)
    Assignment.objects.update(state="superseded", submitted_at=None, receipt="r")
    assert "went to another" in browse("owner").get("/projects/forces/problems/").content.decode()
    assert "Settle by hand" in browse("owner").get(at()).content.decode()
    browse("owner").post(at("settle"), {"how": "paid_outside", "reason": "By bank.", "confirmed": "yes"})
    assert "By bank." in browse("owner").get(at()).content.decode()


def test_work_that_is_listed_after_it_was_settled_waits_for_a_person(work, browse, at):
    Assignment.objects.update(settlement="The worker was paid outside the marketplace: by bank.")
    assert "listed after it was settled" in browse("owner").get("/projects/forces/problems/").content.decode()
    page = browse("owner").get(at()).content.decode()
    assert "approving it now may pay it twice" in page and "Approved and paid" not in page
