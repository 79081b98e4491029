"""The operator's pages: accounts, money in and out, reports, opening and closing."""

import json

import pytest

from annotation.marketplace import faults, ledger, publishing, registering, requirements, reviewing, standing, working
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Account, Book, Invitation, PayOut, Report
from tests.marketplace.people import EXTERNAL, token_of


@pytest.fixture
def page(client, db):
    client.force_login(Account.objects.create_user("olga", is_operator=True))
    return client


@pytest.fixture
def lab(db):
    return Account.objects.create_user("lab", is_requester=True)


@pytest.fixture
def anna(db):
    return Account.objects.create_user("anna", is_worker=True)


def hit_of(lab):
    values = registering.TypeValues("Explain", "d", "", 100, 600, 86_400, [])
    kind = registering.register_type(requester=lab, values=values)
    return publishing.create_hit(requester=lab, hit_type=kind, question=EXTERNAL, lifetime=3600)


def paid_work(lab, anna):
    ledger.prepay(requester=lab, cents=10_000)
    assignment = working.accept(worker=anna, hit=hit_of(lab))
    working.submit(assignment=assignment, answer="<a/>")
    reviewing.approve(requester=lab, assignment_id=assignment.assignment_id)


def test_a_prepayment_and_a_refund_are_entered(page, lab):
    address = f"/operator/accounts/{lab.pk}/"
    page.post(address, {"do": "prepay", "amount": "250.00", "note": "invoice 7"})
    assert ledger.balance(Book.AVAILABLE, lab) == 25_000
    assert "invoice 7" in page.get(address).content.decode()
    page.post(address, {"do": "refund", "amount": "50"})
    assert ledger.balance(Book.AVAILABLE, lab) == 20_000
    assert page.post(address, {"do": "refund", "amount": "201"}).status_code == 409
    assert page.post(address, {"do": "prepay", "amount": "-5"}).status_code == 409


@pytest.mark.parametrize("number", ["9999999999", "--5", "9" * 400])
def test_a_number_out_of_range_is_refused_wherever_one_is_typed(page, lab, anna, number):
    of_lab, of_anna = f"/operator/accounts/{lab.pk}/", f"/operator/accounts/{anna.pk}/"
    for address, form in (
        (of_lab, {"do": "limit", "calls": number}),
        (of_lab, {"do": "prepay", "amount": number}),
        (of_lab, {"do": "faults", "plan": '{"rules": 5}'}),
        (of_anna, {"do": "values", requirements.APPROVED: number}),
        ("/operator/payouts/", {"do": "paid", "payout": number}),
        ("/operator/reports/", {"report": number}),
    ):
        assert page.post(address, form).status_code == 409, address


def test_money_entered_by_a_double_click_is_entered_once(page, lab):
    address = f"/operator/accounts/{lab.pk}/"
    for what, balance in (("prepay", 25_000), ("refund", 0)):
        form = {"do": what, "amount": "250.00", "token": token_of(page.get(address).content.decode())}
        assert [page.post(address, form).status_code for _ in range(2)] == [302, 302]
        assert ledger.balance(Book.AVAILABLE, lab) == balance


def test_what_is_owed_becomes_a_list_that_is_paid(page, lab, anna):
    paid_work(lab, anna)
    assert "$1.00" in page.get("/operator/payouts/").content.decode()
    page.post("/operator/payouts/", {"do": "make"})
    payout = PayOut.objects.get()
    assert ledger.balance(Book.EARNINGS, anna) == 0
    table = page.get(f"/operator/payouts/{payout.pk}.csv").content.decode().splitlines()
    assert table == ["worker_id,username,amount_usd,paid", f"{anna.customer_id},anna,1.00,no"]
    page.post("/operator/payouts/", {"do": "paid", "payout": payout.pk})
    payout.refresh_from_db()
    assert payout.paid_at is not None


def test_a_second_list_owes_nothing_twice(page, lab, anna):
    paid_work(lab, anna)
    page.post("/operator/payouts/", {"do": "make"})
    page.post("/operator/payouts/", {"do": "make"})
    assert [row.lines for row in PayOut.objects.order_by("pk")][1] == []


def test_a_workers_values_are_set_and_emptied(page, anna):
    address = f"/operator/accounts/{anna.pk}/"
    page.post(address, {"do": "values", requirements.APPROVED: "5000", "country": "us", "subdivision": "ca"})
    values = standing.of(anna).values
    assert values[requirements.APPROVED] == 5000
    assert values[requirements.LOCALE] == ("US", "CA")
    page.post(address, {"do": "values"})
    values = standing.of(anna).values
    assert values[requirements.APPROVED] == 0
    assert requirements.LOCALE not in values


def test_masters_hold_under_either_id(page, anna):
    page.post(f"/operator/accounts/{anna.pk}/", {"do": "values", requirements.MASTERS[0]: "1"})
    assert standing.of(anna).values[requirements.MASTERS[1]] == 1


def test_a_closed_marketplace_takes_nothing_new_but_lets_people_finish(page, client, lab, anna):
    ledger.prepay(requester=lab, cents=10_000)
    begun = working.accept(worker=anna, hit=hit_of(lab))
    waiting = hit_of(lab)
    page.post("/operator/market/", {"do": "close", "notice": "We move house."})
    with pytest.raises(Refusal, match="closed"):
        hit_of(lab)
    with pytest.raises(Refusal, match="closed"):
        working.accept(worker=anna, hit=waiting)
    working.submit(assignment=begun, answer="<a/>")
    reviewing.approve(requester=lab, assignment_id=begun.assignment_id)
    client.force_login(anna)
    assert "We move house." in client.get("/earnings/").content.decode()
    client.logout()
    assert client.get("/sign-up/").status_code == 409


def test_it_opens_again(page, lab):
    ledger.prepay(requester=lab, cents=10_000)
    page.post("/operator/market/", {"do": "close"})
    page.post("/operator/market/", {"do": "open"})
    hit_of(lab)


def test_an_invitation_lets_one_person_in(page, client, settings):
    settings.MARKETPLACE_SIGN_UP = "invitation"
    page.post("/operator/", {"role": "worker", "note": "class of 26"})
    code = Invitation.objects.get().code
    client.logout()
    form = {"username": "neo", "password": "long enough", "consent": "on"}
    assert client.post("/sign-up/", form).status_code == 400
    assert client.post("/sign-up/", {**form, "invitation": "guess"}).status_code == 400
    assert client.post("/sign-up/", {**form, "invitation": code}).status_code == 302
    client.logout()
    assert client.post("/sign-up/", {**form, "username": "two", "invitation": code}).status_code == 400
    assert set(Account.objects.filter(is_worker=True).values_list("username", flat=True)) == {"neo"}


def test_an_account_is_switched_off_but_never_ones_own(page, anna):
    page.post(f"/operator/accounts/{anna.pk}/", {"do": "roles", "is_worker": "1"})
    anna.refresh_from_db()
    assert not anna.is_active
    olga = Account.objects.get(username="olga")
    assert page.post(f"/operator/accounts/{olga.pk}/", {"do": "roles"}).status_code == 409


def test_a_report_is_read_and_closed(page, client, lab, anna):
    ledger.prepay(requester=lab, cents=10_000)
    hit = hit_of(lab)
    client.force_login(anna)
    assert client.post(f"/hits/{hit.hit_id}/report", {"reason": "nonsense"}).status_code == 409
    client.post(f"/hits/{hit.hit_id}/report", {"reason": "personal", "text": "It asks for my address"})
    client.force_login(Account.objects.get(username="olga"))
    shown = client.get("/operator/reports/").content.decode()
    assert "It asks for my address" in shown
    assert "It asks for personal data" in shown
    client.post("/operator/reports/", {"report": Report.objects.get().pk})
    assert Report.objects.get().closed_at is not None


def test_open_reports_come_before_closed_ones(page, lab, anna):
    ledger.prepay(requester=lab, cents=10_000)
    hit = hit_of(lab)
    rows = [Report.objects.create(hit=hit, worker=anna, reason="other", text=text) for text in ("first", "second")]
    page.post("/operator/reports/", {"report": rows[1].pk})
    assert [row.text for row in page.get("/operator/reports/").context["page"]] == ["first", "second"]


def test_a_fault_plan_is_set_here_and_refused_in_production(page, lab, settings):
    address = f"/operator/accounts/{lab.pk}/"
    plan = {"rules": [{"operation": "CreateHIT", "how": "500", "times": 1}]}
    page.post(address, {"do": "faults", "plan": json.dumps(plan)})
    lab.refresh_from_db()
    assert lab.fault_plan == plan
    assert page.post(address, {"do": "faults", "plan": "{"}).status_code == 409
    settings.TESTING = settings.DEBUG = settings.EMBEDDED = False
    assert not faults.allowed()
    assert page.post(address, {"do": "faults", "plan": "{}"}).status_code == 409
    assert "Faults on purpose" not in page.get(address).content.decode()


@pytest.mark.parametrize("address", ["/operator/", "/operator/payouts/", "/operator/reports/", "/operator/market/"])
def test_requesters_workers_and_strangers_stay_outside(client, lab, anna, address):
    assert client.get(address).status_code == 302
    for account in (lab, anna):
        client.force_login(account)
        assert client.get(address).status_code == 403
