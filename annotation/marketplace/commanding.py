"""What the commands about accounts share: names and countries as people type them, and whose account it is."""

import re
from argparse import ArgumentTypeError

from annotation.marketplace.models import Account

# As the page for signing up takes them.
USER_NAME = re.compile(r"[\w.@+-]{3,64}")
COUNTRY = re.compile(r"[A-Za-z]{2}")
# Dollars that a requester may begin with.
MOST_BALANCE = 10_000_000_000


def user_name(text: str) -> str:
    """The type of an argument that names an account; letters that look alike are one, as for signing in."""
    name = Account.normalize_username(text)
    if not USER_NAME.fullmatch(name):
        raise ArgumentTypeError(f"expected 3 to 64 letters, digits or . _ @ + -, found {text!r}")
    return name


def country(text: str) -> str:
    """The type of an argument that is a country; gives its two capitals."""
    if not COUNTRY.fullmatch(text):
        raise ArgumentTypeError(f"expected the two letters of a country, such as DE, found {text!r}")
    return text.upper()


def account_called(name: str) -> Account | None:
    """The account of that name, whatever its capitals: names are taken once."""
    return Account.objects.filter(username=name).first() or Account.objects.filter(username__iexact=name).first()
