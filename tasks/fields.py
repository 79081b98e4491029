"""Field kinds: how one part of an answer is asked for, read from a plain form, and shown again.

A field kind is metadata of a pydantic field: `Annotated[list[str], Chips(separator=";")]`. The
workbench renders `workbench/fields/<widget>.html` for it and loads `static/js/fields/<widget>.js`;
the review page renders `review/fields/<widget>.html`. A task type stays free of script.
"""

import json
import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel


@dataclass(frozen=True)
class Field:
    """What all kinds share. `label` and `hint` are what the worker reads beside the field."""

    label: str = ""
    hint: str = ""
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

    def told(self, value: Any) -> list[str]:
        """The value in short texts for people who read it."""
        return [self.present(value)]


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
class ItemChoice(Choice):
    """Exactly one of options that each item brings, in an order of each worker's own.

    `options_from` names the list of texts in what workers may see of an item; `options` stand after them,
    always in their place ("none of these").
    """

    options_from: str = ""

    def order_of(self, texts: Sequence[str], worker: Hashable) -> list[int]:
        """In which order one worker meets an item's options: the same at every look."""
        return random.Random(f"order of {json.dumps(list(texts))} for {worker}").sample(range(len(texts)), len(texts))


@dataclass(frozen=True)
class Triplets(Field):
    """Steps of a derivation: each cites a sentence of the item's articles and states head, relation and tail.

    Value: a list of `{"title", "sentence", "head", "relation", "tail"}`, sentences numbered from 0 (-1: none yet).
    A form holds a step a line, `title | sentence | head | relation | tail`, with sentences numbered from 1 as
    pages show them, and `\\|` for a bar that belongs to a text. Blanks within a part are kept.
    """

    most_characters: int = 20_000

    def parse(self, values: list[str]) -> list[dict]:
        lines = values[-1].replace("\r", "").split("\n") if values else []
        return [_step_of(line) for line in lines if line.strip(" |")]

    def present(self, value: Iterable[Any] | None) -> str:
        return "\n".join(map(_line_of, value or []))

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [_in_words(step) for step in value or []]


_STEP_PARTS = ("title", "sentence", "head", "relation", "tail")


def _step_of(line: str) -> dict:
    # The escaped signs stand aside as characters that no text may hold.
    parts = line.replace("\\\\", "\ufffe").replace("\\|", "\uffff").split("|")
    texts = [part.replace("\uffff", "|").replace("\ufffe", "\\").strip() for part in parts]
    # Fewer parts: the last are missing. More: bars that nobody escaped, in the last text.
    texts = [*texts[:4], " | ".join(texts[4:])] + [""] * (5 - len(texts))
    number = texts[1]
    sentence = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 7 else -1
    return dict(zip(_STEP_PARTS, [texts[0], sentence, *texts[2:5]], strict=True))


def _line_of(step: Any) -> str:
    known = step if isinstance(step, Mapping) else step.model_dump()
    number = known["sentence"] + 1
    texts = [known["title"], str(number) if number > 0 else "", *(known[name] for name in _STEP_PARTS[2:])]
    return " | ".join(" ".join(text.split("\n")).replace("\\", "\\\\").replace("|", "\\|") for text in texts)


def _in_words(step: Any) -> str:
    known = step if isinstance(step, Mapping) else step.model_dump()
    triplet = " · ".join(known[name] for name in _STEP_PARTS[2:])
    return f"{triplet} ({known['title']}, {known['sentence'] + 1})"


@dataclass(frozen=True)
class Derivations(Field):
    """A reviewer's list of whole derivations: value `[{"from_answers": [answer ids], "steps": [steps]}]`."""

    lists_answers = True

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("derivations are never posted whole")

    def told(self, value: Iterable[Mapping] | None) -> list[str]:
        return [
            "\n".join([f"Derivation {number}", *map(_in_words, derivation["steps"])])
            for number, derivation in enumerate(value or [], 1)
        ]


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
class Lines(Field):
    """Several short texts, one a line; with script a row each, added by Enter. `fewest` rows stand there to begin with.

    `unit` is what one of them is called ("fact").
    """

    unit: str = "line"
    fewest: int = 1
    most: int = 20
    most_characters: int = 5_000

    def parse(self, values: list[str]) -> list[str]:
        lines = [line for value in values for line in value.replace("\r", "").split("\n")]
        return [text for line in lines if (text := " ".join(line.split()))]

    def present(self, value: Iterable[str] | None) -> str:
        return "\n".join(" ".join(text.split()) for text in value or [])

    def told(self, value: Iterable[str] | None) -> list[str]:
        return list(value or [])


@dataclass(frozen=True)
class AnswerList(Field):
    """A reviewer's list of answers: each kept or removed by an operation, new ones added, with their givers.

    Value: a list of `{"text", "from_answers": [answer ids], "origin": "worker" | "key" | "reviewer"}`.
    """

    lists_answers = True

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
