"""What supports the steps of a decomposition: paragraphs of a corpus, and marks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tasks.fields.base import Field
from tasks.fields.lines import as_mapping, escaped, lines_of, numbered, parts_of


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
        for number, text in numbered(line for line in lines_of(values) if line.strip(" |")):
            self._read(found.setdefault(number, _nothing() | {"paragraphs": []}), text)
        for step in found.values():
            step["paragraphs"] = step["paragraphs"] or None
        return [found.get(place, _nothing()) for place in range(1, max(found, default=0) + 1)]

    def _read(self, step: dict, line: str) -> None:
        for text in filter(None, map(str.strip, parts_of(line))):
            if mark := self.marks.get(text):
                step[mark] = True
            else:
                step["paragraphs"].append(text)

    def present(self, value: Iterable[Any] | None) -> str:
        lines = []
        for number, step in enumerate(map(as_mapping, value or []), 1):
            marks = [word for word, name in self.marks.items() if step[name]]
            if parts := [*map(escaped, step["paragraphs"] or []), *marks]:
                lines.append(f"{number}: {' | '.join(parts)}")
        return "\n".join(lines)

    def steps_of(self, item: Mapping) -> list[str]:
        """The texts of an item's steps."""
        return [step if isinstance(step, str) else step["text"] for step in item.get(self.steps_from, [])]

    def told(self, value: Iterable[Any] | None) -> list[str]:
        return [f"#{number}: {said_of_step(as_mapping(step))}" for number, step in enumerate(value or [], 1)]


def _nothing() -> dict:
    return {"paragraphs": None, "is_operation": False, "lacks_evidence": False}


def said_of_step(step: Mapping) -> str:
    """What one matcher says of one step, in words."""
    found = list(step["paragraphs"] or [])
    lacks = ["only partial evidence" if found else "no evidence"] if step["lacks_evidence"] else []
    return "; ".join([*found, *lacks, *(["operation"] if step["is_operation"] else [])]) or "nothing"
