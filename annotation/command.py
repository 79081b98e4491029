"""What all our commands share: an example in `--help`, `--json`, progress on a terminal, exit code 1 on failure.

A command subclasses `Command`, sets `help` and `example`, and ends its `handle` with
`self.report(result, text)`: the result as JSON with `--json`, else the text. What went wrong is a
`CommandError` that says what was expected and what was found.
"""

import json
import time
from argparse import SUPPRESS, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, TypeVar

from django.core.management.base import BaseCommand, CommandParser, DjangoHelpFormatter

Thing = TypeVar("Thing")
SECONDS_BETWEEN_SIGNS = 0.1


class ExampleFormatter(RawDescriptionHelpFormatter, DjangoHelpFormatter):
    """Django's help, with the line breaks of description and example left as they are."""


class Command(BaseCommand):
    """Base of every command of the service."""

    example: ClassVar[str] = ""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        if self.example:
            kwargs.setdefault("epilog", f"example:\n  {self.example.strip()}")
        kwargs.setdefault("formatter_class", ExampleFormatter)
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument("--json", action="store_true", help="Print the result as one JSON value.")
        for action in parser._actions:
            # `score arc-da --json`: what stands behind a subcommand is read by the subcommand's own parser.
            if isinstance(action, _SubParsersAction):
                for inner in dict.fromkeys(action.choices.values()):
                    inner.add_argument("--json", action="store_true", default=SUPPRESS, help="The same as before it.")
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.as_json = options.get("json", False)
        return super().execute(*args, **options)

    def report(self, result: Any, text: str = "") -> None:
        """Print the result once: as JSON with `--json`, otherwise the text for people."""
        self.stdout.write(json.dumps(result, ensure_ascii=False, indent=2) if self.as_json else text)

    def progress(self, things: Iterable[Thing], *, total: int | None = None, label: str = "") -> Iterator[Thing]:
        """The same things, with a count on a terminal's error stream while they pass."""
        if total is None and hasattr(things, "__len__"):
            total = len(things)
        shown = bool(getattr(self.stderr, "isatty", lambda: False)())
        last = 0.0
        count = 0
        for thing in things:
            yield thing
            count += 1
            if shown and time.monotonic() - last > SECONDS_BETWEEN_SIGNS:
                last = time.monotonic()
                self._sign(label, count, total, ending="")
        if shown and count:
            self._sign(label, count, total, ending="\n")

    def _sign(self, label: str, count: int, total: int | None, ending: str) -> None:
        share = f"{count:,} of {total:,} ({count / total:.0%})" if total else f"{count:,}"
        # Progress is no error: it keeps the terminal's own colour.
        self.stderr.write(f"\r\033[K{label} {share}".rstrip(), str, ending=ending)
        self.stderr.flush()
