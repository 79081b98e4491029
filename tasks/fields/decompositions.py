"""Steps of a decomposition, and answers to them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.fields.base import Field
from tasks.fields.lines import as_mapping, line_of, lines_of, numbered, parts_of, texts_of


@dataclass(frozen=True)
class Steps(Field):
    """Steps of a decomposition: each a text that refers to earlier answers as `#n`, and the title of a page.

    Value: a list of `{"text", "page"}`. A form holds a step a line, `text | page` or `text` alone, with `\\|` for a bar
    that belongs to a text. An empty step among others keeps its line, for the others' references count it. Blanks of a
    text that the bar does not need are kept: published steps have some.
    `excused` is what the page says where another field ends the work, so that no steps are asked for.
    """

    most_characters: int = 20_000
    excused: str = ""

    def parse(self, values: list[str]) -> list[dict]:
        return [self._read(line) for line in lines_of(values) if line.strip()]

    def _read(self, line: str) -> dict:
        text, *rest = parts_of(line)
        return {"text": text.removesuffix(" ") if rest else text, "page": texts_of(line, 2)[1]}

    def present(self, value: Iterable[Any] | None) -> str:
        steps = map(as_mapping, value or [])
        return "\n".join(
            line_of([step["text"], step["page"]] if step["page"] or not step["text"].strip() else [step["text"]])
            for step in steps
        )

    def told(self, value: Iterable[Any] | None) -> list[str]:
        """Numbered as references count them: `#2: Where does #1 grow? (Fir)`."""
        return [
            f"#{number}: {known['text']}" + (f" ({known['page']})" if known["page"] else "")
            for number, known in enumerate(map(as_mapping, value or []), 1)
        ]


@dataclass(frozen=True)
class StepAnswers(Field):
    """An answer to each step of a decomposition, or that it can't be answered from what is given.

    Value: a list of `{"answer", "cannot"}`, one a step; what is missing is said in the `answer` of a step that cannot
    be answered. A form holds a step a line, `2: 4.4 metres`, or `2: ?` and what is missing; `\\?` begins an answer
    that is a question mark's own. A line without a number is about the step after the line before it.
    """

    def parse(self, values: list[str]) -> list[dict]:
        found = {number: _step_answer(text.strip()) for number, text in numbered(lines_of(values))}
        return [found.get(place, _step_answer("")) for place in range(1, max(found, default=0) + 1)]

    def present(self, value: Iterable[Any] | None) -> str:
        lines = []
        for number, step in enumerate(map(as_mapping, value or []), 1):
            text = " ".join(step["answer"].split("\n")).strip()
            if step["cannot"]:
                lines.append(f"{number}: ? {text}".strip())
            elif text:
                lines.append(f"{number}: {chr(92) if text[0] in _MARKS else ''}{text}")
        return "\n".join(lines)

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [f"#{number}: {_answer_in_words(as_mapping(step))}" for number, step in enumerate(value or [], 1)]


_MARKS = "?\\"


def _step_answer(text: str) -> dict:
    if text.startswith("?"):
        return {"answer": text[1:].strip(), "cannot": True}
    return {"answer": text[1:] if text[:1] == "\\" and text[1:2] in tuple(_MARKS) else text, "cannot": False}


def _answer_in_words(step: Mapping) -> str:
    if step["cannot"]:
        return f"cannot be answered ({step['answer']})" if step["answer"] else "cannot be answered"
    return step["answer"] or "nothing"
