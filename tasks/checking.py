"""Checks: pure functions over item and answer that find one fault each, and their findings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

Level = Literal["block", "warn", "note"]


class Context(dict):
    """What checks asked for under `needs`, gathered by the caller: `context["language"]`, …"""


@dataclass(frozen=True)
class Finding:
    """What one check says of one answer. `field` is where the page shows it; empty means the whole item.

    `part`: which entry of the field it concerns, counted from 1; 0 means the field as a whole. `may_wait`: what it
    misses is still to come while somebody types.
    """

    check: str
    level: Level
    message: str
    field: str = ""
    version: int = 1
    part: int = 0
    may_wait: bool = False


# What a check's function may say: a message, with its field and the part of it where they depend on the answer.
Message = str | tuple[str, str] | tuple[str, str, int]


@dataclass(frozen=True)
class Check:
    """A pure function over (item, answer, context) that returns a message for the worker, or None.

    The function bears the name of the fault that it finds (`copies_the_question`); that name is the
    check's name in examples, results and releases. `block` sends a submission back, `warn` asks for
    one confirmation, `note` only informs. `version` goes up when the verdict may change. A message
    may be a (field, message) pair where the field depends on the answer, and (field, message, part)
    where it concerns one of the field's entries; a list of messages is one finding each. `may_wait`: what
    it misses is usually still to come, and until somebody hands in the page says it without alarm.
    """

    function: Callable[[Any, Any, Context], Message | list[Message] | None]
    level: Level
    field: str = ""
    needs: tuple[str, ...] = ()
    live: bool = True
    version: int = 1
    may_wait: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    def run(self, item: BaseModel, answer: BaseModel, context: Context) -> list[Finding]:
        said = self.function(item, answer, context)
        return [self._finding(each) for each in (said if isinstance(said, list) else [said]) if each]

    def _finding(self, said: Message) -> Finding:
        where, message, *part = said if isinstance(said, tuple) else (self.field, said)
        return Finding(self.name, self.level, message, where, self.version, part[0] if part else 0, self.may_wait)


def run_checks(
    checks: Iterable[Check], item: BaseModel, answer: BaseModel, context: Context | None = None
) -> list[Finding]:
    """The findings of all checks, in their declared order. One caller for live check, gate and re-check alike."""
    gathered = context if context is not None else Context()
    return [finding for check in checks for finding in check.run(item, answer, gathered)]
