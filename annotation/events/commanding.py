"""What commands that change something share: the log says which of them it was."""

from __future__ import annotations

from typing import Any

from annotation.command import Command
from annotation.events.actions import acting_as


class ActingCommand(Command):
    """A command that is on record for what it changes: the actor of its events is `command:NAME`."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        with acting_as(f"command:{self.__module__.rsplit('.', 1)[-1].replace('_', '-')}"):
            return super().execute(*args, **options)
