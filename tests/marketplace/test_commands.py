"""Accounts made from the command line."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.marketplace.models import Account

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
