"""How the desk says things: money, spans of time, states, and what happened, in plain words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model

from annotation.events.models import Event
from annotation.events.verbs import VERBS

MARKETPLACES = {
    "own": "Own marketplace",
    "mturk_sandbox": "Mechanical Turk sandbox",
    "mturk_production": "Mechanical Turk, real money",
}
# state: (word, kind of tag)
PROJECT_STATES = {"open": ("open", "good"), "paused": ("paused", "warn"), "closed": ("closed", "")}
ITEM_STATES = {
    "excluded": ("excluded by the filter", ""),
    "open": ("waits to be offered", ""),
    "offered": ("offered to workers", ""),
    "answered": ("answered", ""),
    "settled": ("waits for an expert", "warn"),
    "accepted": ("accepted", "good"),
    "rejected": ("rejected", "bad"),
    "decided": ("decided", ""),
    "trial": ("set aside for a test", ""),
}
TRIAL_STATES = {
    "waiting": ("to be graded", "warn"),
    "talk": ("graders differ", "warn"),
    "passed": ("passed", "good"),
    "failed": ("failed", "bad"),
    "again": ("may try again", ""),
}
RELEASE_STATES = {"building": ("being built", "warn"), "ready": ("ready", "good"), "failed": ("failed", "bad")}
ASSIGNMENT_STATES = {
    "open": "page opened",
    "handed_over": "handed in here, not yet confirmed",
    "submitted": "submitted, waits for approval",
    "approved": "approved",
    "rejected": "rejected",
    "superseded": "went to another worker",
    "quarantined": "in quarantine",
}
# The same as tags.
ASSIGNMENT_TAGS = {
    "open": ("page opened", ""),
    "handed_over": ("handed in", ""),
    "submitted": ("waits for approval", "warn"),
    "approved": ("approved", "good"),
    "rejected": ("rejected", "bad"),
    "superseded": ("went to another", ""),
    "quarantined": ("in quarantine", "warn"),
}


def marketplace(name: str) -> str:
    return MARKETPLACES.get(name, name.replace("_", " "))


def dollars(cents: float | None) -> str:
    """$1,234.50; a minus before the sign."""
    if cents is None:
        return "unknown"
    return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def span(seconds: float | None) -> str:
    """A span of time in its two largest units: 45 s, 12 min, 3 h 20 min, 5 days."""
    if seconds is None:
        return "unknown"
    seconds = round(seconds)
    if seconds < 90:
        return f"{seconds} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 36:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{round(hours / 24)} days"


def number(value: float | None) -> str:
    """Whole numbers with their thousands, others with two or three places; – for none."""
    if value is None:
        return "–"
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 1 else f"{value:.3f}"


def spaced(name: str) -> str:
    return str(name).replace("_", " ")


def plural(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


# What feedback did, as a short word and as a sentence.
EFFECTS = {
    "drop": ("dropped", "It fell, with all that came of it."),
    "author": ("back to author", "Its author got it back:"),
    "again": ("collected again", "Others do it again:"),
    "expert": ("to an expert", "An expert looks at it."),
    "keep": ("kept", "It stays as it is."),
    "moot": ("moot", "Nothing any more:"),
    "new": ("new", "Not acted on yet."),
}


def effect(name: str) -> str:
    return EFFECTS.get(name, (spaced(name), ""))[0]


def came_of_it(name: str) -> str:
    return EFFECTS.get(name, ("", spaced(name)))[1]


def state_of_item(state: str) -> tuple[str, str]:
    return ITEM_STATES.get(state, (state, ""))


# --- What happened --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Happening:
    """One event as a sentence."""

    id: int
    at: datetime
    who: str
    what: str
    more: str
    times: int = 1


def happenings(events: Iterable[Event], name_of: Callable[[str], str] | None = None) -> list[Happening]:
    """Events as sentences, the same one several times in a row as one.

    `name_of`: what a worker is called here, by internal pseudonym; without it it is just "a worker".
    """
    events = list(events)
    people = _people(events)
    said = [
        Happening(
            id=event.pk,
            at=event.at,
            who=_who(event.actor, people, name_of),
            what=VERBS.get(event.verb, event.verb),
            more=_more(event),
        )
        for event in events
    ]
    runs = (list(run) for _, run in itertools.groupby(said, key=lambda one: (one.who, one.what, one.more)))
    return [replace(run[0], times=len(run)) for run in runs]


def _people(events: list[Event]) -> dict[str, str]:
    ids = {event.actor.removeprefix("user:") for event in events if event.actor.startswith("user:")}
    members = {str(event.data["member"]).removeprefix("user:") for event in events if event.data.get("member")}
    wanted = [int(number) for number in ids | members if number.isdigit()]
    return {f"user:{user.pk}": user.get_username() for user in get_user_model().objects.filter(pk__in=wanted)}


def _who(actor: str, people: dict[str, str], name_of: Callable[[str], str] | None) -> str:
    if actor.startswith("worker:"):
        return f"worker {name_of(actor.removeprefix('worker:'))}" if name_of else "a worker"
    if actor.startswith("command:"):
        return f"the command {actor.removeprefix('command:')}"
    return people.get(actor) or {"clock": "the clock", "system": "the system", "visitor": "a visitor"}.get(actor, actor)


# What is worth reading of an event's data, and how it is said.
TELLING = {
    "hits": lambda value: plural(value, "HIT"),
    "items": lambda value: plural(value, "item"),
    "cents": lambda value: f"for {dollars(value)}",
    "assignments": lambda value: plural(value, "assignment"),
    "changed": lambda value: f"{value:,} changed",
    "version": lambda value: f"version {value}",
    "reason": str,
    "error": str,
    "pipeline": spaced,
}


def _more(event: Event) -> str:
    """What an event's data adds, where it is short enough to read in a list."""
    data = event.data
    if event.verb == "items.imported":
        files = ", ".join(map(str, data.get("files", [])))
        return f"{data.get('added', 0):,} new, {data.get('excluded', 0):,} of them excluded by the filter ({files})"
    if isinstance(data.get("changed"), dict):
        return "; ".join(f"{spaced(name)}: {_change(pair)}" for name, pair in data["changed"].items())
    if "role" in data:
        return f"role {data['role']}" if data["role"] else "took a role away"
    return ", ".join(_short(say(data[name])) for name, say in TELLING.items() if data.get(name))


def _change(pair: Any) -> str:
    if not isinstance(pair, list) or len(pair) != 2:
        return _short(pair)
    return f"{_short(pair[0])} → {_short(pair[1])}"


def _short(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    text = str(value)
    return text if len(text) <= 160 else f"{text[:157]}…"
