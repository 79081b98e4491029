"""Workers' pages: signing up and in, finding, history, messages."""

import pytest

from annotation.marketplace import (
    finding,
    ledger,
    messaging,
    publishing,
    registering,
    requirements,
    reviewing,
    standing,
    working,
)
from annotation.marketplace.models import Account
from tests.marketplace.people import EXTERNAL


@pytest.fixture
def lab(db):
    account = Account.objects.create_user("lab", is_requester=True, display_name="Reading Lab")
    ledger.prepay(requester=account, cents=100_000)
    return account


@pytest.fixture
def anna(db):
    return Account.objects.create_user("anna", "long enough", is_worker=True)


@pytest.fixture
def page(client, anna):
    client.force_login(anna)
    return client


def hit_of(lab, title="Explain", cents=100, description="d", **changes):
    values = registering.TypeValues(title, description, "science", cents, 600, 86_400, [])
    kind = registering.register_type(requester=lab, values=values)
    return publishing.create_hit(requester=lab, hit_type=kind, question=EXTERNAL, lifetime=3600, **changes)


def titles(response):
    return [group.hit_type.title for group in response.context["page"]]


def test_a_new_worker_signs_up_and_sees_the_work(client, lab):
    hit_of(lab)
    form = {"username": "neo", "password": "long enough", "country": "de", "consent": "on"}
    answer = client.post("/sign-up/", form, follow=True)
    assert answer.redirect_chain[-1][0] == "/hits/"
    assert "Explain" in answer.content.decode()
    neo = Account.objects.get(username="neo")
    assert neo.consented_at is not None
    assert neo.customer_id.startswith("A")
    assert standing.of(neo).values[requirements.LOCALE] == ("DE", "")


@pytest.mark.parametrize(
    "changes",
    [{"consent": ""}, {"password": "short"}, {"username": "a b"}, {"username": "ANNA"}, {"country": "Germany"}],
)
def test_a_form_that_is_not_right_comes_back_with_the_reason(client, anna, changes):
    form = {"username": "neo", "password": "long enough", "country": "", "consent": "on"} | changes
    answer = client.post("/sign-up/", form)
    assert answer.status_code == 400
    assert 'class="errors"' in answer.content.decode()
    assert Account.objects.count() == 1


def test_the_door_shuts_for_a_quarter_of_an_hour_after_ten_wrong_passwords(client, anna, clock):
    from django.core.cache import cache

    wrong = {"username": "anna", "password": "wrong"}
    assert [client.post("/sign-in/", wrong).status_code for _ in range(10)] == [400] * 10
    right = {"username": "anna", "password": "long enough"}
    cache.clear()  # not in this process's memory: another one says the same
    assert client.post("/sign-in/", right).status_code == 429
    clock.advance(minutes=15)
    assert client.post("/sign-in/", right).status_code == 302


@pytest.mark.parametrize("spelled", ["ＡＮＮＡ", "ａnna", " Anna", "\u00a0anna ", "ANNA"])
def test_another_spelling_of_a_name_has_no_tries_of_its_own(client, anna, spelled):
    for _ in range(10):
        client.post("/sign-in/", {"username": "anna", "password": "wrong"})
    assert client.post("/sign-in/", {"username": spelled, "password": "long enough"}).status_code == 429


def test_nobody_shuts_the_door_of_somebody_elsewhere(client, anna):
    for _ in range(11):
        client.post("/sign-in/", {"username": "anna", "password": "wrong"}, REMOTE_ADDR="192.0.2.7")
    right = {"username": "anna", "password": "long enough"}
    assert client.post("/sign-in/", right, REMOTE_ADDR="192.0.2.7").status_code == 429
    assert client.post("/sign-in/", right, REMOTE_ADDR="192.0.2.8").status_code == 302


@pytest.mark.parametrize("name", ["ﬁona", "ａnna", "Jose\u0301"])
def test_who_signs_up_with_any_spelling_can_sign_in_with_it(client, db, name):
    form = {"username": name, "password": "long enough", "consent": "on"}
    assert client.post("/sign-up/", form).status_code == 302
    client.logout()
    assert client.post("/sign-in/", {"username": name, "password": "long enough"}).status_code == 302
    client.logout()
    assert client.post("/sign-up/", form).status_code == 400
    made = Account.objects.create_user(name + "2", "long enough", is_worker=True)
    assert client.post("/sign-in/", {"username": made.username, "password": "long enough"}).status_code == 302


def test_the_right_password_forgets_the_wrong_ones(client, anna):
    for _ in range(2):
        for _ in range(9):
            client.post("/sign-in/", {"username": "anna", "password": "wrong"})
        assert client.post("/sign-in/", {"username": "anna", "password": "long enough"}).status_code == 302
        client.logout()


def test_work_is_found_by_words_pay_and_order(page, lab):
    hit_of(lab, "Explain", 50)
    hit_of(lab, "Write", 200, description="about planets")
    hit_of(lab, "Judge", 100)
    assert titles(page.get("/hits/?q=planets")) == ["Write"]
    assert titles(page.get("/hits/?q=reading+lab&order=pay")) == ["Write", "Judge", "Explain"]
    assert titles(page.get("/hits/?pay=1.00&order=pay")) == ["Write", "Judge"]
    assert titles(page.get("/hits/?q=nothing")) == []


def test_who_loses_the_last_place_of_a_hit_gets_the_next_of_its_group(page, lab, anna, monkeypatch):
    first, second = hit_of(lab), hit_of(lab)
    bob = Account.objects.create_user("bob", is_worker=True)
    look = finding.next_pk

    def look_while_bob_is_quicker(worker, hit_type):
        found = look(worker, hit_type)
        if found == first.pk:
            working.accept(worker=bob, hit=first)
        return found

    monkeypatch.setattr(finding, "next_pk", look_while_bob_is_quicker)
    page.post(f"/groups/{first.hit_type.group_id}/accept")
    assert anna.assignments.get().hit == second


def test_the_hourly_pay_comes_from_real_times(page, lab, clock):
    for number in range(5):
        worker = Account.objects.create_user(f"w{number}", is_worker=True)
        with clock.frozen():
            assignment = working.accept(worker=worker, hit=hit_of(lab, cents=60))
            clock.advance(seconds=120)
            working.submit(assignment=assignment, answer="<a/>")
    hit_of(lab, cents=60)
    text = page.get("/hits/").content.decode()
    assert "2 minutes" in text
    assert "$18.00" in text


def test_done_work_is_not_offered_again(page, lab, anna):
    hit = hit_of(lab, max_assignments=3)
    working.submit(assignment=working.accept(worker=anna, hit=hit), answer="<a/>")
    assert titles(page.get("/hits/")) == []
    assert page.post(f"/groups/{hit.hit_type.group_id}/accept").status_code == 409


def test_skipping_shows_the_next_hit_of_the_group(page, lab):
    first, second = hit_of(lab), hit_of(lab)
    address = f"/groups/{first.hit_type.group_id}/preview"
    assert page.get(address).context["hit"] == first
    assert page.get(f"{address}?after={first.hit_id}").context["hit"] == second
    assert page.get(f"{address}?after={second.hit_id}").context["hit"] == first


def test_the_old_address_of_a_group_leads_to_its_preview(page, lab):
    group_id = hit_of(lab).hit_type.group_id
    assert page.get(f"/mturk/preview?groupId={group_id}").url == f"/groups/{group_id}/preview"


def test_going_on_by_itself_is_a_choice_kept(page, lab, anna):
    first = hit_of(lab)
    hit_of(lab)
    page.post(f"/hits/{first.hit_id}/accept", {"auto_accept_shown": "1", "accepts_next": "1"})
    anna.refresh_from_db()
    assert anna.accepts_next
    assignment = anna.assignments.get()
    text = page.get(f"/assignments/{assignment.assignment_id}/").content.decode()
    assert 'id="accept-next"' in text


def test_the_state_of_ones_work_is_told_to_the_page_and_to_nobody_else(page, client, lab, anna):
    assignment = working.accept(worker=anna, hit=hit_of(lab))
    address = f"/assignments/{assignment.assignment_id}/state"
    state = page.get(address).json()
    assert state["status"] == "Accepted"
    assert 590 <= state["seconds_left"] <= 600
    client.force_login(Account.objects.create_user("ben", is_worker=True))
    assert client.get(address).status_code == 404


def test_history_tells_status_feedback_and_pay_and_as_csv_runs_no_formula(page, lab, anna):
    hit = hit_of(lab)
    assignment = working.accept(worker=anna, hit=hit)
    working.submit(assignment=assignment, answer="<a/>")
    reviewing.approve(requester=lab, assignment_id=assignment.assignment_id, feedback="=HYPERLINK(1)")
    text = page.get("/history/").content.decode()
    assert 'data-status="Approved"' in text
    assert "$1.00" in text
    assert titles_of_rows(page.get("/history/?status=Rejected")) == 0
    assert "'=HYPERLINK(1)" in page.get("/history.csv").content.decode()


def titles_of_rows(response):
    return response.content.decode().count("data-assignment=")


def test_a_worker_and_a_requester_write_to_each_other(page, client, lab, anna):
    hit = hit_of(lab)
    page.post(f"/hits/{hit.hit_id}/contact", {"body": "Is ice a rock?"})
    client.force_login(lab)
    text = client.get("/messages/").content.decode()
    assert "Is ice a rock?" in text
    assert anna.customer_id in text
    assert "anna" not in text
    client.post(f"/messages/{lab.messages.get().pk}/reply", {"body": "In a way."})
    client.force_login(anna)
    assert "Messages (1 new)" in client.get("/hits/").content.decode()
    assert "In a way." in client.get("/messages/").content.decode()
    assert "Messages (1 new)" not in client.get("/hits/").content.decode()


def test_nobody_answers_anothers_message(client, lab, anna):
    message = messaging.send(sender=lab, recipient=anna, subject="s", body="b")
    client.force_login(Account.objects.create_user("ben", is_worker=True))
    assert client.post(f"/messages/{message.pk}/reply", {"body": "x"}).status_code == 404


def test_an_answer_has_a_page_to_come_back_to(page, client, lab, anna):
    message = messaging.send(sender=lab, recipient=anna, subject="About ice", body="Is it a rock?")
    address = f"/messages/{message.pk}/reply"
    text = page.get(address).content.decode()
    assert "About ice" in text
    assert "Is it a rock?" in text
    assert page.post(address, {"body": " "}).status_code == 400
    client.logout()
    text = "An answer that took a while to write."
    came_from = {"Referer": "http://testserver/messages/?page=2"}
    answer = client.post(address, {"body": text}, headers=came_from)
    assert answer.status_code == 401
    assert text in answer.content.decode()
    assert "?next=/messages/%3Fpage%3D2" in answer.content.decode()
    assert lab.messages.count() == 0


def test_who_was_signed_out_comes_back_to_the_page_of_the_form_and_nowhere_else(client, anna):
    for referer, back in (("http://testserver/hits/?q=a", "/hits/%3Fq%3Da"), ("http://evil.example/x", "/"), ("", "/")):
        answer = client.post("/hits/3A/accept", headers={"Referer": referer})
        assert answer.url == f"/sign-in/?next={back}"


def test_no_password_is_shown_to_whoever_sits_there_next(client, anna):
    secret = "correct horse battery staple"
    answer = client.post("/profile/", {"old": secret, "password": secret})
    assert answer.status_code == 302
    assert secret not in answer.content.decode()


def test_what_no_answer_of_the_api_can_hold_is_left_out_of_what_is_typed(page, lab, anna):
    assignment = working.accept(worker=anna, hit=hit_of(lab))
    reason = {"reason": "too\x0blong\x00 \x1ffor me\ufffe, sorry"}
    page.post(f"/assignments/{assignment.assignment_id}/return", reason)
    assignment.refresh_from_db()
    assert assignment.return_reason == "toolong for me, sorry"
    for address in ("/hits/?q=a%00b", "/messages/?page=%00", "/profile/?x=%0b"):
        assert page.get(address).status_code == 200
    message = messaging.send(sender=lab, recipient=anna, subject="s", body="b")
    assert page.post(f"/messages/{message.pk}/reply", {"body": "Yes\x00."}).status_code == 302
    assert lab.messages.get().body == "Yes."


def test_a_new_country_has_no_part_of_the_old_one(page, anna):
    anna.system_values.create(qualification_type_id=requirements.LOCALE, country="US", subdivision="CA")
    page.post("/profile/", {"country": "us"})
    assert standing.of(anna).values[requirements.LOCALE] == ("US", "CA")
    page.post("/profile/", {"country": "fr"})
    assert standing.of(anna).values[requirements.LOCALE] == ("FR", "")


def test_a_profile_is_changed(page, anna):
    page.post("/profile/", {"country": "fr", "adult": "1", "accepts_next": "1"})
    values = standing.of(anna).values
    assert values[requirements.LOCALE] == ("FR", "")
    assert values[requirements.ADULT] == 1
    page.post("/profile/", {"country": ""})
    assert requirements.LOCALE not in standing.of(anna).values
    page.post("/profile/", {"old": "wrong", "password": "another one"})
    anna.refresh_from_db()
    assert anna.check_password("long enough")
    page.post("/profile/", {"old": "long enough", "password": "another one"})
    anna.refresh_from_db()
    assert anna.check_password("another one")


def test_only_the_frames_pages_may_be_framed(page, lab):
    hit = hit_of(lab)
    for address in ("/hits/", f"/groups/{hit.hit_type.group_id}/preview", "/history/", "/profile/"):
        response = page.get(address)
        assert response["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    framed = page.post("/mturk/externalSubmit", {"assignmentId": "3X", "a": "b"})
    assert framed["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in framed["Content-Security-Policy"]


def test_what_was_typed_after_the_session_ended_comes_back(client, lab):
    hit = hit_of(lab)
    text = "My long question about <ice> and water"
    answer = client.post(f"/hits/{hit.hit_id}/contact", {"body": text})
    assert answer.status_code == 401
    assert "My long question about &lt;ice&gt; and water" in answer.content.decode()
