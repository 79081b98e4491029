"""Field kinds: how one part of an answer is asked for, read from a plain form, and shown again.

A field kind is metadata of a pydantic field: `Annotated[list[str], Chips(separator=";")]`. The
workbench renders `workbench/fields/<widget>.html` for it and loads `static/js/fields/<widget>.js`;
the review page renders `review/fields/<widget>.html`. A task type stays free of script.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True)
class Field:
    """What all kinds share. `label` and `hint` are what the worker reads beside the field."""

    label: str = ""
    hint: str = ""

    @property
    def widget(self) -> str:
        return type(self).__name__.lower()

    def parse(self, values: list[str]) -> Any:
        """The field's value from what a form posted under its name (no values: the field was left out)."""
        raise TypeError(f"{type(self).__name__} does not say how it is read from a form")

    def present(self, value: Any) -> str:
        """The value as text that `parse` reads back."""
        return "" if value is None else str(value)


@dataclass(frozen=True)
class Text(Field):
    """One line or several lines of free text."""

    lines: int = 1
    most_characters: int = 2_000

    def parse(self, values: list[str]) -> str:
        return " ".join(values[-1].split()) if values and self.lines == 1 else (values[-1].strip() if values else "")


@dataclass(frozen=True)
class Choice(Field):
    """Exactly one of several options, shown as radio buttons. `options`: (value, label) pairs."""

    options: tuple[tuple[str, str], ...] = ()

    def parse(self, values: list[str]) -> str:
        return values[-1] if values else ""


@dataclass(frozen=True)
class Chips(Field):
    """Several short texts, each shown as a chip; typing the separator or Enter closes one."""

    separator: str = ";"
    most_characters: int = 1_000

    def parse(self, values: list[str]) -> list[str]:
        parts = [part for value in values for part in value.split(self.separator)]
        return [text for part in parts if (text := " ".join(part.split()))]

    def present(self, value: list[str] | None) -> str:
        return f"{self.separator} ".join(value or [])


@dataclass(frozen=True)
class AnswerList(Field):
    """A reviewer's list of answers: each kept or removed by an operation, new ones added, with their givers.

    Value: a list of `{"text", "from_answers": [answer ids], "origin": "worker" | "key" | "reviewer"}`.
    """

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("an answer list is changed by operations, never posted whole")


def fields_of(model: type[BaseModel]) -> dict[str, Field]:
    """The field kinds that a pydantic model declares, in order of declaration, by field name."""
    kinds: dict[str, Field] = {}
    for name, info in model.model_fields.items():
        for mark in info.metadata:
            if isinstance(mark, Field):
                kinds[name] = mark
    return kinds
