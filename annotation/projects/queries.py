"""What is asked of projects: whose they are, what they are made of, where their items stand."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db.models import Count, F, Q, QuerySet, TextField
from django.db.models.functions import Cast
from pydantic import BaseModel

from annotation.projects.models import Item, Membership, Project, Stage
from tasks import registry
from tasks.base import Pipeline, TaskType

SCAN = 2_000


def projects_of(user: Any) -> QuerySet[Project]:
    """The projects that a person may see. Every page and endpoint starts from here."""
    if user.is_superuser:
        return Project.objects.all()
    return Project.objects.filter(memberships__user=user)


def role_of(user: Any, project: Project) -> str | None:
    """owner, researcher, reviewer, or None. A superuser is an owner everywhere."""
    if user.is_superuser:
        return Membership.Role.OWNER.value
    return Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()


def roles_of(user: Any, projects: Collection[Project]) -> dict[int, str]:
    """The same for several projects of a person, by id."""
    if user.is_superuser:
        return {project.pk: Membership.Role.OWNER.value for project in projects}
    return dict(Membership.objects.filter(user=user, project__in=projects).values_list("project_id", "role"))


def pipeline_of(project: Project) -> Pipeline:
    return registry.pipeline(project.pipeline)


def task_type_of(stage: Stage) -> TaskType:
    return registry.task_type(stage.task_type)


def settings_of(project: Project) -> BaseModel:
    """The project's choices in its pipeline's Settings shape, defaults filled in."""
    return pipeline_of(project).Settings.model_validate(project.settings)


def stage_settings(stage: Stage) -> BaseModel:
    return task_type_of(stage).Settings.model_validate(stage.settings)


def item_shape(item: Item) -> BaseModel:
    """The item's payload in its task type's Item shape."""
    return task_type_of(item.stage).Item.model_validate(item.payload)


def item_counts(project: Project) -> dict[str, dict[str, int]]:
    """How many items stand where: {stage name: {state: count}}, every state of every stage named."""
    return item_counts_of([project])[project.pk]


def item_counts_of(projects: Collection[Project]) -> dict[int, dict[str, dict[str, int]]]:
    """The same for several projects, by id."""
    counts: dict[int, dict[str, dict[str, int]]] = {project.pk: {} for project in projects}
    stages = Stage.objects.filter(project__in=list(counts)).order_by("position")
    places = {
        pk: counts[project].setdefault(name, dict.fromkeys(Item.State.values, 0))
        for pk, project, name in stages.values_list("id", "project_id", "name")
    }
    # By stage alone, so that the index of (stage, state) answers it without a look at any row.
    rows = Item.objects.filter(stage__in=list(places)).order_by().values("stage_id", "state")
    for row in rows.annotate(count=Count("id")):
        places[row["stage_id"]][row["state"]] = row["count"]
    return counts


# --- Words in items -------------------------------------------------------------------------------


def holding(rows: QuerySet, text: str, *, item: str = "") -> Iterator[int]:
    """The ids of those rows, in their order, whose item's key or any text of its payload holds `text`, in any case.

    `item`: the way from a row to its item, as in `item__`. The database looks for a part that reads the same in stored
    JSON of both databases; the rest is looked at here, so that a word never matches the name of a field.
    """
    needle = " ".join(text.split()).lower()
    candidates = rows.annotate(stored=Cast(f"{item}payload", TextField()), named=F(f"{item}key"))
    if plain := max(re.findall(r"[a-z0-9 ]+", needle), key=len, default=""):
        candidates = candidates.filter(Q(stored__icontains=plain) | Q(named__icontains=plain))
    for pk, key, stored in candidates.values_list("pk", "named", "stored").iterator(chunk_size=SCAN):
        if needle in key.lower() or any(needle in said.lower() for said in texts_in(json.loads(stored))):
            yield pk


def in_order(rows: QuerySet, ids: Iterable[int], count: int) -> list[Any]:
    """The rows of the first so many ids."""
    first = list(itertools.islice(ids, count))
    by_id = rows.in_bulk(first)
    return [by_id[pk] for pk in first if pk in by_id]


def texts_in(value: Any) -> Iterator[str]:
    """Every string in a JSON value, names of fields left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_in(part)
