"""R4C's published form, and the rows that it is made of."""

from collections.abc import Iterable, Mapping
from typing import Any

from tasks.base import Accepted, Shape
from tasks.r4c.shapes import DerivationStep


class Row(Shape):
    """An instance with its derivations; a step is `[title, sentence, [head, relation, tail]]`."""

    id: str
    derivations: list[list[list]]


def rows(accepted: Iterable[Accepted], stage: str) -> dict[str, list[dict]]:
    """Rows by split and id. The stage's outcome has `derivations`, each a list of steps by field names."""
    splits: dict[str, list[dict]] = {}
    for item in accepted:
        derivations = [
            [DerivationStep.model_validate(step).published() for step in derivation["steps"]]
            for derivation in item.outcomes[stage]["derivations"]
        ]
        splits.setdefault(item.split, []).append({"id": item.key, "derivations": derivations})
    for released in splits.values():
        released.sort(key=lambda row: row["id"])
    return splits


def published(rows: Iterable[Mapping[str, Any]]) -> dict[str, list]:
    """The JSON object of a released file: id → derivations."""
    return {row["id"]: row["derivations"] for row in rows}
