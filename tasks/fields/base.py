"""What all kinds of fields share."""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel


@dataclass(frozen=True)
class Field:
    """What all kinds share. `label` and `hint` are what the worker reads beside the field.

    `is_optional`: an item counts as done without it.
    """

    label: str = ""
    hint: str = ""
    is_optional: bool = False
    # Whether a value is a list of entries that name under `from_answers` the stored answers they come from.
    lists_answers: ClassVar[bool] = False

    @property
    def widget(self) -> str:
        return type(self).__name__.lower()

    def parse(self, values: list[str]) -> Any:
        """The field's value from what a form posted under its name (no values: the field was left out)."""
        raise TypeError(f"{type(self).__name__} does not say how it is read from a form")

    def present(self, value: Any) -> str:
        """The value as text that `parse` reads back."""
        return "" if value is None else str(value)

    def values(self, value: Any) -> list[str]:
        """What a form posts under the field's name for this value."""
        text = self.present(value)
        return [text] if text else []

    def told(self, value: Any) -> list[str]:
        """The value in short texts for people who read it."""
        return [self.present(value)]


@cache
def fields_of(model: type[BaseModel]) -> dict[str, Field]:
    """The field kinds that a pydantic model declares, in order of declaration, by name. Kept: not to be changed."""
    kinds: dict[str, Field] = {}
    for name, info in model.model_fields.items():
        for mark in info.metadata:
            if isinstance(mark, Field):
                kinds[name] = mark
    return kinds
