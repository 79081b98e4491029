"""Make a worker's account, or find the one there is."""

from argparse import ArgumentParser

from annotation.command import Command as BaseCommand
from annotation.marketplace import clock, requirements
from annotation.marketplace.commanding import account_called, country, user_name
from annotation.marketplace.models import Account, SystemValue


class Command(BaseCommand):
    help = "Make a worker account, or set the password of the one there is."
    example = "./crowdwright create-worker anna --password 'a long one' --country DE"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and what the marketplace knows of them."""
        parser.add_argument("username", type=user_name, help="What they sign in with; requesters never see it.")
        parser.add_argument("--password", required=True, help="What they sign in with, too.")
        parser.add_argument("--country", type=country, help="Two letters, such as DE: some work is for some countries.")

    def handle(self, *, username: str, password: str, country: str | None, **options: object) -> None:
        """Make or update the account."""
        account = account_called(username)
        if account is None:
            account = Account.objects.create_user(username, password, is_worker=True, consented_at=clock.now())
        else:
            account.set_password(password)
            account.is_worker = True
            account.save()
        if country:
            SystemValue.objects.update_or_create(
                worker=account, qualification_type_id=requirements.LOCALE, defaults={"country": country}
            )
        made = {"username": account.username, "worker_id": account.customer_id}
        self.report(made, f"worker {account.username}: {account.customer_id}")
