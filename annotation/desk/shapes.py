"""A pydantic Settings model as fields of a form, with the model's own words, and back again with its own verdict.

The form only reads text into values; what is allowed is the model's business alone.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

from django import forms
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

PREFIX = "setting-"


class Lines(forms.CharField):
    """A list of short texts, one a line."""

    widget = forms.Textarea

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list | tuple | set | frozenset) else value

    def to_python(self, value: str | None) -> list[str]:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.to_python(self.prepare_value(initial)) != self.to_python(data)


def form_fields(shape: type[BaseModel], values: Mapping[str, Any]) -> dict[str, forms.Field]:
    """One form field a setting, under `setting-<name>`, showing the value that stands."""
    fields = {}
    for name, info in shape.model_fields.items():
        field = _field(info)
        field.is_setting = True
        field.label = info.title or name.replace("_", " ").capitalize()
        field.help_text = _before_hints(info.description or "", _options(_without_none(info.annotation)))
        field.initial = values.get(name, info.get_default(call_default_factory=True))
        fields[PREFIX + name] = field
    return fields


def _field(info: FieldInfo) -> forms.Field:
    kind = _without_none(info.annotation)
    options = _options(kind)
    if options:
        hints = hints_of(info.description or "", options)
        choices = [(option, _option_label(option, hints)) for option in options]
        widget = forms.RadioSelect if hints or len(options) <= 5 else forms.Select
        return forms.TypedChoiceField(choices=choices, coerce=_coercer(options), widget=widget)
    if get_origin(kind) in (list, tuple, set, frozenset) and get_args(kind)[0] is str:
        return Lines(required=False)
    needed = info.is_required()
    simple = {
        bool: lambda: forms.BooleanField(required=False),
        int: lambda: forms.IntegerField(required=needed),
        float: lambda: forms.FloatField(required=needed, widget=forms.NumberInput(attrs={"step": "any"})),
        str: lambda: forms.CharField(required=False),
    }
    return simple.get(kind, lambda: forms.JSONField(required=False))()


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, types.UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        return kinds[0] if len(kinds) == 1 else annotation
    return annotation


def _options(kind: Any) -> list[Any]:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [option.value for option in kind]
    return []


def hints_of(description: str, options: list[Any]) -> dict[Any, str]:
    """What a description says of each option, where it goes through them: "…: first: what it is; second: …"."""
    found = {}
    for option in options:
        said = re.search(rf"(?:^|[:;] ){re.escape(str(option))}: (.+?)(?=;|$)", description)
        if said is None:
            return {}
        found[option] = said.group(1).strip()
    return found


def _before_hints(description: str, options: list[Any]) -> str:
    """The description without the part that stands at the options."""
    if not options or not hints_of(description, options):
        return description
    start = min(description.find(f"{option}: ") for option in options)
    return description[:start].strip(" :;") + "."


def _option_label(option: Any, hints: dict[Any, str]) -> str:
    name = str(option).replace("_", " ").capitalize()
    return f"{name}: {hints[option]}" if hints else name


def _coercer(options: list[Any]):
    by_text = {str(option): option for option in options}
    return lambda text: by_text.get(text, text)


def read_settings(form: forms.Form, shape: type[BaseModel], stood: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a clean form asks for. What the model objects to becomes an error of the field."""
    values = dict(stood)
    for name, info in shape.model_fields.items():
        value = form.cleaned_data.get(PREFIX + name)
        if value is None and not info.is_required() and PREFIX + name not in form.errors:
            values.pop(name, None)
        else:
            values[name] = value
    try:
        return shape.model_validate(values).model_dump(mode="json")
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            name = PREFIX + str(fault["loc"][0]) if fault["loc"] else None
            form.add_error(name if name in form.fields else None, fault["msg"])
        return {}
