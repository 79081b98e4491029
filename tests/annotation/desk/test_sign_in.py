import pytest
from django.test import Client

from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana():
    return make_user("ana")


def sign_in(client, password="secret", **fields):
    return client.post("/sign-in/", {"username": "ana", "password": password, **fields})


def test_the_right_password_leads_to_ones_projects(client, ana):
    response = sign_in(client)
    assert (response.status_code, response.url) == (302, "/")
    assert "No projects yet" in client.get("/").content.decode()


def test_a_wrong_password_is_said_without_saying_which_part_was_wrong(client, ana):
    response = sign_in(client, "guess")
    assert response.status_code == 200
    assert "do not go together" in response.content.decode()
    unknown = client.post("/sign-in/", {"username": "nobody", "password": "guess"}).content.decode()
    assert "do not go together" in unknown


def test_the_way_leads_back_to_where_one_wanted_to_be_but_never_off_the_site(client, ana):
    assert client.get("/account/").url == "/sign-in/?next=/account/"
    assert sign_in(client, next="/account/").url == "/account/"
    assert sign_in(Client(), next="https://example.org/").url == "/"


def test_signing_out_takes_a_post(client, ana):
    sign_in(client)
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/").url == "/sign-in/"
    assert client.get("/").status_code == 302


def test_after_ten_failed_tries_even_the_right_password_is_refused(client, ana):
    for _ in range(10):
        sign_in(client, "guess")
    response = sign_in(client)
    assert response.status_code == 429
    assert "Locked for a while" in response.content.decode()
    assert "15 minutes" in response.content.decode()


def test_behind_a_proxy_it_is_the_guesser_who_is_locked_out(client, ana, settings):
    settings.TRUSTED_PROXIES = 1
    for number in range(10):
        # What a stranger writes into the header stands before what our proxy adds.
        sign_in(Client(headers={"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.9"}), "guess")
    assert sign_in(Client(headers={"X-Forwarded-For": "192.0.2.1, 203.0.113.9"})).status_code == 429
    assert sign_in(Client(headers={"X-Forwarded-For": "192.0.2.1"})).status_code == 302


def test_without_a_proxy_nobody_chooses_their_own_address(client, ana):
    for number in range(10):
        sign_in(Client(headers={"X-Forwarded-For": f"198.51.100.{number}"}), "guess")
    assert sign_in(Client(headers={"X-Forwarded-For": "192.0.2.1"})).status_code == 429


def test_a_changed_password_keeps_one_signed_in(client, ana):
    sign_in(client)
    wrong = client.post("/account/password/", {"old_password": "no", "new_password1": "x", "new_password2": "y"})
    assert wrong.status_code == 422
    good = {"old_password": "secret", "new_password1": "gravity-waves-9", "new_password2": "gravity-waves-9"}
    assert client.post("/account/password/", good).status_code == 302
    assert client.get("/account/").status_code == 200
    assert sign_in(Client(), "gravity-waves-9").status_code == 302
