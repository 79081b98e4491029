"""R4C's published form, and the rows that it is made of."""

from collections.abc import Iterable, Mapping
from typing import Any

from tasks.base import Accepted, Shape
from tasks.r4c.filtering import is_answerable
from tasks.r4c.shapes import DerivationStep

# How the public files are called.
FILES = {"train": "train.json", "dev": "dev_csf.json"}


class Row(Shape):
    """An instance with its derivations, in parts that a table can hold."""

    id: str
    derivations: list[list[DerivationStep]]


def rows(accepted: Iterable[Accepted], stage: str) -> dict[str, list[dict]]:
    """Rows by split and id. The stage's outcome has `derivations`, each a list of steps by field names."""
    splits: dict[str, list[dict]] = {}
    for item in accepted:
        derivations = [
            [DerivationStep.model_validate(step).model_dump() for step in derivation["steps"]]
            for derivation in item.outcomes[stage]["derivations"]
        ]
        splits.setdefault(item.split, []).append({"id": item.key, "derivations": derivations})
    for released in splits.values():
        released.sort(key=lambda row: row["id"])
    return splits


def is_answerable_throughout(item: Accepted, stage: str, judging: str) -> bool:
    """Whether each of an instance's derivations has its majority for yes."""
    return is_judged_throughout(item, stage, judging) and is_answerable(verdicts_of(item, judging))


def is_judged_throughout(item: Accepted, stage: str, judging: str) -> bool:
    """Whether there is a verdict on each of an instance's derivations."""
    return len(verdicts_of(item, judging)) == len(item.outcomes[stage]["derivations"])


def verdicts_of(item: Accepted, judging: str) -> list[str]:
    """The verdicts that there are on an instance's derivations, in no order."""
    return [follower.outcome["verdict"] for follower in item.followers.get(judging, []) if follower.outcome]


def published_row(row: Mapping[str, Any]) -> dict:
    """A row with its steps as the public files write them: `[title, sentence, [head, relation, tail]]`."""
    derivations = [
        [DerivationStep.model_validate(step).published() for step in derivation] for derivation in row["derivations"]
    ]
    return {"id": row["id"], "derivations": derivations}


def published(rows: Iterable[Mapping[str, Any]]) -> dict[str, list]:
    """The JSON object of a released file: id → derivations."""
    return {row["id"]: row["derivations"] for row in map(published_row, rows)}
