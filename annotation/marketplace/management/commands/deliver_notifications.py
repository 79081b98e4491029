"""Send what waits in the outbox of notifications."""

import time
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from annotation.marketplace import delivering


class Command(BaseCommand):
    """Example: ./manage.py deliver_notifications --forever"""

    help = "Send notifications that are due, once or for ever. Example: deliver_notifications --forever"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Once or for ever."""
        parser.add_argument("--forever", action="store_true", help="look again every few seconds until stopped")
        parser.add_argument("--every", type=float, default=2.0, help="seconds between two looks")

    def handle(self, *args: object, **options: object) -> None:
        """Deliver."""
        try:
            while True:
                sent = delivering.deliver_due()
                if not options["forever"]:
                    self.stdout.write(f"{sent} delivered")
                    return
                if not sent:
                    time.sleep(options["every"])
        except KeyboardInterrupt:
            return
