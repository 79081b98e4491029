"""What all our commands share: an example in `--help`, `--json`, progress on a terminal, exit code 1 on failure.

A command subclasses `Command`, sets `help` and `example`, and ends its `handle` with
`self.report(result, text)`: the result as JSON with `--json`, else the text. What went wrong is a
`CommandError` that says what was expected and what was found. A number is an argument of the type
`whole_number`, `amount` or `port_number`, so that what can't be meant is refused as it is read.
"""

import json
import re
import time
from argparse import SUPPRESS, ArgumentTypeError, RawDescriptionHelpFormatter, _SubParsersAction
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, NoReturn, TypeVar

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter
from django.db import OperationalError, ProgrammingError

Thing = TypeVar("Thing")
SECONDS_BETWEEN_SIGNS = 0.1
SHOWN_PROBLEMS = 50
# Options that Django gives every command. They work, and would be most of what a help tells.
DJANGOS = {"version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"}
# What a column of whole numbers holds on every database.
MOST = 2_147_483_647
WHOLE = re.compile(r"-?[0-9]{1,18}")
AMOUNT = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,2}))?")


class ExampleFormatter(RawDescriptionHelpFormatter, DjangoHelpFormatter):
    """Django's help, with the line breaks of description and example left as they are."""


class Command(BaseCommand):
    """Base of every command of the service."""

    example: ClassVar[str] = ""
    _last_sign = 0.0
    _is_mid_line = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        if self.example:
            kwargs.setdefault("epilog", f"example:\n  {self.example.strip()}")
        kwargs.setdefault("formatter_class", ExampleFormatter)
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        # As people start it, whatever calls it inside.
        parser.prog = f"./crowdwright {subcommand.replace('_', '-')}"
        parser.add_argument("--json", action="store_true", help="Print the result as one JSON value.")
        for action in parser._actions:
            if action.dest in DJANGOS:
                action.help = SUPPRESS
            # `score arc-da --json`: what stands behind a subcommand is read by the subcommand's own parser.
            if isinstance(action, _SubParsersAction):
                first_names = {inner: name for name, inner in reversed(action.choices.items())}
                for inner, name in first_names.items():
                    inner.prog = f"{parser.prog} {name}"
                    inner.add_argument("--json", action="store_true", default=SUPPRESS, help="The same as before it.")
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.as_json = options.get("json", False)
        try:
            return super().execute(*args, **options)
        except (OperationalError, ProgrammingError) as fault:
            raise CommandError(_said_by_database(fault)) from fault
        finally:
            self._end_line()

    def report(self, result: Any, text: str = "") -> None:
        """Print the result once: as JSON with `--json`, otherwise the text for people."""
        self._end_line()
        self.stdout.write(json.dumps(result, ensure_ascii=False, indent=2) if self.as_json else text)

    def refuse_files(self, problems: Sequence[Any], **facts: Any) -> NoReturn:
        """Fail because of problems in files: all of them as JSON beside the `facts`, or a screenful for people."""
        if self.as_json:
            self.report(facts | {"problems": [asdict(problem) for problem in problems]})
            count = f"{len(problems):,} problem{'' if len(problems) == 1 else 's'}"
            raise CommandError(f"nothing was imported: {count}")
        shown = "\n".join(f"  {problem}" for problem in problems[:SHOWN_PROBLEMS])
        more = f"\n  … and {len(problems) - SHOWN_PROBLEMS:,} more" if len(problems) > SHOWN_PROBLEMS else ""
        raise CommandError(f"nothing was imported; problems:\n{shown}{more}")

    # --- Progress, on the error stream: the standard output is the result's ---

    def say(self, text: str) -> None:
        """A line that stays, wherever it goes: for what is done once or takes minutes."""
        self._end_line()
        # Progress is no error: it keeps the terminal's own colour.
        self.stderr.write(text, str)

    def ask(self, question: str) -> str:
        """What a person types in answer. Raises EOFError where nobody does.

        The question goes to the error stream; the prompt of `input` would stand in a file that takes the result.
        """
        self._end_line()
        self.stderr.write(question, str, ending="")
        self.stderr.flush()
        self._is_mid_line = True
        typed = input()
        self._is_mid_line = False
        return typed

    def progress(self, things: Iterable[Thing], *, total: int | None = None, label: str = "") -> Iterator[Thing]:
        """The same things, with a count on a terminal while they pass."""
        if total is None and hasattr(things, "__len__"):
            total = len(things)
        show = self.counting(label, total=total)
        count = 0
        for thing in things:
            yield thing
            count += 1
            show(count)
        if count:
            self.sign(_counted(label, count, total))
            self._end_line()

    def counting(self, label: str, *, total: int | None = None) -> Callable[[int], None]:
        """A function to call with how many there are so far, which a terminal shows now and then."""

        def show(count: int) -> None:
            if self._is_time_for_a_sign:
                self.sign(_counted(label, count, total))

        return show

    def sign(self, text: str, *, now_and_then: bool = False) -> None:
        """On a terminal, a line in place of the last one; `now_and_then`: only where that one was read by now."""
        if self._is_time_for_a_sign if now_and_then else self._is_watched:
            self._last_sign = time.monotonic()
            self.stderr.write(f"\r\033[K{text}", str, ending="")
            self.stderr.flush()
            self._is_mid_line = True

    @property
    def _is_watched(self) -> bool:
        return bool(getattr(self.stderr, "isatty", lambda: False)())

    @property
    def _is_time_for_a_sign(self) -> bool:
        return self._is_watched and time.monotonic() - self._last_sign > SECONDS_BETWEEN_SIGNS

    def _end_line(self) -> None:
        if self._is_mid_line:
            self._is_mid_line = False
            self.stderr.write("", str)


def _said_by_database(fault: Exception) -> str:
    told = f"the database refused: {str(fault).strip().splitlines()[0]}"
    if any(sign in told for sign in ("no such table", "no such column", "does not exist")):
        return (
            f"{told}. Are its tables made, and of this version? ./crowdwright up makes them, or ./crowdwright migrate"
        )
    return told


def _counted(label: str, count: int, total: int | None) -> str:
    share = f"{count:,} of {total:,} ({count / total:.0%})" if total else f"{count:,}"
    return f"{label} {share}".strip()


# --- Numbers that people type ---------------------------------------------------------------------


def whole_number(least: int, most: int = MOST) -> Callable[[str], int]:
    """The type of an argument that is a whole number between two bounds, both among them."""

    def read(text: str) -> int:
        number = int(text) if WHOLE.fullmatch(text) else None
        if number is None or not least <= number <= most:
            raise ArgumentTypeError(f"expected a whole number from {least:,} to {most:,}, found {text!r}")
        return number

    return read


def amount(most: int) -> Callable[[str], int]:
    """The type of an argument that is money: dollars as people type them, up to so many; gives cents."""

    def read(text: str) -> int:
        parts = AMOUNT.fullmatch(text)
        cents = int(parts[1]) * 100 + int((parts[2] or "").ljust(2, "0")) if parts else -1
        if not 0 <= cents <= most * 100:
            raise ArgumentTypeError(f"expected dollars from 0 to {most:,}, such as 250.00, found {text!r}")
        return cents

    return read


def port_number(text: str) -> int:
    """The type of an argument that is a port."""
    if not WHOLE.fullmatch(text) or not 1 <= int(text) <= 65_535:
        raise ArgumentTypeError(f"a port is a number from 1 to 65535, found {text!r}")
    return int(text)


# Names a row: the widest of them, so that none is too large.
row_number = whole_number(1, 10**18 - 1)
