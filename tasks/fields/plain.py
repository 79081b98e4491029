"""Fields that stand in a form as they are: texts, choices, flags, lists of short texts."""

import json
import random
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from tasks.fields.base import Field
from tasks.text import one_line


@dataclass(frozen=True)
class Text(Field):
    """Free text. `lines`: how high its field is; `is_one_line`: what is typed there is one line, however high it is."""

    lines: int = 1
    most_characters: int = 2_000
    is_one_line: bool = False

    def parse(self, values: list[str]) -> str:
        text = self.tidied(values[-1]) if values else ""
        return " ".join(text.split()) if self.lines == 1 else text

    def tidied(self, text: str) -> str:
        """A text as the field keeps it: with line breaks of one sign (a form posts two), or with none."""
        if self.is_one_line or self.lines == 1:
            return one_line(text)
        return text.replace("\r\n", "\n").replace("\r", "\n").strip()


@dataclass(frozen=True)
class Choice(Field):
    """Exactly one of several options, shown as radio buttons. `options`: (value, label) pairs.

    With one of `ending` chosen, nothing is asked for in the field `excuses`: the work is at its end.
    """

    options: tuple[tuple[str, str], ...] = ()
    ending: tuple[str, ...] = ()
    excuses: str = ""

    def parse(self, values: list[str]) -> str:
        return values[-1] if values else ""


@dataclass(frozen=True)
class Flags(Field):
    """Any of several options, shown as checkboxes: what is wrong with an item. `options`: (value, label) pairs.

    `reason_in` names the text field that asks why; the page shows it once a flag is set. Where one of `ending` is
    set, nothing is asked for in the field `excuses`: the work is at its end.
    """

    is_optional: bool = True
    options: tuple[tuple[str, str], ...] = ()
    reason_in: str = ""
    ending: tuple[str, ...] = ()
    excuses: str = ""

    def parse(self, values: list[str]) -> list[str]:
        """Each flag once, in the order of the options; what is none of them is kept, to be refused by the shape."""
        given = dict.fromkeys(name for value in values for name in value.split())
        known = [name for name, _ in self.options if name in given]
        return known + [name for name in given if name not in known]

    def present(self, value: list[str] | None) -> str:
        return " ".join(value or [])

    def values(self, value: list[str] | None) -> list[str]:
        return list(value or [])

    def told(self, value: list[str] | None) -> list[str]:
        labels = dict(self.options)
        return [labels.get(name, name) for name in value or []]


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
class Chips(Field):
    """Several short texts, each shown as a chip; typing the separator or Enter closes one."""

    separator: str = ";"

    def parse(self, values: list[str]) -> list[str]:
        parts = [part for value in values for part in value.split(self.separator)]
        return [text for part in parts if (text := " ".join(part.split()))]

    def present(self, value: list[str] | None) -> str:
        return f"{self.separator} ".join(value or [])


@dataclass(frozen=True)
class Lines(Field):
    """Several short texts, one a line; with script a row each, added by Enter. `fewest` rows stand there to begin with.

    `unit` is what one of them is called ("fact"). A plain form keeps blanks within a text, rows make one of several.
    """

    unit: str = "line"
    fewest: int = 1
    most: int = 20
    most_characters: int = 5_000

    def parse(self, values: list[str]) -> list[str]:
        lines = [line for value in values for line in value.replace("\r", "").split("\n")]
        return [text for line in lines if (text := line.strip())]

    def present(self, value: Iterable[str] | None) -> str:
        return "\n".join(" ".join(text.split("\n")) for text in value or [])

    def told(self, value: Iterable[str] | None) -> list[str]:
        return list(value or [])
