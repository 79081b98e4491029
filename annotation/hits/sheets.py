"""What a HIT asks, ready to work with, and how a page's form becomes answers.

A HIT's items never change once it is planned, so each process keeps the sheets it used last. They are
known by the HIT's token, which is never given twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.db.models import QuerySet
from pydantic import BaseModel, ValidationError

from annotation.hits.models import HIT, HITItem
from annotation.hits.prepared import Prepared
from tasks import registry
from tasks.base import TaskType

# A page's form: {"<item id>.<field>": [values], "comment": [text]}.
Values = Mapping[str, list[str]]
# By item; where the form has a value of the wrong shape, the error that says so.
Answers = Mapping[int, BaseModel | ValidationError]


@dataclass(frozen=True)
class Place:
    """One item of a HIT. `number` counts from 1, as the worker sees it."""

    item_id: int
    number: int
    item: BaseModel


@dataclass(frozen=True)
class Sheet:
    """A HIT's items in their order, in the shape of its task type."""

    token: str
    hit_id: int
    project_id: int
    stage_id: int
    kind: TaskType
    places: tuple[Place, ...]

    @cached_property
    def names(self) -> dict[str, tuple[int, str]]:
        """Every name that the page's form may post, with the item and the field that it means."""
        return {
            f"{place.item_id}.{field}": (place.item_id, field) for place in self.places for field in self.kind.fields
        }

    @cached_property
    def item_ids(self) -> frozenset[int]:
        return frozenset(place.item_id for place in self.places)


@lru_cache(maxsize=1024)
def sheet_of(token: str) -> Sheet:
    """The sheet of the HIT with this token. Raises HIT.DoesNotExist."""
    rows = _places.all(token)
    if not rows:
        raise HIT.DoesNotExist(f"no HIT with items has the token {token!r}")
    hit_id, project_id, stage_id, name = rows[0][:4]
    kind = registry.task_type(name)
    places = tuple(
        Place(item_id, number, kind.Item.model_validate(payload))
        for number, (*_, item_id, payload) in enumerate(rows, 1)
    )
    return Sheet(token, hit_id, project_id, stage_id, kind, places)


@Prepared
def _places(token: str) -> QuerySet[HITItem]:
    return (
        HITItem.objects.filter(hit__token=token)
        .order_by("position")
        .values_list(
            *("hit_id", "hit__project_id", "hit__stage_id", "hit__stage__task_type", "item_id", "item__payload"),
        )
    )


def form_of(sheet: Sheet, item_id: int, values: Values) -> dict[str, list[str]]:
    """What the page's form says of one item, by field."""
    return {field: given for field in sheet.kind.fields if (given := values.get(f"{item_id}.{field}"))}


def answers_of(sheet: Sheet, values: Values) -> Answers:
    """What a form says of each item of a HIT."""
    answers: dict[int, BaseModel | ValidationError] = {}
    for place in sheet.places:
        try:
            answers[place.item_id] = sheet.kind.answer_from_form(form_of(sheet, place.item_id, values))
        except ValidationError as error:
            answers[place.item_id] = error
    return answers


def values_of(sheet: Sheet, answers: Mapping[int, dict]) -> dict[str, list[str]]:
    """The form that `answers_of` reads these answers from: what a worker who typed them would have posted."""
    return {
        f"{item_id}.{field}": [text]
        for item_id, data in answers.items()
        for field, kind in sheet.kind.fields.items()
        if (text := kind.present(data.get(field)))
    }


def read_copy(sheet: Sheet, copy: str) -> dict[int, dict]:
    """Answers by item, from the copy of the work that the marketplace got beside the receipt.

    The page sends `{"answers": {item: answer}}`, or `{"values": form}` where it could not reach us at all.
    Raises ValueError where the copy can't be read as answers to this HIT's items.
    """
    content = json.loads(copy)
    if not isinstance(content, dict):
        raise ValueError(f"expected an object with answers or values, found {type(content).__name__}")
    if isinstance(values := content.get("values"), dict):
        found = answers_of(sheet, values)
    else:
        given = content.get("answers", content)
        found = {
            item: sheet.kind.Answer.model_validate(given[str(item)]) for item in sheet.item_ids if str(item) in given
        }
    for answer in found.values():
        if isinstance(answer, ValidationError):
            raise answer
    return {item: answer.model_dump(mode="json") for item, answer in found.items()}
