"""What an expert may do to an outcome: structured operations over its fields, applied without side effects.

An operation is a small dict: `{"op": "reword", "text": "…"}`, `{"op": "remove", "index": 2}`. Removal is an
operation, never a text typed into an answer. Indexes count the answers of the outcome's value first,
then those that were added, in order; removing shifts nothing, so that `restore` finds its answer.

=============  ======================  ===========================================================
kind of field  operation               fields
=============  ======================  ===========================================================
Text           reword                  text
Choice         choose                  value
AnswerList     remove, restore         index
AnswerList     add                     text
AnswerList     add_short               text, for (the index of the wordy answer)
Steps          rewrite                 steps: all of them, each `{"text", "page"}`
Lines          relist                  lines: all of them
=============  ======================  ===========================================================

`field` names the outcome's field; it may be left out where only one field takes the operation. Another
kind of field joins by an Editor of its own in EDITORS; a kind without one is shown and left alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel

from tasks.fields import AnswerList, Choice, Field, Lines, Steps, Text, fields_of
from tasks.text import unwelcome_character

MOST_CHARACTERS = 1_000
MOST_OPERATIONS = 1_000
# What an operation says, by its name; whatever else a program sends along is not kept.
PARTS = {
    "reword": ("text",),
    "choose": ("value",),
    "remove": ("index",),
    "restore": ("index",),
    "add": ("text",),
    "add_short": ("text", "for"),
    "rewrite": ("steps",),
    "relist": ("lines",),
}


class BadOperation(ValueError):
    """An operation that can't be applied; the message says what was expected and what was found."""


class Editor:
    """How one kind of field is edited: a working state, operations on it, and the value that it ends in."""

    operations: ClassVar[dict[str, str]] = {}

    def start(self, value: Any) -> Any:
        return value

    def finish(self, working: Any) -> Any:
        return working

    def apply(self, kind: Field, working: Any, operation: Mapping) -> Any:
        """The working state after one operation. Never changes the one it is given."""
        method: Callable = getattr(self, self.operations[operation["op"]])
        return method(kind, working, operation)

    def read(self, name: str, kind: Field, working: Any, form: Mapping[str, Sequence[str]]) -> list[dict]:
        """The operations that a posted form asks for."""
        return []

    def fill(self, name: str, original: Any, working: Any, form: Mapping[str, Sequence[str]] | None) -> dict:
        """What the review page's fields hold: as posted, so that nothing typed is lost, else the working state."""
        return {"value": working}


class TextEditor(Editor):
    operations = {"reword": "reword"}

    def reword(self, kind: Text, working: str, operation: Mapping) -> str:
        return kind.tidied(_text(operation, kind.most_characters))

    def read(self, name: str, kind: Text, working: str, form: Mapping[str, Sequence[str]]) -> list[dict]:
        if name not in form:
            return []
        text = kind.parse(list(form[name]))
        # A source's own blanks and line breaks do not come back from a form as they were.
        return [] if text in (working, kind.parse([working])) else [{"op": "reword", "field": name, "text": text}]

    def fill(self, name: str, original: str, working: str, form: Mapping[str, Sequence[str]] | None) -> dict:
        return {"value": form[name][-1] if form and form.get(name) else working}


class ChoiceEditor(Editor):
    operations = {"choose": "choose"}

    def choose(self, kind: Choice, working: str, operation: Mapping) -> str:
        values = [value for value, _ in kind.options]
        if operation.get("value") not in values:
            raise BadOperation(f"expected one of {', '.join(values)}, found {operation.get('value')!r:.80}")
        return operation["value"]

    def read(self, name: str, kind: Choice, working: str, form: Mapping[str, Sequence[str]]) -> list[dict]:
        if not form.get(name) or form[name][-1] == working:
            return []
        return [{"op": "choose", "field": name, "value": form[name][-1]}]

    def fill(self, name: str, original: str, working: str, form: Mapping[str, Sequence[str]] | None) -> dict:
        return {"value": form[name][-1] if form and form.get(name) else working}


class AnswerListEditor(Editor):
    operations = {"remove": "remove", "restore": "restore", "add": "add", "add_short": "add_short"}

    def start(self, value: list[dict]) -> list[dict]:
        return [{**entry, "removed": False} for entry in value]

    def finish(self, working: list[dict]) -> list[dict]:
        return [
            {name: part for name, part in entry.items() if name != "removed"}
            for entry in working
            if not entry["removed"]
        ]

    def remove(self, kind: AnswerList, working: list[dict], operation: Mapping) -> list[dict]:
        return self._mark(working, operation, removed=True)

    def restore(self, kind: AnswerList, working: list[dict], operation: Mapping) -> list[dict]:
        return self._mark(working, operation, removed=False)

    def _mark(self, working: list[dict], operation: Mapping, *, removed: bool) -> list[dict]:
        index = _index(operation, "index", working)
        return [{**entry, "removed": removed} if place == index else entry for place, entry in enumerate(working)]

    def add(self, kind: AnswerList, working: list[dict], operation: Mapping) -> list[dict]:
        # As it is: what a form adds is tidied when it is read, what a program adds may need its exact blanks.
        return [*working, {"text": _text(operation, MOST_CHARACTERS), "origin": "reviewer", "removed": False}]

    def add_short(self, kind: AnswerList, working: list[dict], operation: Mapping) -> list[dict]:
        _index(operation, "for", working)
        return self.add(kind, working, operation)

    def read(self, name: str, kind: AnswerList, working: list[dict], form: Mapping[str, Sequence[str]]) -> list[dict]:
        indexes = sorted({_number(value, f"{name}.remove") for value in form.get(f"{name}.remove", [])})
        done = [{"op": "remove", "field": name, "index": index} for index in indexes]
        for index in range(len(working)):
            texts = form.get(f"{name}.short.{index}", [])
            done += [{"op": "add_short", "field": name, "text": text, "for": index} for text in _typed(texts)]
        return done + [{"op": "add", "field": name, "text": text} for text in _typed(form.get(f"{name}.add", []))]

    def fill(self, name: str, original: list[dict], working: list[dict], form: Mapping | None) -> dict:
        given = range(len(original))
        if form is not None:
            removed = {int(value) for value in form.get(f"{name}.remove", []) if _is_number(value)}
            short = {index: texts for index in given if (texts := _typed(form.get(f"{name}.short.{index}", [])))}
            return {"removed": removed, "short": short, "added": _typed(form.get(f"{name}.add", []))}
        return {
            "removed": {index for index in given if working[index]["removed"]},
            "short": {},
            "added": [entry["text"] for entry in working[len(original) :] if not entry["removed"]],
        }


class StepsEditor(Editor):
    operations = {"rewrite": "rewrite"}

    def rewrite(self, kind: Steps, working: list[dict], operation: Mapping) -> list[dict]:
        steps = operation.get("steps")
        if not isinstance(steps, list) or not all(map(_is_step, steps)):
            raise BadOperation(f'rewrite wants steps, each {{"text", "page"}} of texts, found {steps!r:.80}')
        if code := unwelcome_character("".join(step["text"] + step["page"] for step in steps)):
            raise BadOperation(f"rewrite: a step holds {code}, which can't be stored")
        return [{"text": step["text"].strip(), "page": step["page"].strip()} for step in steps]

    def read(self, name: str, kind: Steps, working: list[dict], form: Mapping[str, Sequence[str]]) -> list[dict]:
        if name not in form:
            return []
        steps = kind.parse(list(form[name]))
        return [] if steps == working else [{"op": "rewrite", "field": name, "steps": steps}]

    def fill(self, name: str, original: list[dict], working: list[dict], form: Mapping | None) -> dict:
        return {"value": form[name][-1] if form and form.get(name) else Steps().present(working)}


class LinesEditor(Editor):
    operations = {"relist": "relist"}

    def relist(self, kind: Lines, working: list[str], operation: Mapping) -> list[str]:
        lines = operation.get("lines")
        if not isinstance(lines, list) or not all(isinstance(line, str) and line.strip() for line in lines):
            raise BadOperation(f"relist wants lines, each a text that is not empty, found {lines!r:.80}")
        if len(lines) > kind.most or any(len(line) > MOST_CHARACTERS for line in lines):
            raise BadOperation(f"relist takes at most {kind.most} lines of {MOST_CHARACTERS:,} characters")
        if code := unwelcome_character("".join(lines)):
            raise BadOperation(f"relist: a line holds {code}, which can't be stored")
        return [" ".join(line.split()) for line in lines]

    def read(self, name: str, kind: Lines, working: list[str], form: Mapping[str, Sequence[str]]) -> list[dict]:
        if name not in form:
            return []
        lines = kind.parse(list(form[name]))
        return [] if lines == working else [{"op": "relist", "field": name, "lines": lines}]

    def fill(self, name: str, original: list[str], working: list[str], form: Mapping | None) -> dict:
        return {"value": form[name][-1] if form and form.get(name) else Lines().present(working)}


def _is_step(step: Any) -> bool:
    return (
        isinstance(step, Mapping)
        and set(step) == {"text", "page"}
        and all(isinstance(text, str) and len(text) <= MOST_CHARACTERS for text in step.values())
    )


EDITORS: dict[type[Field], Editor] = {
    Text: TextEditor(),
    Choice: ChoiceEditor(),
    AnswerList: AnswerListEditor(),
    Steps: StepsEditor(),
    Lines: LinesEditor(),
}


@dataclass(frozen=True)
class Part:
    """One field of an outcome as the reviewer meets it: what it was, what it has become."""

    name: str
    kind: Field
    editor: Editor
    original: Any
    working: Any

    @property
    def final(self) -> Any:
        return self.editor.finish(self.working)


def editor_of(kind: Field) -> Editor:
    return EDITORS.get(type(kind)) or Editor()


def parts_of(shape: type[BaseModel], value: Mapping, operations: Iterable[Mapping] = ()) -> dict[str, Part]:
    """The outcome's fields after the operations, by name. Raises BadOperation."""
    kinds = fields_of(shape)
    working = {name: editor_of(kind).start(value.get(name)) for name, kind in kinds.items()}
    for number, operation in enumerate(operations, start=1):
        try:
            name = _field_of(kinds, operation)
            working[name] = editor_of(kinds[name]).apply(kinds[name], working[name], operation)
        except BadOperation as bad:
            raise BadOperation(f"operation {number}: {bad}") from None
    return {
        name: Part(name=name, kind=kind, editor=editor_of(kind), original=value.get(name), working=working[name])
        for name, kind in kinds.items()
    }


def apply(shape: type[BaseModel], value: Mapping, operations: Iterable[Mapping]) -> dict:
    """The outcome's value after the operations; what no operation touched stays as it was."""
    return {**value, **{name: part.final for name, part in parts_of(shape, value, operations).items()}}


def bare(operation: Mapping) -> dict:
    """An operation as it is kept: its own parts, and nothing that a program sent along."""
    return {name: operation[name] for name in ("op", "field", *PARTS[operation["op"]]) if name in operation}


def read_json(text: str) -> list[dict]:
    """The operations that a program sends, not yet looked at one by one. Raises BadOperation where it is no list."""
    try:
        operations = json.loads(text)
    except RecursionError:
        raise BadOperation("operations is nested too deeply") from None
    except ValueError as error:
        raise BadOperation(f"operations is no JSON: {error}") from None
    if not isinstance(operations, list):
        raise BadOperation(f"operations must be a list, found {type(operations).__name__}")
    if len(operations) > MOST_OPERATIONS:
        raise BadOperation(f"operations are at most {MOST_OPERATIONS:,}, found {len(operations):,}")
    return operations


def read_form(shape: type[BaseModel], value: Mapping, form: Mapping[str, Sequence[str]]) -> list[dict]:
    """The operations that a posted review form asks for, in the order of the outcome's fields."""
    return [
        operation
        for name, part in parts_of(shape, value).items()
        for operation in part.editor.read(name, part.kind, part.working, form)
    ]


def _field_of(kinds: Mapping[str, Field], operation: Mapping) -> str:
    if not isinstance(operation, Mapping) or not isinstance(operation.get("op"), str):
        raise BadOperation(f'expected {{"op": "…"}}, found {operation!r:.80}')
    takers = [name for name, kind in kinds.items() if operation["op"] in editor_of(kind).operations]
    if "field" in operation:
        takers = [name for name in takers if name == operation["field"]]
    if len(takers) != 1:
        known = sorted({op for kind in kinds.values() for op in editor_of(kind).operations})
        where = f" for field {operation['field']!r:.80}" if "field" in operation else ""
        raise BadOperation(
            f"{operation['op']!r:.80}{where} fits {len(takers)} fields, expected one; there are {', '.join(known)}"
        )
    return takers[0]


def _text(operation: Mapping, most: int) -> str:
    text = operation.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadOperation(f"{operation['op']} wants a text, found {text!r:.80}")
    if len(text) > most:
        raise BadOperation(f"{operation['op']} takes at most {most:,} characters, found {len(text):,}")
    if code := unwelcome_character(text):
        raise BadOperation(f"{operation['op']}: the text holds {code}, which can't be stored")
    return text.strip()


def _index(operation: Mapping, name: str, working: Sequence) -> int:
    index = operation.get(name)
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(working):
        raise BadOperation(f"{operation['op']}: {name} must be from 0 to {len(working) - 1}, found {index!r:.80}")
    return index


def _number(value: str, name: str) -> int:
    if not _is_number(value):
        raise BadOperation(f"{name} must be the number of an answer, found {value!r:.40}")
    return int(value)


def _is_number(value: str) -> bool:
    return value.isascii() and value.isdecimal() and len(value) < 10


def _typed(texts: Sequence[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts if text.strip()]
