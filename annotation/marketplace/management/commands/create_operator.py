"""Make the account of whoever runs this marketplace."""

import secrets
from argparse import ArgumentParser

from annotation.command import Command as BaseCommand
from annotation.marketplace.commanding import account_called, user_name
from annotation.marketplace.models import Account


class Command(BaseCommand):
    help = "Make an operator account, or set the password of the one there is."
    example = "./crowdwright create-operator olga"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who."""
        parser.add_argument("username", type=user_name, help="What they sign in with.")
        parser.add_argument("--password", default="", help="Made up and printed when left out.")

    def handle(self, *, username: str, password: str, **options: object) -> None:
        """Make or update the account."""
        password = password or secrets.token_urlsafe(12)
        account = account_called(username) or Account.objects.create_user(username)
        account.set_password(password)
        account.is_operator = True
        account.save()
        made = {"operator": account.username, "password": password}
        self.report(made, f"operator {account.username}, password {password}")
