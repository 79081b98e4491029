"""Renders fields: `workbench/fields/<widget>.html` for the kind of field, with spots for what varies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from annotation.workbench.stencils import HOLD, end, piece, spot
from tasks.base import TaskType
from tasks.fields import ItemChoice


def widget(kind: TaskType, name: str, key: str, **extras: object) -> SafeString:
    """The HTML of one field of one item, with its spots still to fill."""
    if name not in kind.fields:
        raise LookupError(f"{kind.name} has no field {name!r}; it has {', '.join(kind.fields)}")
    # What depends on the item is rendered for the item; all else once.
    rendered = _render(kind, name, **extras) if extras or settings.DEBUG else _rendered(kind, name)
    return mark_safe(rendered.replace(HOLD, key))  # noqa: S308 - a rendered template; the key is an item's id


@lru_cache(maxsize=256)
def _rendered(kind: TaskType, name: str) -> str:
    return _render(kind, name)


def _render(kind: TaskType, name: str, given: Sequence[str] = (), **extras: object) -> str:
    """`given`: the options that the item brings, for a field that has such."""
    field = kind.fields[name]
    full = f"{HOLD}.{name}"
    context = {
        "field": field,
        "name": mark_safe(full),  # noqa: S308 - a field's name and the mark that stands for the item
        "id": mark_safe(f"f-{HOLD}-{name}"),  # noqa: S308
        "is_optional": field.is_optional,
        "value": spot(f"value {full}"),
        "invalid": spot(f"invalid {full}"),
        "findings": spot(f"findings {full}"),
        "given": [{"value": text, "piece": piece(full), "checked": spot(f"checked {full}={text}")} for text in given],
        "end": end(full) if given else "",
        "options": [
            {"value": value, "label": label, "number": number, "checked": spot(f"checked {full}={value}")}
            for number, (value, label) in enumerate(getattr(field, "options", ()), 1)
        ],
    }
    return render_to_string(f"workbench/fields/{field.widget}.html", context | extras)


def spots_of(values: dict[str, list[str]]) -> dict[str, str]:
    """What to fill into fields' spots so that they show these form values."""
    from django.utils.html import escape

    spots = {}
    for name, given in values.items():
        for text in given:
            spots[f"value {name}"] = escape(text)
            spots[f"checked {name}={text}"] = " checked"
    return spots


def orders_of(kind: TaskType, key: str, shown: Mapping[str, Any], worker: object) -> dict[str, list[int]]:
    """In which order one worker meets the options that an item brings, by field. `shown`: what workers see of it."""
    return {
        f"{key}.{name}": field.order_of(shown[field.options_from], worker)
        for name, field in kind.fields.items()
        if isinstance(field, ItemChoice)
    }
