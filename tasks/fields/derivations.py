"""Steps of a derivation, each a triplet drawn from a sentence."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tasks.fields.base import Field
from tasks.fields.lines import as_mapping, line_of, lines_of, texts_of


@dataclass(frozen=True)
class Triplets(Field):
    """Steps of a derivation: each cites a sentence of the item's articles and states head, relation and tail.

    Value: a list of `{"title", "sentence", "head", "relation", "tail"}`, sentences numbered from 0 (-1: none yet).
    A form holds a step a line, `title | sentence | head | relation | tail`, with sentences numbered from 1 as
    pages show them, and `\\|` for a bar that belongs to a text. Blanks within a part are kept.
    """

    def parse(self, values: list[str]) -> list[dict]:
        return [_step_of(line) for line in lines_of(values) if line.strip(" |")]

    def present(self, value: Iterable[Any] | None) -> str:
        return "\n".join(map(_line_of, value or []))

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [step_in_words(step) for step in value or []]


_STEP_PARTS = ("title", "sentence", "head", "relation", "tail")


def _step_of(line: str) -> dict:
    texts = texts_of(line, 5)
    number = texts[1]
    sentence = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 7 else -1
    return dict(zip(_STEP_PARTS, [texts[0], sentence, *texts[2:]], strict=True))


def _line_of(step: Any) -> str:
    known = as_mapping(step)
    number = known["sentence"] + 1
    return line_of([known["title"], str(number) if number > 0 else "", *(known[name] for name in _STEP_PARTS[2:])])


def step_in_words(step: Any) -> str:
    """`Ada Bell · built · the Red Mill (Ada Bell, 2)`: sentences are counted from 1, as pages show them."""
    known = as_mapping(step)
    triplet = " · ".join(known[name] for name in _STEP_PARTS[2:])
    return f"{triplet} ({known['title']}, {known['sentence'] + 1})"
