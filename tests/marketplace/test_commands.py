"""Accounts made from the command line."""

import json
import re
import socket
from io import StringIO

import pytest
import requests
from django.core.management import CommandError, call_command

from annotation.marketplace.models import Account, SystemValue
from tests.services import Marketplace, free_port

pytestmark = pytest.mark.django_db


def make(*words):
    out = StringIO()
    call_command("create_requester", *words, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_a_requester_can_have_another_name_for_workers():
    assert make("lab-3f", "--display-name", "The reading lab", "--balance", "12.50")["balance"] == "12.50"
    assert Account.objects.get(username="lab-3f").display_name == "The reading lab"


def test_without_one_workers_see_the_user_name():
    make("lab")
    assert Account.objects.get(username="lab").display_name == "lab"


def test_a_name_too_long_to_be_kept_is_refused_in_words():
    with pytest.raises(CommandError, match="at most 80 characters; found 81"):
        make("lab", "--display-name", "x" * 81)


def test_the_marketplace_serves_its_pages_with_a_database_of_its_own_too(tmp_path):
    service = Marketplace(tmp_path, MARKETPLACE_DATABASE_URL=f"sqlite:///{tmp_path}/apart.sqlite3")
    try:
        page = requests.get(f"{service.endpoint}/sign-up/", timeout=30)
        assert page.status_code == 200
        style = re.search(r'href="(/static/marketplace/marketplace\.[0-9a-f]{12}\.css)"', page.text)[1]
        assert requests.get(service.endpoint + style, timeout=30).status_code == 200
    finally:
        service.stop()


@pytest.mark.parametrize("country", ["Germany", "D", "D1", "ÄÖ", ""])
def test_a_country_is_two_letters(country):
    with pytest.raises(CommandError, match="expected the two letters of a country, such as DE, found"):
        call_command("create_worker", "anna", "--password", "long enough", "--country", country)
    assert not Account.objects.exists()


def test_a_worker_s_country_is_kept_in_capitals():
    call_command("create_worker", "anna", "--password", "long enough", "--country", "de")
    assert SystemValue.objects.get(worker__username="anna").country == "DE"


@pytest.mark.parametrize(
    "words",
    [
        ["create_worker", "{}", "--password", "long enough"],
        ["create_operator", "{}"],
        ["create_requester", "{}"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("name", ["", "an", "anna b", "x" * 65, "anna\n"])
def test_a_name_that_nobody_could_sign_up_with_is_refused(words, name):
    with pytest.raises(CommandError, match="expected 3 to 64 letters, digits"):
        call_command(*[word.format(name) for word in words])
    assert not Account.objects.exists()


def test_names_are_taken_once_whatever_their_capitals():
    make("lab")
    with pytest.raises(CommandError, match="There is an account 'Lab' already"):
        make("Lab")
    call_command("create_operator", "LAB")
    assert Account.objects.get().is_operator


def test_a_name_is_kept_as_signing_in_reads_it():
    for _ in range(2):
        call_command("create_worker", "ﬁona", "--password", "long enough", stdout=StringIO())
    assert Account.objects.get().username == "fiona"


def test_the_largest_balance_is_kept_to_the_cent():
    assert make("lab", "--balance", "10000000000.00")["balance"] == "10000000000.00"


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("192.0.2.1", "Nothing can be served on 192.0.2.1"),
        ("x" * 70, "nothing is called"),
    ],
)
def test_an_address_that_is_not_this_machine_s_is_told_from_one_that_is_taken(host, said, monkeypatch, settings):
    monkeypatch.setenv("MARKETPLACE_PUBLIC_URL", settings.MARKETPLACE_PUBLIC_URL)
    monkeypatch.setenv("ALLOWED_HOSTS", "localhost")
    monkeypatch.setenv("CROWDWRIGHT_HOME", str(settings.HOME))
    with pytest.raises(CommandError, match=said):
        call_command("marketplace", "--host", host, "--port", str(free_port()))


def test_every_address_of_a_machine_needs_the_one_that_people_use(monkeypatch, settings):
    monkeypatch.delenv("MARKETPLACE_PUBLIC_URL", raising=False)
    with pytest.raises(CommandError, match="Say by which of them people reach it"):
        call_command("marketplace", "--host", "0.0.0.0")


def test_behind_a_proxy_with_https_the_marketplace_is_ready_and_answers_to_its_public_name(tmp_path):
    service = Marketplace(tmp_path, HTTPS="true", MARKETPLACE_PUBLIC_URL="https://market.example/")
    try:
        through = {"Host": "market.example", "X-Forwarded-Proto": "https"}
        page = requests.get(f"{service.endpoint}/sign-up/", headers=through, timeout=30)
        assert page.status_code == 200
    finally:
        service.stop()


def test_a_taken_port_is_told(monkeypatch, settings):
    monkeypatch.setenv("MARKETPLACE_PUBLIC_URL", settings.MARKETPLACE_PUBLIC_URL)
    monkeypatch.setenv("ALLOWED_HOSTS", "localhost")
    monkeypatch.setenv("CROWDWRIGHT_HOME", str(settings.HOME))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"Port {port} on 127.0.0.1 is taken"):
            call_command("marketplace", "--port", str(port))
