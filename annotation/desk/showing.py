"""Values of any task type as HTML: payloads, answers, outcomes, what an expert did, what two releases differ in.

All text comes from strangers: it is escaped here, once, and characters that can't be seen get marks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from annotation.marks import visible
from annotation.projects.models import Item
from annotation.projects.queries import task_type_of
from annotation.review.evidence import Sets, by_step
from tasks.fields import Choice, Evidence, EvidenceSets, Field, Flags, StepAnswers, Steps, fields_of

MOST_DEEP = 8
ORIGINS = {"worker": "workers", "key": "the original key", "reviewer": "a reviewer"}


def value(thing: Any, deep: int = 0) -> SafeString:
    """Any JSON value, to be read: names with their values, lists as lists, texts in their own direction."""
    if thing is None or thing == "" or thing in ([], {}):
        return format_html('<span class="soft">{}</span>', "none")
    if isinstance(thing, bool):
        return format_html("{}", "yes" if thing else "no")
    if isinstance(thing, dict) and deep < MOST_DEEP:
        rows = ((_name(name), value(part, deep + 1)) for name, part in thing.items())
        return format_html('<dl class="value">{}</dl>', format_html_join("", "<dt>{}</dt><dd>{}</dd>", rows))
    if isinstance(thing, list) and deep < MOST_DEEP:
        return _list(thing, deep)
    return visible(str(thing))


def _list(things: list, deep: int) -> SafeString:
    if all(isinstance(thing, dict) and set(thing) == {"label", "text"} for thing in things):
        rows = ((visible(str(thing["label"])), visible(str(thing["text"]))) for thing in things)
        return format_html('<ul class="choices">{}</ul>', format_html_join("", "<li><b>{}</b> {}</li>", rows))
    if all(isinstance(thing, dict) and "text" in thing and "origin" in thing for thing in things):
        rows = ((visible(str(thing["text"])), _from(thing)) for thing in things)
        return format_html(
            '<ul class="chips">{}</ul>',
            format_html_join("", '<li class="chip">{} <span class="soft small">{}</span></li>', rows),
        )
    kind = "chips" if all(isinstance(thing, str) and len(thing) < 60 for thing in things) else "values"
    chip = "chip" if kind == "chips" else ""
    rows = ((chip, value(thing, deep + 1)) for thing in things)
    return format_html('<ul class="{}">{}</ul>', kind, format_html_join("", '<li class="{}">{}</li>', rows))


def _from(entry: Mapping) -> str:
    givers = len(entry.get("from_answers") or [])
    if givers > 1:
        return f"×{givers}"
    return "" if givers else f"by {ORIGINS.get(entry['origin'], entry['origin'])}"


def answer(item: Item, data: Mapping) -> SafeString:
    """An answer or outcome of an item in its task type's words: labels of fields, sentences of choices."""
    kind = task_type_of(item.stage)
    fields = fields_of(kind.Answer) | fields_of(kind.Outcome)
    rows = (
        (_label(name, fields.get(name)), _told(fields.get(name), part, item) or value(part, 1))
        for name, part in data.items()
    )
    return format_html('<dl class="value">{}</dl>', format_html_join("", "<dt>{}</dt><dd>{}</dd>", rows))


def _label(name: str, field: Field | None) -> str:
    return field.label if field and field.label else _name(name)


def _told(field: Field | None, part: Any, item: Item) -> SafeString | None:
    """A choice by its sentence, flags by theirs, steps, their answers and evidence by number; None: as it is."""
    if isinstance(field, Choice):
        sentence = dict(field.options).get(part)
        return format_html("{}", sentence) if sentence else None
    if isinstance(field, Steps | StepAnswers | Flags) and part:
        return value(field.told(part), 1)
    if isinstance(field, EvidenceSets):
        return _evidence([(f"matcher {place}", one["matched"]) for place, one in enumerate(part, 1)], field, item)
    if isinstance(field, Evidence):
        return _evidence([("this worker", part)], field, item)
    return None


def _evidence(sets: Sets, field: Evidence, item: Item) -> SafeString:
    steps = by_step(sets, field.steps_of(item.payload), item.project)
    page = render_to_string("desk/evidence.html", {"steps": steps, "has_several": len(sets) > 1})
    return mark_safe(page)  # noqa: S308 - a rendered template


def _name(name: str) -> str:
    return str(name).replace("_", " ").capitalize()


def operation(done: Mapping) -> str:
    """What an expert did, in words."""
    name, text = done.get("op", ""), done.get("text", "")
    place = f"answer {done['index'] + 1}" if isinstance(done.get("index"), int) else done.get("field", "")
    sentences = {
        "reword": f"reworded to “{text}”",
        "remove": f"removed {place}",
        "restore": f"restored {place}",
        "add": f"added “{text}”",
        "add_short": f"added the short version “{text}”",
        "choose": f"chose {done.get('value', '')} for {done.get('field', 'it')}",
        "rewrite": f"rewrote the steps: {'; '.join(step['text'] for step in done.get('steps', []))}",
    }
    return sentences.get(name, f"{name} {text or place}")


def change(how: Mapping) -> SafeString:
    """How a field differs between two releases: words of a text, entries of a list, or the two values."""
    if "words" in how:
        marks = {"same": "{}", "removed": "<del>{}</del>", "added": "<ins>{}</ins>"}
        return format_html_join("", "{}", ((format_html(marks[step], visible(text)),) for step, text in how["words"]))
    if "reordered" in how:
        return format_html('<p class="soft">in another order</p>{}', value(how["reordered"]))
    if "removed" in how:
        gone = format_html_join(" ", "<del>{}</del>", ((value(entry),) for entry in how["removed"]))
        new = format_html_join(" ", "<ins>{}</ins>", ((value(entry),) for entry in how["added"]))
        return format_html("{} {}", gone, new)
    return format_html("<del>{}</del> <ins>{}</ins>", value(how.get("before")), value(how.get("after")))
