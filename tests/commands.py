"""What tests ask of every command of a site: its parsers with those of its verbs, and which options are numbers."""

from __future__ import annotations

import re
import shlex
from argparse import Action, ArgumentTypeError, Namespace, _SubParsersAction
from dataclasses import dataclass

from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError, CommandParser

NO_NUMBERS = ["-1", "1.5e3", "1_000", "1,000", "NaN", "Infinity", "", str(10**30), "9" * 5_000]


def names() -> list[str]:
    """Of all our commands, or of the marketplace's on its own site: `launch` stands on both, for its checks."""
    rooms = "annotation.marketplace" if settings.SITE == "marketplace" else "annotation."
    return sorted(name for name, app in get_commands().items() if app.startswith(rooms))


def command_called(name: str) -> BaseCommand:
    return load_command_class(get_commands()[name], name)


def parse(name: str, *words: str) -> Namespace:
    """Raises CommandError where it is a usage error. Nothing is run."""
    return command_called(name).create_parser("manage.py", name).parse_args(list(words))


def parsers() -> list[tuple[tuple[str, ...], CommandParser]]:
    """(words that lead there, parser): each command and each of its verbs."""
    found: list[tuple[tuple[str, ...], CommandParser]] = []
    for name in names():
        parser = command_called(name).create_parser("manage.py", name)
        found.append(((name,), parser))
        for action in parser._actions:
            if isinstance(action, _SubParsersAction):
                first_names = {inner: verb for verb, inner in reversed(action.choices.items())}
                found += [((name, verb), inner) for inner, verb in reversed(first_names.items())]
    return found


@dataclass(frozen=True)
class Number:
    """An argument that is a number, with the words that lead to it."""

    words: tuple[str, ...]
    option: str  # empty: it is known by its place

    def __str__(self) -> str:
        return " ".join([*self.words, self.option]).strip()

    def refuses(self, text: str) -> bool:
        """Whether it is a usage error that names the argument and what was found."""
        try:
            parse(*self.words, f"{self.option}={text}" if self.option else text)
        except CommandError as error:
            return re.search(r"argument .*(found|invalid)", str(error)) is not None
        return False


def numbers() -> list[Number]:
    found = []
    for words, parser in parsers():
        before: list[str] = []
        for action in parser._actions:
            if not action.option_strings and not isinstance(action, _SubParsersAction):
                if _is_number(action):
                    found.append(Number((*words, *before), ""))
                before.append("x")
            elif _is_number(action) and action.dest != "verbosity":  # Django's own
                found.append(Number(words, action.option_strings[0]))
    return found


def examples() -> list[tuple[str, list[str]]]:
    """(command's name, words) of each example that a help shows."""
    found = []
    for words, parser in parsers():
        text = (parser.epilog or "").partition("example:")[2].replace("\\\n", " ")
        for line in filter(None, map(str.strip, text.splitlines())):
            script, name, *rest = shlex.split(line)
            assert script == "./crowdwright", f"{' '.join(words)} has an example that starts with {script}"
            found.append((name.replace("-", "_"), rest))
    return found


def _is_number(action: Action) -> bool:
    if not callable(action.type):
        return False
    try:
        return isinstance(action.type("1"), int | float)
    except (ArgumentTypeError, TypeError, ValueError):
        return False
