"""Make a worker's account, or find the one there is."""

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from annotation.marketplace import clock, requirements
from annotation.marketplace.models import Account, SystemValue


class Command(BaseCommand):
    """Example: ./manage.py create_worker anna --password secret --json"""

    help = (
        "Make a worker account, or set the password of the one there is. Example: create_worker anna --password secret"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and what the marketplace knows of them."""
        parser.add_argument("username")
        parser.add_argument("--password", required=True)
        parser.add_argument("--country", default="", help="two letters, for Worker_Locale")
        parser.add_argument("--json", action="store_true", help="print one line of JSON")

    def handle(self, *args: object, **options: object) -> None:
        """Make or update the account."""
        name = options["username"]
        account = Account.objects.filter(username=name).first()
        if account is None:
            account = Account.objects.create_user(name, options["password"], is_worker=True, consented_at=clock.now())
        else:
            account.set_password(options["password"])
            account.is_worker = True
            account.save()
        if options["country"]:
            SystemValue.objects.update_or_create(
                worker=account,
                qualification_type_id=requirements.LOCALE,
                defaults={"country": options["country"].upper()},
            )
        made = {"username": name, "worker_id": account.customer_id}
        self.stdout.write(json.dumps(made) if options["json"] else f"worker {name}: {account.customer_id}")
