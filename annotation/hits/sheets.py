"""What a HIT asks, ready to work with, and how a page's form becomes answers.

A HIT's items never change once it is planned, so each process keeps the sheets it used last. They are
known by the HIT's token, which is never given twice.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.db.models import QuerySet
from pydantic import BaseModel, ValidationError

from annotation.hits.models import HIT, HITItem
from annotation.prepared import Prepared
from tasks import registry
from tasks.base import TaskType

# A page's form: {"<item id>.<field>": [values], "comment": [text]}.
Values = Mapping[str, list[str]]
# By item; where the form has a value of the wrong shape, the error that says so.
Answers = Mapping[int, BaseModel | ValidationError]
# NUL, which no database takes, and half characters, which no file takes.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Far beyond what any field shows room for; the checks say what is too long to be an answer.
MOST_CHARACTERS = 20_000
# Of a copy that came by way of the marketplace: entries of one list or object, and how deep they lie.
MOST_ENTRIES, MOST_DEPTH = 1_000, 32


@dataclass(frozen=True)
class Place:
    """One item of a HIT. `number` counts from 1, as the worker sees it. `is_reserved`: sent back to its author."""

    item_id: int
    number: int
    item: BaseModel
    is_reserved: bool = False


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


@lru_cache(maxsize=256)
def sheet_of(token: str) -> Sheet:
    """The sheet of the HIT with this token. Raises HIT.DoesNotExist."""
    rows = _places.all(token)
    if not rows:
        raise HIT.DoesNotExist(f"no HIT with items has the token {token!r}")
    hit_id, project_id, stage_id, name = rows[0][:4]
    kind = registry.task_type(name)
    places = tuple(
        Place(item_id, number, kind.Item.model_validate(payload), bool(reserved))
        for number, (*_, item_id, payload, reserved) in enumerate(rows, 1)
    )
    return Sheet(token, hit_id, project_id, stage_id, kind, places)


@Prepared
def _places(token: str) -> QuerySet[HITItem]:
    return (
        HITItem.objects.filter(hit__token=token)
        .order_by("position")
        .values_list(
            *("hit_id", "hit__project_id", "hit__stage_id", "hit__stage__task_type"),
            *("item_id", "item__payload", "item__reserved_for"),
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
        f"{item_id}.{field}": texts
        for item_id, data in answers.items()
        for field, kind in sheet.kind.fields.items()
        if (texts := kind.values(data.get(field)))
    }


@dataclass(frozen=True)
class Copy:
    """The work as the marketplace keeps it beside the receipt."""

    answers: dict[int, dict]
    comment: str


def read_copy(sheet: Sheet, text: str) -> Copy:
    """Reads the field `answers` of a hand-in, for work that was never stored here. Raises ValueError.

    The page sends `{"answers": {item: answer}, "comment": text}`, or `{"values": form}` where it could not
    reach us at all. It comes from a worker's browser, past the page's own limits: anything may be in it.
    """
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError(f"expected at most {MOST_DEPTH} lists and objects inside each other") from None
    _refuse_what_no_page_sends(content)
    if not isinstance(content, dict):
        raise ValueError(f"expected an object, found {type(content).__name__}")
    found, comment = _from_form(sheet, content["values"]) if "values" in content else _from_answers(sheet, content)
    for answer in found.values():
        if isinstance(answer, ValidationError):
            raise answer
    return Copy({item: answer.model_dump(mode="json") for item, answer in found.items()}, comment)


def _refuse_what_no_page_sends(content: Any) -> None:
    """Raises ValueError for JSON that is deeper, wider or longer than any page's, or that no database takes."""
    inside = [(content, 1)]
    while inside:
        value, depth = inside.pop()
        if isinstance(value, str):
            if len(value) > MOST_CHARACTERS:
                raise ValueError(f"at most {MOST_CHARACTERS:,} characters a text are taken, found {len(value):,}")
            if UNSTORABLE.search(value):
                raise ValueError("it holds a character that can't be stored")
        elif isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"expected a number, found {value}")
        elif isinstance(value, (list, dict)):
            if depth > MOST_DEPTH:
                raise ValueError(f"expected at most {MOST_DEPTH} lists and objects inside each other")
            if len(value) > MOST_ENTRIES:
                raise ValueError(f"expected at most {MOST_ENTRIES:,} entries, found {len(value):,}")
            parts = [*value, *value.values()] if isinstance(value, dict) else value
            inside.extend((part, depth + 1) for part in parts)


def _from_form(sheet: Sheet, values: Any) -> tuple[Answers, str]:
    if not isinstance(values, dict) or not all(
        isinstance(given, list) and all(isinstance(text, str) for text in given) for given in values.values()
    ):
        raise ValueError("values: expected lists of texts by name")
    return answers_of(sheet, values), (values.get("comment") or [""])[-1]


def _from_answers(sheet: Sheet, content: dict) -> tuple[Answers, str]:
    given, comment = content.get("answers", content), content.get("comment", "")
    if not isinstance(given, dict) or not isinstance(comment, str):
        raise ValueError("answers: expected an answer by item, and a comment that is text")
    kind = sheet.kind
    return {
        item: kind.Answer.model_validate(given[str(item)]) for item in sheet.item_ids if str(item) in given
    }, comment
