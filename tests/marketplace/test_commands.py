"""Accounts made from the command line."""

import json
import re
from io import StringIO

import pytest
import requests
from django.core.management import CommandError, call_command

from annotation.marketplace.models import Account
from tests.services import Marketplace

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
