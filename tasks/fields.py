"""Field kinds: how one part of an answer is asked for, read from a plain form, and shown again.

A field kind is metadata of a pydantic field: `Annotated[list[str], Chips(separator=";")]`. The
workbench renders `workbench/fields/<widget>.html` for it and loads `static/js/fields/<widget>.js`;
the review page renders `review/fields/<widget>.html`. A task type stays free of script.
"""

import json
import random
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel

from tasks.text import one_line


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
class Triplets(Field):
    """Steps of a derivation: each cites a sentence of the item's articles and states head, relation and tail.

    Value: a list of `{"title", "sentence", "head", "relation", "tail"}`, sentences numbered from 0 (-1: none yet).
    A form holds a step a line, `title | sentence | head | relation | tail`, with sentences numbered from 1 as
    pages show them, and `\\|` for a bar that belongs to a text. Blanks within a part are kept.
    """

    def parse(self, values: list[str]) -> list[dict]:
        return [_step_of(line) for line in _lines_of(values) if line.strip(" |")]

    def present(self, value: Iterable[Any] | None) -> str:
        return "\n".join(map(_line_of, value or []))

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [_in_words(step) for step in value or []]


def _lines_of(values: list[str]) -> list[str]:
    """The lines of what a form posted last under a name."""
    return values[-1].replace("\r", "").split("\n") if values else []


_STEP_PARTS = ("title", "sentence", "head", "relation", "tail")


def _known(step: Any) -> Mapping:
    return step if isinstance(step, Mapping) else step.model_dump()


def _texts_of(line: str, number: int) -> list[str]:
    """The texts of a line that bars part, so many. Fewer: the last are missing. More: bars in the last text."""
    texts = [part.strip() for part in _parts_of(line)]
    filled = texts + [""] * (number - len(texts))
    return [*filled[: number - 1], " | ".join(filled[number - 1 :])]


def _parts_of(line: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for sign in _SIGNS.findall(line):
        if sign == "|":
            parts.append([])
        else:
            parts[-1].append(sign[1:] if sign in _ESCAPED else sign)
    return list(map("".join, parts))


_ESCAPED = ("\\\\", "\\|")
_SIGNS = re.compile(r"\\[\\|]|[^\\|]+|.", re.DOTALL)


def _line(texts: Iterable[str]) -> str:
    """The same back: a line whose texts may hold bars."""
    return " | ".join(map(_escaped, texts))


def _escaped(text: str) -> str:
    return " ".join(text.split("\n")).replace("\\", "\\\\").replace("|", "\\|")


def _step_of(line: str) -> dict:
    texts = _texts_of(line, 5)
    number = texts[1]
    sentence = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 7 else -1
    return dict(zip(_STEP_PARTS, [texts[0], sentence, *texts[2:]], strict=True))


def _line_of(step: Any) -> str:
    known = _known(step)
    number = known["sentence"] + 1
    return _line([known["title"], str(number) if number > 0 else "", *(known[name] for name in _STEP_PARTS[2:])])


def _in_words(step: Any) -> str:
    known = _known(step)
    triplet = " · ".join(known[name] for name in _STEP_PARTS[2:])
    return f"{triplet} ({known['title']}, {known['sentence'] + 1})"


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
        return [self._read(line) for line in _lines_of(values) if line.strip()]

    def _read(self, line: str) -> dict:
        text, *rest = _parts_of(line)
        return {"text": text.removesuffix(" ") if rest else text, "page": _texts_of(line, 2)[1]}

    def present(self, value: Iterable[Any] | None) -> str:
        steps = map(_known, value or [])
        return "\n".join(
            _line([step["text"], step["page"]] if step["page"] or not step["text"].strip() else [step["text"]])
            for step in steps
        )

    def told(self, value: Iterable[Any] | None) -> list[str]:
        """Numbered as references count them: `#2: Where does #1 grow? (Fir)`."""
        return [
            f"#{number}: {known['text']}" + (f" ({known['page']})" if known["page"] else "")
            for number, known in enumerate(map(_known, value or []), 1)
        ]


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


@dataclass(frozen=True)
class AnswerList(Field):
    """A reviewer's list of answers: each kept or removed by an operation, new ones added, with their givers.

    Value: a list of `{"text", "from_answers": [answer ids], "origin": "worker" | "key" | "reviewer"}`.
    """

    lists_answers = True

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("an answer list is changed by operations, never posted whole")


@dataclass(frozen=True)
class StepAnswers(Field):
    """An answer to each step of a decomposition, or that it can't be answered from what is given.

    Value: a list of `{"answer", "cannot"}`, one a step; what is missing is said in the `answer` of a step that cannot
    be answered. A form holds a step a line, `2: 4.4 metres`, or `2: ?` and what is missing; `\\?` begins an answer
    that is a question mark's own. A line without a number is about the step after the line before it.
    """

    def parse(self, values: list[str]) -> list[dict]:
        found = {number: _step_answer(text.strip()) for number, text in _numbered(_lines_of(values))}
        return [found.get(place, _step_answer("")) for place in range(1, max(found, default=0) + 1)]

    def present(self, value: Iterable[Any] | None) -> str:
        lines = []
        for number, step in enumerate(map(_known, value or []), 1):
            text = " ".join(step["answer"].split("\n")).strip()
            if step["cannot"]:
                lines.append(f"{number}: ? {text}".strip())
            elif text:
                lines.append(f"{number}: {chr(92) if text[0] in _MARKS else ''}{text}")
        return "\n".join(lines)

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [f"#{number}: {_answer_in_words(_known(step))}" for number, step in enumerate(value or [], 1)]


_NUMBERED_LINE = re.compile(r"\s*([1-9][0-9]?)\s*:(.*)$")


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that hold anything with the steps they are about: the one named, or the one after the line before."""
    number = 0
    for line in filter(str.strip, lines):
        found = _NUMBERED_LINE.match(line)
        number = int(found[1]) if found else number + 1
        yield number, found[2] if found else line


_MARKS = "?\\"


def _step_answer(text: str) -> dict:
    if text.startswith("?"):
        return {"answer": text[1:].strip(), "cannot": True}
    return {"answer": text[1:] if text[:1] == "\\" and text[1:2] in tuple(_MARKS) else text, "cannot": False}


def _answer_in_words(step: Mapping) -> str:
    if step["cannot"]:
        return f"cannot be answered ({step['answer']})" if step["answer"] else "cannot be answered"
    return step["answer"] or "nothing"


@dataclass(frozen=True)
class Evidence(Field):
    """What supports each step of a decomposition: paragraphs of a corpus by their ids, and marks.

    Value: a list of `{"paragraphs": [ids] or None, "is_operation", "lacks_evidence"}`, one a step. A form holds a step
    a line, `2: Fir-1 | Ash-3 | no_evidence`; `operation` and `no_evidence` are the marks, as releases write them, and
    `\\|` is a bar that belongs to an id. A line without a number is about the step after the line before it.
    `steps_from` names the steps in the item: texts, or `{"text": …}`.
    """

    steps_from: str = "steps"
    marks: ClassVar[dict[str, str]] = {"no_evidence": "lacks_evidence", "operation": "is_operation"}

    def parse(self, values: list[str]) -> list[dict]:
        found: dict[int, dict] = {}
        for number, text in _numbered(line for line in _lines_of(values) if line.strip(" |")):
            self._read(found.setdefault(number, _nothing() | {"paragraphs": []}), text)
        for step in found.values():
            step["paragraphs"] = step["paragraphs"] or None
        return [found.get(place, _nothing()) for place in range(1, max(found, default=0) + 1)]

    def _read(self, step: dict, line: str) -> None:
        for text in filter(None, map(str.strip, _parts_of(line))):
            if mark := self.marks.get(text):
                step[mark] = True
            else:
                step["paragraphs"].append(text)

    def present(self, value: Iterable[Any] | None) -> str:
        lines = []
        for number, step in enumerate(map(_known, value or []), 1):
            marks = [word for word, name in self.marks.items() if step[name]]
            if parts := [*map(_escaped, step["paragraphs"] or []), *marks]:
                lines.append(f"{number}: {' | '.join(parts)}")
        return "\n".join(lines)

    def steps_of(self, item: Mapping) -> list[str]:
        """The texts of an item's steps."""
        return [step if isinstance(step, str) else step["text"] for step in item.get(self.steps_from, [])]

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [f"#{number}: {said_of_step(_known(step))}" for number, step in enumerate(value or [], 1)]


def _nothing() -> dict:
    return {"paragraphs": None, "is_operation": False, "lacks_evidence": False}


def said_of_step(step: Mapping) -> str:
    """What one matcher says of one step, in words."""
    found = list(step["paragraphs"] or [])
    lacks = ["only partial evidence" if found else "no evidence"] if step["lacks_evidence"] else []
    return "; ".join([*found, *lacks, *(["operation"] if step["is_operation"] else [])]) or "nothing"


@dataclass(frozen=True)
class EvidenceSets(Evidence):
    """A reviewer's list of matchers' evidence: value `[{"from_answers": [answer ids], "matched": [one a step]}]`."""

    lists_answers = True

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("evidence of several matchers is never posted whole")

    def told(self, value: Iterable[Mapping] | None) -> list[str]:
        return [
            "\n".join([f"Matcher {number}", *super(EvidenceSets, self).told(one["matched"])])
            for number, one in enumerate(value or [], 1)
        ]


@cache
def fields_of(model: type[BaseModel]) -> dict[str, Field]:
    """The field kinds that a pydantic model declares, in order of declaration, by name. Kept: not to be changed."""
    kinds: dict[str, Field] = {}
    for name, info in model.model_fields.items():
        for mark in info.metadata:
            if isinstance(mark, Field):
                kinds[name] = mark
    return kinds
