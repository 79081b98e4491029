"""Make a requester's account with a prepaid balance and an access key."""

import secrets
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db import transaction

from annotation.command import Command as BaseCommand
from annotation.command import amount
from annotation.marketplace import keys, ledger
from annotation.marketplace.commanding import MOST_BALANCE, account_called, user_name
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


class Command(BaseCommand):
    help = "Make a requester account and print its access key (shown once)."
    example = "./crowdwright create-requester lab --display-name 'The reading lab' --balance 250.00 --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name and money."""
        parser.add_argument("name", type=user_name, help="What they sign in with.")
        parser.add_argument("--display-name", default="", help="The name that workers see (default: the user name).")
        parser.add_argument(
            "--balance", type=amount(MOST_BALANCE), default="10000.00", help="Prepaid US dollars (default 10000.00)."
        )

    def handle(self, *, name: str, display_name: str, balance: int, **options: object) -> None:
        """Make the account."""
        if account_called(name):
            raise CommandError(f"There is an account {name!r} already; its secret key cannot be shown again.")
        if len(display_name) > 80:
            raise CommandError(f"--display-name takes at most 80 characters; found {len(display_name)}.")
        made = make_requester(name=name, balance_cents=balance, display_name=display_name.strip())
        self.report(made, "\n".join(f"{key}: {value}" for key, value in made.items()))
