"""Make a requester's account with a prepaid balance and an access key."""

import json
import secrets
from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation.marketplace import keys, ledger
from annotation.marketplace.models import Account


@transaction.atomic
def make_requester(*, name: str, balance_cents: int, display_name: str = "") -> dict:
    """A new requester, what is needed to sign calls as them, and a password for the requester's pages."""
    password = secrets.token_urlsafe(12)
    account = Account.objects.create_user(name, password, is_requester=True, display_name=display_name)
    if balance_cents:
        ledger.prepay(requester=account, cents=balance_cents, note="at creation")
    key = keys.create_key(account=account)
    return {
        "requester": account.username,
        "requester_id": account.customer_id,
        "password": password,
        "access_key_id": key.access_key_id,
        "secret_access_key": key.secret_access_key,
        "balance": ledger.dollars(balance_cents),
    }


def cents(amount: str) -> int:
    """Dollars as typed, in cents."""
    try:
        value = Decimal(amount)
    except InvalidOperation as error:
        raise CommandError(f"--balance must be an amount such as 10000.00; found {amount!r}.") from error
    if not 0 <= value <= Decimal("1e10"):
        raise CommandError(f"--balance must be between 0 and ten billion; found {amount}.")
    return int(value * 100)


class Command(BaseCommand):
    """Example: ./manage.py create_requester lab --balance 250.00 --json"""

    help = "Make a requester account and print its access key (shown once). Example: create_requester lab --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name, money, form of the answer."""
        parser.add_argument("name", help="user name")
        parser.add_argument("--display-name", default="", help="the name that workers see (default: the user name)")
        parser.add_argument("--balance", default="10000.00", help="prepaid US dollars (default 10000.00)")
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: object, **options: object) -> None:
        """Make the account."""
        name = options["name"]
        if Account.objects.filter(username=name).exists():
            raise CommandError(f"There is an account {name!r} already; its secret key cannot be shown again.")
        if len(options["display_name"]) > 80:
            raise CommandError(f"--display-name takes at most 80 characters; found {len(options['display_name'])}.")
        made = make_requester(
            name=name, balance_cents=cents(options["balance"]), display_name=options["display_name"].strip()
        )
        if options["json"]:
            self.stdout.write(json.dumps(made))
            return
        for key, value in made.items():
            self.stdout.write(f"{key}: {value}")
