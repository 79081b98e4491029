"""A researcher makes a test, fills it, offers it, watches it, and grants and revokes by hand: pages, API, commands."""

import io
import json
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.hits.models import HIT
from annotation.hits.paying import absorb_decisions
from annotation.providers.models import Intent
from annotation.trials.deciding import take_in, tell_verdicts
from annotation.trials.models import Programme, Trial
from annotation.workers.models import Grant, Qualification
from annotation.workers.queries import release_pseudonym
from tests.annotation.trials.conftest import GOOD
from tests.annotation.trials.test_grading import read
from tests.factories import QUESTION, make_answer, make_assignment, make_hit, make_item, make_user

HOME = "/projects/forces/qualifications/"
API = "/api/v1/projects/forces/qualifications"
RUBRIC = "right | Are they right? | no | partly | yes"
LINE = json.dumps({"key": "trial-1", "item": QUESTION, "answer": GOOD})


def settings(**changed) -> dict:
    return {
        "name": "Science answers",
        "description": "You passed our test.",
        "ask_for_it": "on",
        "cents_per_item": "0.15",
        "items_per_trial": "1",
        "most_attempts": "1",
        "graders": "2",
        "minutes_allowed": "30",
        "lifetime_days": "14",
        "approve_after_hours": "0",
        "auto_approval_hours": "72",
        "approval_rate": "95",
        "approved_count": "5000",
        "countries": "US, GB",
        "rubric": RUBRIC,
    } | changed


@pytest.fixture
def made(project, browse) -> Programme:
    """A test made on the page; the marketplace has its qualification."""
    answer = browse("researcher").post("/projects/forces/stages/direct_answer/test/", settings())
    assert answer.status_code == 302
    Qualification.objects.update(state=Qualification.State.READY, type_id="TYPE1")
    return Programme.objects.get()


def agreed(browse, made, **more) -> dict:
    """What the form sends that shows what two workers a set cost."""
    form = browse("researcher").get(f"{HOME}{made.pk}/offer/?workers=2").context["form"]
    return {"workers": "2"} | form.initial | more


@pytest.fixture
def offered(browse, made) -> HIT:
    browse("researcher").post(f"{HOME}{made.pk}/items/", {"files": SimpleUploadedFile("known.jsonl", LINE.encode())})
    browse("researcher").post(f"{HOME}{made.pk}/offer/", agreed(browse, made, below_floor_ok="on"))
    HIT.objects.update(state=HIT.State.OFFERED, remote_id="REMOTE1")
    return HIT.objects.get()


@pytest.fixture
def trial(project, offered) -> Trial:
    assignment = make_assignment(offered)
    make_answer(offered.items.get(), GOOD, assignment=assignment, counts=False)
    take_in(project=project)
    return Trial.objects.get()


def name_of(project, trial) -> str:
    return release_pseudonym(project, trial.worker.pseudonym)


def test_a_test_is_made_with_gate_pay_and_rubric(project, made) -> None:
    assert (made.cents_per_item, made.items_per_trial, made.graders) == (15, 1, 2)
    assert made.rubric == [{"name": "right", "question": "Are they right?", "levels": ["no", "partly", "yes"]}]
    assert [one["QualificationTypeId"][-2:] for one in made.gate] == ["L0", "40", "71"]
    assert project.stages.get().qualifications.get() == made.qualification


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rubric": "right | Are they right?"}, "Line 1: expected a name, a question and at least two levels"),
        ({"rubric": "two words | Are they? | no | yes"}, "single words"),
        ({"countries": "Narnia"}, "no country code"),
        ({"name": ""}, "required"),
        ({"graders": "3"}, "less than or equal to 2"),
    ],
)
def test_what_is_wrong_with_a_new_test_is_said_and_nothing_is_made(project, browse, changed, words) -> None:
    answer = browse("researcher").post("/projects/forces/stages/direct_answer/test/", settings(**changed))

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Programme.objects.exists()


def test_a_trial_hit_is_offered_at_the_test_s_own_pay(offered, made) -> None:
    request = Intent.objects.get(kind="create_hit").request

    assert (offered.reward_cents, offered.max_assignments, offered.trial_of) == (15, 2, made.qualification)
    assert request["title"].startswith("Qualification test: ")
    untried = {"QualificationTypeId": "TYPE1", "Comparator": "DoesNotExist"}
    assert request["requirements"] == [*made.gate, untried]
    assert offered.items.get().state == "trial"


def test_a_test_is_taken_off_the_market_again(browse, made, offered) -> None:
    browse("owner").post(f"{HOME}{made.pk}/end/")

    assert Intent.objects.get(kind="expire_hit").request == {"hit_id": "REMOTE1"}


def test_another_total_than_the_one_confirmed_publishes_nothing(browse, made) -> None:
    browse("owner").post(f"{HOME}{made.pk}/items/", {"files": SimpleUploadedFile("known.jsonl", LINE.encode())})

    answer = browse("owner").post(f"{HOME}{made.pk}/offer/", agreed(browse, made, confirmed_cents="1"))

    assert answer.status_code == 422
    assert "the quote is $0.36 now" in answer.content.decode()
    assert not HIT.objects.exists()


def test_a_form_that_is_sent_twice_offers_the_test_once(browse, made) -> None:
    browse("owner").post(f"{HOME}{made.pk}/items/", {"files": SimpleUploadedFile("known.jsonl", LINE.encode())})
    form = agreed(browse, made, below_floor_ok="on")

    first, second = (browse("owner").post(f"{HOME}{made.pk}/offer/", form) for _ in range(2))

    assert (first.status_code, second.status_code) == (302, 422)
    assert "for other HITs now" in second.content.decode()
    assert HIT.objects.count() == 1


def test_a_test_is_offered_again_by_a_quote_of_its_own(browse, made, offered) -> None:
    answer = browse("owner").post(f"{HOME}{made.pk}/offer/", agreed(browse, made, below_floor_ok="on"))

    assert answer.status_code == 302
    assert HIT.objects.count() == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "known.jsonl"),
        ('{"item": {"question": 1}}', "known-1"),
        (json.dumps({"key": "x", "item": QUESTION, "answer": {"answers": [], "category": "single"}}), "sent back"),
    ],
)
def test_faulty_items_are_refused_with_their_place(browse, made, line, words) -> None:
    file = SimpleUploadedFile("known.jsonl", line.encode())

    answer = browse("owner").post(f"{HOME}{made.pk}/items/", {"files": file})

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not made.trial_items.exists()


def test_open_items_are_set_aside_and_the_examples_brought_in(project, browse, made, items) -> None:
    browse("owner").post(f"{HOME}{made.pk}/items/", {"set_aside": "2", "examples": "on"})

    assert project.items.filter(state="trial", key__startswith="question-").count() == 2
    assert project.items.filter(state="open").count() == 5
    assert made.trial_items.exclude(reference=None).exists()


def test_an_item_that_is_being_collected_is_no_trial_item(project, browse, made) -> None:
    make_hit(project, make_item(project, "trial-1"))

    file = SimpleUploadedFile("known.jsonl", LINE.encode())
    answer = browse("owner").post(f"{HOME}{made.pk}/items/", {"files": file})

    assert "is an item of direct_answer already" in answer.content.decode()


def test_the_page_tells_who_came_and_who_passed(project, browse, made, trial) -> None:
    for name in ("ana", "ben"):
        read(trial, make_user(name, project=project), points={"right": 2})

    page = browse("researcher").get(f"{HOME}{made.pk}/").content.decode()

    assert name_of(project, trial) in page and trial.worker.pseudonym not in page
    assert "100%" in page and "ana" in page and "on the way" in page
    assert "1 item" in page
    Intent.objects.filter(kind="approve").update(state="confirmed")
    absorb_decisions(project=project)
    tell_verdicts(project=project)
    assert "with the pay" in browse("researcher").get(f"{HOME}{made.pk}/").content.decode()


def test_a_worker_is_granted_it_and_loses_it_by_hand(project, browse, made, trial) -> None:
    worker = name_of(project, trial)
    page = f"{HOME}{made.pk}/"

    given = browse("owner").post(f"{page}grant/", {"give-worker": worker, "give-value": "90", "give-reason": ""})
    without_reason = browse("owner").post(f"{page}revoke/", {"take-worker": worker, "take-reason": ""})
    lost = browse("owner").post(f"{page}revoke/", {"take-worker": worker, "take-reason": "Copied from others."})

    assert (given.status_code, without_reason.status_code, lost.status_code) == (302, 422, 302)
    row = Grant.objects.get()
    assert (row.value, row.stands, row.revoked_reason) == (90, False, "Copied from others.")


def test_nobody_unknown_is_granted_anything(browse, made) -> None:
    form = {"give-worker": "w-nobody", "give-value": "90"}

    answer = browse("owner").post(f"{HOME}{made.pk}/grant/", form)

    assert answer.status_code == 422
    assert "nobody is called" in answer.content.decode()


def test_a_stage_asks_for_it_or_no_longer(project, browse, made) -> None:
    browse("owner").post(f"{HOME}{made.pk}/ask/direct_answer/", {"asks": "no"})
    assert not project.stages.get().qualifications.exists()

    browse("owner").post(f"{HOME}{made.pk}/ask/direct_answer/", {"asks": "yes"})
    assert (
        "Holds the qualification “Science answers”"
        in browse("owner").get("/projects/forces/stages/direct_answer/").content.decode()
    )
    assert project.stages.get().qualifications.get() == made.qualification


def test_the_rubric_stands_once_a_trial_was_graded(project, browse, made, trial) -> None:
    read(trial, make_user(project=project), points={"right": 2})
    answer = browse("owner").post(f"{HOME}{made.pk}/settings/", settings(rubric="fit | Does it fit? | no | yes"))
    assert answer.status_code == 422
    assert "the rubric stands" in answer.content.decode()

    assert browse("owner").post(f"{HOME}{made.pk}/settings/", settings(cents_per_item="0.20")).status_code == 302
    made.refresh_from_db()
    assert made.cents_per_item == 20


def test_the_api_does_the_same(project, call) -> None:
    api = call("researcher")
    body = {"stage": "direct_answer", "name": "Science answers", "description": "Passed.", "items_per_trial": 1}
    number = api.post(API, body, format="json").json()["id"]
    Qualification.objects.update(state=Qualification.State.READY, type_id="TYPE1")
    entry = {"key": "trial-1", "item": QUESTION, "answer": GOOD}
    added = api.post(f"{API}/{number}/items", {"items": [entry]}, format="json").json()
    assert added == {"added": 1, "items": 1, "sets": 1}
    quote = api.get(f"{API}/{number}/quote?workers=3").json()
    offer = {"workers": 3, "confirmed_cents": quote["total_cents"] + 1, "below_floor_ok": True}
    offer["digest"] = quote["digest"]
    assert api.post(f"{API}/{number}/publish", offer, format="json").status_code == 409
    offer["confirmed_cents"] = quote["total_cents"]
    assert api.post(f"{API}/{number}/publish", offer, format="json").json()["hits"] == 1
    assert api.post(f"{API}/{number}/publish", offer, format="json").status_code == 409
    worker = release_pseudonym(project, make_assignment(HIT.objects.get()).worker.pseudonym)

    given = api.post(f"{API}/{number}/grants", {"worker": worker, "value": 80}, format="json").json()
    taken = api.post(f"{API}/{number}/revoke", {"worker": worker, "reason": "Asked for it."}, format="json").json()

    assert (given["value"], given["is_under_way"], taken["value"]) == (80, True, None)
    assert api.post(f"{API}/{number}/grants", {"worker": "w-x"}, format="json").status_code == 400
    assert api.get(f"{API}/{number}").json()["applied"] == 1
    assert [one["worker"] for one in api.get(f"{API}/{number}/grants").json()] == [worker]


def command(*words: str) -> SimpleNamespace:
    out = io.StringIO()
    call_command("qualification", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def no_calls(monkeypatch):
    """Nothing listens at the marketplace: calls wait."""
    monkeypatch.setattr("annotation.desk.management.commands.qualification.dispatch", lambda **_: 0)


def test_the_commands_do_the_same(project, no_calls, tmp_path) -> None:
    made = command("make", "forces", "Science answers", "--items", "1", "--approved-hits", "5000")
    assert made["gate"][0]["IntegerValues"] == [5000]
    Qualification.objects.update(state=Qualification.State.READY, type_id="TYPE1")
    file = tmp_path / "known.jsonl"
    file.write_text(LINE)
    assert command("items", "forces", str(file))["sets"] == 1
    with pytest.raises(CommandError, match="say --confirm"):
        command("publish", "forces", "--workers", "2", "--below-floor")
    assert command("publish", "forces", "--workers", "2", "--yes", "--below-floor")["hits"] == 1
    worker = release_pseudonym(project, make_assignment(HIT.objects.get()).worker.pseudonym)
    command("grant", "forces", worker, "--value", "70")
    command("revoke", "forces", worker, "--reason", "Asked for it.")
    command("ask", "forces", "direct_answer", "--no-longer")
    assert command("end", "forces") == {"hits": 1}

    (report,) = command("report", "forces")

    assert (report["applied"], report["took"], report["passed_share"]["value"], report["revoked"]) == (1, 0, None, 1)
    assert Grant.objects.get().granted_by == "command:qualification"


def test_a_command_says_which_tests_there_are(project, no_calls) -> None:
    with pytest.raises(CommandError, match="forces has none yet"):
        command("quote", "forces")
    for name in ("One", "Two"):
        command("make", "forces", name)
    with pytest.raises(CommandError, match="which test"):
        command("quote", "forces")
    with pytest.raises(CommandError, match="no test 'Three'"):
        command("quote", "forces", "--name", "Three")


GATE = [{"QualificationTypeId": "000000000000000000L0", "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [90]}]


def test_a_new_test_is_gated_as_its_stage_from_page_api_and_command(project, browse, call, no_calls) -> None:
    stage = project.stages.get()
    stage.requirements = GATE
    stage.save()
    form = browse("owner").get("/projects/forces/stages/direct_answer/test/").context["form"]
    fields = {name: form.initial[name] for name in ("cents_per_item", "items_per_trial", "minutes_allowed", "graders")}
    body = {"stage": "direct_answer", "name": "Of the API", "description": "Passed."}
    call("researcher").post(API, body, format="json")
    command("make", "forces", "Of the command")

    assert form.initial["approval_rate"] == 90
    for test in Programme.objects.all():
        assert test.gate == GATE
        assert {name: getattr(test, name) for name in fields} == fields
    assert command("make", "forces", "Open to all", "--approval-rate", "0")["gate"] == []


@pytest.mark.parametrize(
    "gate",
    [
        [1],
        "all",
        [{"QualificationTypeId": "x y", "Comparator": "Exists"}],
        [{"QualificationTypeId": "A1", "Comparator": "Knows"}],
        [{**GATE[0], "IntegerValues": [250]}],
        [{**GATE[0], "More": 1}],
        [{**GATE[0], "LocaleValues": [1]}],
    ],
)
def test_a_gate_that_is_none_is_refused_and_no_page_breaks(project, browse, call, gate) -> None:
    body = {"stage": "direct_answer", "name": "Science answers", "description": "Passed.", "gate": gate}

    assert call("researcher").post(API, body, format="json").status_code == 400

    assert not Programme.objects.exists()
    assert browse("owner").get(HOME).status_code == 200


@pytest.mark.parametrize("words", [("--approval-rate", "250"), ("--approved-hits", "-3")])
def test_the_command_refuses_a_gate_that_nobody_can_pass_or_everybody_does(project, no_calls, words) -> None:
    with pytest.raises(CommandError, match="approv"):
        command("make", "forces", "Science answers", *words)


def test_what_a_test_is_given_comes_in_whole_or_not_at_all(project, browse, call, made, items, no_calls, tmp_path):
    file = tmp_path / "known.jsonl"
    file.write_text(LINE)
    upload = {"files": SimpleUploadedFile("known.jsonl", LINE.encode()), "set_aside": "99"}
    entry = {"key": "trial-1", "item": QUESTION, "answer": GOOD}

    page = browse("owner").post(f"{HOME}{made.pk}/items/", upload)
    api = call("owner").post(f"{API}/{made.pk}/items", {"items": [entry], "set_aside": ["nobody"]}, format="json")
    with pytest.raises(CommandError, match="7 open items"):
        command("items", "forces", str(file), "--set-aside", "99")

    assert (page.status_code, api.status_code) == (422, 400)
    assert not made.trial_items.exists()


def test_less_than_one_item_is_not_set_aside(project, made, items, no_calls) -> None:
    with pytest.raises(CommandError, match="-5"):
        command("items", "forces", "--set-aside", "-5")
    assert project.items.filter(state="open").count() == 7


def test_files_for_a_test_are_as_few_as_for_an_import(browse, made) -> None:
    files = [SimpleUploadedFile(f"known-{number}.jsonl", LINE.encode()) for number in range(21)]

    answer = browse("owner").post(f"{HOME}{made.pk}/items/", {"files": files})

    assert (answer.status_code, "At most 20 files" in answer.content.decode()) == (422, True)
