"""`replay`: a published dataset through the whole service."""

import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import requests
from django.conf import settings
from django.core.management.base import CommandError

from annotation.command import Command as BaseCommand
from annotation.command import whole_number
from annotation.projects.actions import Refused
from annotation.simulation import services
from annotation.simulation.browser import Unexpected
from annotation.simulation.management.commands.simulate import Sign
from annotation.simulation.offering import NotOffered
from annotation.simulation.replaying import Replayed, Replayer, module_of
from annotation.simulation.run import NotRunning, Unfinished, require_running
from tasks.simulation import NoSimulation

SHOWN = 20
PROBLEMS = (NotOffered, NotRunning, Unexpected, Unfinished, Refused, requests.RequestException)


class Command(BaseCommand):
    help = "Bring a published dataset out again: workers give its answers, an expert restores its wording."
    example = "./crowdwright replay arc-da --limit 100"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dataset", help="The dataset's folder in tasks/, e.g. arc-da.")
        parser.add_argument("--limit", type=whole_number(1), help="Only so many of the published questions.")
        parser.add_argument(
            "--whole",
            action="store_true",
            help="All that was published; where its sources are not public, stand-ins are made.",
        )
        parser.add_argument(
            "--data",
            type=Path,
            default=settings.BASE_DIR.parent / "shared" / "data",
            metavar="FOLDER",
            help="Where the published data lies (shared/data beside the clone); see docs/replays.md.",
        )
        parser.add_argument(
            "--running", action="store_true", help="Use the services that run here, not temporary ones on own ports."
        )
        parser.add_argument("--keep", type=Path, help="A folder to keep the temporary services' state in.")

    def handle(self, **options: Any) -> None:
        self._require_data(options)
        if options["running"]:
            self._replay(options)
        elif options["keep"]:
            self._with_temporary_services(options["keep"].resolve(), options)
        else:
            with tempfile.TemporaryDirectory(prefix="crowdwright-replay-") as folder:
                self._with_temporary_services(Path(folder), options)

    def _require_data(self, options: dict[str, Any]) -> None:
        """Before anything is started for it: there is such a replay, and what it reads is there."""
        try:
            module = module_of(options["dataset"], whole=options["whole"])
        except NoSimulation as problem:
            raise CommandError(str(problem)) from problem
        try:
            with tempfile.TemporaryDirectory(prefix="crowdwright-replay-") as folder:
                module.prepare(options["data"], Path(folder), limit=1)
        except FileNotFoundError as missing:
            raise CommandError(
                f"The published data is not there: {missing.filename}. In the folder {options['data']}, "
                f"{module.DOWNLOADS}. Name another folder with --data; docs/replays.md has the commands."
            ) from missing

    def _with_temporary_services(self, home: Path, options: dict[str, Any]) -> None:
        """The same command again, in the environment of services that live as long as it does."""
        self.say("starting temporary services …")
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "replay", options["dataset"], "--running"]
        command += ["--data", str(options["data"])]
        command += ["--limit", str(options["limit"])] if options["limit"] else []
        command += ["--whole"] if options["whole"] else []
        command += ["--json"] if self.as_json else []
        try:
            with services.temporary(home) as environment:
                ended = subprocess.run(command, env=environment, check=False)  # noqa: S603 - our own command line
        except services.NotStarted as problem:
            raise CommandError(str(problem)) from problem
        if ended.returncode:
            # What went wrong stands above, in the words of the inner command.
            raise SystemExit(ended.returncode)

    def _replay(self, options: dict[str, Any]) -> None:
        sign = Sign(self)
        try:
            require_running()
            replayer = Replayer(
                dataset=options["dataset"],
                data=options["data"],
                folder=settings.HOME / "replay",
                limit=options["limit"],
                whole=options["whole"],
                say=self.say,
                handed_in=sign.handed_in,
                decided=sign.decided,
            )
            found = replayer.go()
        except (NoSimulation, *PROBLEMS) as problem:
            raise CommandError(str(problem)) from problem
        self.report(found.as_dict(), told(found))
        if found.differences:
            raise SystemExit(1)


def told(found: Replayed) -> str:
    """A replay for people: whether all came out, how long it took, what is different."""
    splits = ", ".join(f"{split} {count:,}" for split, count in found.released.items())
    total = found.as_dict()["seconds"]["total"]
    lines = [
        f"{found.items:,} questions, {found.as_dict()['answers']:,} answers, {found.assignments:,} assignments "
        f"({found.assignments_per_second} a second)",
        f"released: {splits}",
        f"time: {total:.0f} s",
    ]
    if not found.differences:
        return "\n".join([*lines, "The release equals the published data, record by record."])
    more = len(found.differences) - SHOWN
    lines += [f"{len(found.differences):,} differences:", *found.differences[:SHOWN]]
    return "\n".join([*lines, f"… and {more:,} more"] if more > 0 else lines)
