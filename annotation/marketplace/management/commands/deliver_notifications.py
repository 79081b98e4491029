"""Send what waits in the outbox of notifications."""

import time
from argparse import ArgumentParser

from annotation.command import Command as BaseCommand
from annotation.command import whole_number
from annotation.marketplace import delivering


class Command(BaseCommand):
    help = "Send notifications that are due, once or for ever."
    example = "./crowdwright deliver-notifications --forever"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Once or for ever."""
        parser.add_argument("--forever", action="store_true", help="Look again every few seconds until stopped.")
        parser.add_argument(
            "--every", type=whole_number(1, 3_600), default=2, help="Seconds between two looks (default 2)."
        )

    def handle(self, *, forever: bool, every: int, **options: object) -> None:
        """Deliver."""
        try:
            while True:
                sent = delivering.deliver_due()
                if not forever:
                    self.report({"delivered": sent}, f"{sent} delivered")
                    return
                if not sent:
                    time.sleep(every)
        except KeyboardInterrupt:
            return
