"""The requester's pages: they work, refuse bad input and the wrong person."""

from html import unescape

import pytest

from annotation.marketplace import keys, ledger, publishing, qualifying, registering, reviewing, working
from annotation.marketplace.models import Account, Book, QualificationType, WorkerBlock
from tests.marketplace.people import EXTERNAL, token_of
from tests.marketplace.test_qualifications import KEY, TEST


@pytest.fixture
def lab(db):
    account = Account.objects.create_user("lab", is_requester=True)
    ledger.prepay(requester=account, cents=10_000)
    return account


@pytest.fixture
def anna(db):
    return Account.objects.create_user("anna", is_worker=True)


@pytest.fixture
def page(client, lab):
    client.force_login(lab)
    return client


@pytest.fixture
def hit(lab):
    values = registering.TypeValues("Explain", "d", "", 100, 600, 86_400, [])
    kind = registering.register_type(requester=lab, values=values)
    return publishing.create_hit(requester=lab, hit_type=kind, question=EXTERNAL, lifetime=3600)


@pytest.fixture
def work(hit, anna):
    assignment = working.accept(worker=anna, hit=hit)
    answer = '<QuestionFormAnswers xmlns="x"><Answer><QuestionIdentifier>why</QuestionIdentifier><FreeText>'
    answer += "&lt;b&gt;light&lt;/b&gt;</FreeText></Answer></QuestionFormAnswers>"
    return working.submit(assignment=assignment, answer=answer).assignment


def decide(page, work, **fields):
    return page.post(f"/requester/assignments/{work.assignment_id}/decide", fields, follow=True)


def test_the_overview_shows_money_and_what_waits(page, work):
    text = page.get("/requester/").content.decode()
    assert "$98.80" in text
    assert "$1.20" in text
    assert "approved by itself on" in text


def test_answers_are_shown_as_text(page, hit, work):
    text = page.get(f"/requester/hits/{hit.hit_id}/").content.decode()
    assert "&lt;b&gt;light&lt;/b&gt;" in text
    assert "<b>light" not in text


def test_work_is_approved_and_paid(page, work, anna):
    decide(page, work, do="approve", feedback="Thanks")
    work.refresh_from_db()
    assert (work.status, work.feedback) == ("Approved", "Thanks")
    assert ledger.balance(Book.EARNINGS, anna) == 100


def test_a_rejection_needs_a_reason(page, work):
    assert decide(page, work, do="reject").status_code == 409
    work.refresh_from_db()
    assert work.status == "Submitted"
    decide(page, work, do="reject", feedback="Copied")
    work.refresh_from_db()
    assert work.status == "Rejected"


def test_an_appeal_is_upheld_and_paid(page, client, work, anna, lab):
    decide(page, work, do="reject", feedback="Copied")
    client.force_login(anna)
    assert "Copied" in client.get(f"/assignments/{work.assignment_id}/appeal").content.decode()
    client.post(f"/assignments/{work.assignment_id}/appeal", {"text": "I wrote this myself"})
    assert client.post(f"/assignments/{work.assignment_id}/appeal", {"text": "again"}).status_code == 409
    client.force_login(lab)
    assert "I wrote this myself" in client.get("/requester/").content.decode()
    decide(client, work, do="override", feedback="You are right")
    assert ledger.balance(Book.EARNINGS, anna) == 100
    client.force_login(anna)
    assert "Your appeal was upheld" in client.get("/history/").content.decode()


def test_a_bonus_is_sent_and_a_bad_amount_refused(page, work, anna):
    decide(page, work, do="approve")
    assert decide(page, work, do="bonus", amount="1,5", feedback="Good").status_code == 409
    assert decide(page, work, do="bonus", amount="0.50", feedback="Good").status_code == 200
    assert ledger.balance(Book.EARNINGS, anna) == 150


def appealed(page, client, work, anna, lab):
    decide(page, work, do="reject", feedback="Copied")
    client.force_login(anna)
    client.post(f"/assignments/{work.assignment_id}/appeal", {"text": "I wrote this myself"})
    client.force_login(lab)


def test_a_rejection_taken_back_by_a_call_upholds_the_appeal(page, client, work, anna, lab):
    appealed(page, client, work, anna, lab)
    reviewing.approve(requester=lab, assignment_id=work.assignment_id, override=True)
    assert "I wrote this myself" not in client.get("/requester/").content.decode()
    work.refresh_from_db()
    assert (work.appeal.upheld, work.appeal.answered_at is not None) == (True, True)
    assert "Upheld." in client.get(f"/requester/hits/{work.hit.hit_id}/").content.decode()


def test_an_appeal_is_answered_with_words_and_the_rejection_stands(page, client, work, anna, lab):
    assert decide(page, work, do="answer", feedback="No").status_code == 409
    appealed(page, client, work, anna, lab)
    assert decide(client, work, do="answer").status_code == 409
    text = decide(client, work, do="answer", feedback="It is word for word in the paragraph").content.decode()
    assert "The rejection stands." in text
    assert "Upheld" not in text
    assert "I wrote this myself" not in client.get("/requester/").content.decode()


def test_of_what_waits_the_oldest_are_shown_and_the_rest_counted(page, lab):
    kind = QualificationType.objects.create(requester=lab, name="Readers", description="d")
    workers = [Account.objects.create_user(f"w{number}", is_worker=True) for number in range(22)]
    for worker in workers:
        qualifying.ask(worker=worker, kind=kind)
    for address in ("/requester/qualifications/", f"/requester/qualifications/{kind.type_id}/"):
        text = page.get(address).content.decode()
        assert workers[0].customer_id in text
        assert workers[21].customer_id not in text
        assert "2 more" in text


HUGE = ("9999999999", "-9999999999", "--5", "-", "1e9", "9" * 400, "٣", "²")


@pytest.mark.parametrize("number", HUGE)
def test_a_number_that_is_none_or_out_of_range_is_refused_wherever_one_is_typed(page, hit, work, anna, number):
    kind = QualificationType.objects.create(requester=hit.requester, name="n", description="d")
    decide(page, work, do="approve")
    grant = {"do": "grant", "worker_id": anna.customer_id, "value": number}
    made = {"name": "Readers", "description": "d", "test": TEST, "answer_key": KEY, "minutes": "10"}
    for address, form in (
        (f"/requester/hits/{hit.hit_id}/", {"do": "add", "number": number}),
        (f"/requester/assignments/{work.assignment_id}/decide", {"do": "bonus", "amount": number, "feedback": "Good"}),
        (f"/requester/qualifications/{kind.type_id}/", grant),
        ("/requester/qualifications/", {**made, "minutes": number}),
        ("/requester/qualifications/", {**made, "retry_hours": number}),
    ):
        assert page.post(address, form).status_code == 409, address


def test_a_bonus_is_at_most_ten_million_dollars(page, work, anna):
    decide(page, work, do="approve")
    answer = decide(page, work, do="bonus", amount="30000000.00", feedback="Good")
    assert answer.status_code == 409
    assert "10000000.00" in answer.content.decode()


def test_a_test_can_be_tried_again_after_a_hundred_years_at_most(page):
    form = {"name": "Readers", "description": "d", "retry_hours": "2000000000"}
    assert page.post("/requester/qualifications/", form).status_code == 409


def test_a_bonus_sent_by_a_double_click_is_paid_once_and_the_next_one_too(page, hit, work, anna):
    decide(page, work, do="approve")
    address = f"/requester/hits/{hit.hit_id}/"
    for earned in (150, 200):
        form = {"do": "bonus", "amount": "0.50", "feedback": "Good"}
        form["token"] = token_of(page.get(address).content.decode().partition("data-assignment")[2])
        assert [decide(page, work, **form).status_code for _ in range(2)] == [200, 200]
        assert ledger.balance(Book.EARNINGS, anna) == earned
    assert "was done once" in decide(page, work, **form).content.decode()


def test_more_assignments_asked_for_by_a_double_click_come_once(page, hit):
    address = f"/requester/hits/{hit.hit_id}/"
    form = {"do": "add", "number": "2", "token": token_of(page.get(address).content.decode())}
    assert [page.post(address, form).status_code for _ in range(2)] == [302, 302]
    hit.refresh_from_db()
    assert hit.max_assignments == 3


def test_a_hit_is_extended_ended_and_disposed_of(page, hit):
    address = f"/requester/hits/{hit.hit_id}/"
    page.post(address, {"do": "add", "number": "2"})
    hit.refresh_from_db()
    assert hit.max_assignments == 3
    assert page.post(address, {"do": "add", "number": "x"}).status_code == 409
    assert page.post(address, {"do": "delete"}).status_code == 409
    page.post(address, {"do": "expire"})
    page.post(address, {"do": "delete"})
    hit.refresh_from_db()
    assert hit.status == "Disposed"


def test_workers_are_blocked_unblocked_and_written_to(page, work, anna):
    decide(page, work, do="approve")
    who = {"worker_id": anna.customer_id}
    page.post("/requester/workers/", {"do": "block", "text": "Copied", **who})
    assert WorkerBlock.objects.count() == 1
    page.post("/requester/workers/", {"do": "unblock", **who})
    assert WorkerBlock.objects.count() == 0
    page.post("/requester/workers/", {"do": "write", "subject": "Hello", "text": "Come back", **who})
    assert anna.messages.get().body == "Come back"
    assert page.post("/requester/workers/", {"do": "block", "worker_id": "A0", "text": "x"}).status_code == 409


def test_a_qualification_is_made_granted_taken_back_and_deleted(page, anna):
    form = {"name": "Readers", "description": "d", "test": TEST, "answer_key": KEY, "minutes": "10", "retry_hours": "1"}
    page.post("/requester/qualifications/", form)
    kind = QualificationType.objects.get()
    assert (kind.test_duration, kind.retry_delay) == (600, 3600)
    address = f"/requester/qualifications/{kind.type_id}/"
    page.post(address, {"do": "grant", "worker_id": anna.customer_id, "value": "80"})
    assert anna.qualifications.get().value == 80
    page.post(address, {"do": "revoke", "worker_id": anna.customer_id, "reason": "Long ago"})
    assert anna.qualifications.get().status == "Revoked"
    page.post(address, {"do": "delete"})
    assert kind.type_id not in page.get("/requester/qualifications/").content.decode()
    assert page.post("/requester/qualifications/", {**form, "test": "<x"}).status_code == 409


def test_a_key_is_shown_once_and_can_be_revoked(page, lab):
    first = page.post("/requester/keys/", {"do": "create"}).content.decode()
    key = lab.access_keys.get()
    secret = keys.secret_of(key)
    assert secret in unescape(first)
    assert secret not in unescape(page.get("/requester/keys/").content.decode())
    page.post("/requester/keys/", {"do": "revoke", "key_id": key.key_id})
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_the_ledger_lists_every_movement_and_as_csv_runs_no_formula(page, work, lab):
    ledger.prepay(requester=lab, cents=100, note="=1+1")
    assert "prepayment" in page.get("/requester/ledger/").content.decode()
    assert "'=1+1" in page.get("/requester/ledger.csv").content.decode()


@pytest.mark.parametrize(
    "address",
    ["/requester/", "/requester/ledger/", "/requester/workers/", "/requester/qualifications/", "/requester/keys/"],
)
def test_workers_and_strangers_stay_outside(client, anna, address):
    assert client.get(address).status_code == 302
    client.force_login(anna)
    assert client.get(address).status_code == 403


def test_another_requesters_hit_is_not_there(client, hit, work):
    client.force_login(Account.objects.create_user("other", is_requester=True))
    assert client.get(f"/requester/hits/{hit.hit_id}/").status_code == 404
    assert client.get(f"/requester/groups/{hit.hit_type.type_id}/").status_code == 404
    assert decide(client, work, do="approve").status_code == 409
    work.refresh_from_db()
    assert work.status == "Submitted"
