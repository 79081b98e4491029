"""Make the account of whoever runs this marketplace."""

import json
import secrets
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from annotation.marketplace.models import Account


class Command(BaseCommand):
    """Example: ./manage.py create_operator olga --password secret"""

    help = "Make an operator account, or set the password of the one there is. Example: create_operator olga"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who."""
        parser.add_argument("username")
        parser.add_argument("--password", default="", help="made up and printed when left out")
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: object, **options: object) -> None:
        """Make or update the account."""
        name, password = options["username"], options["password"] or secrets.token_urlsafe(12)
        account = Account.objects.filter(username=name).first() or Account.objects.create_user(name)
        account.set_password(password)
        account.is_operator = True
        account.save()
        made = {"operator": name, "password": password}
        self.stdout.write(json.dumps(made) if options["json"] else f"operator {name}, password {password}")
