"""What is asked of projects: whose they are, what they are made of, where their items stand."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet
from pydantic import BaseModel

from annotation.projects.models import Item, Membership, Project, Stage
from tasks import registry
from tasks.base import Pipeline, TaskType


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
    names = dict(project.stages.order_by("position").values_list("id", "name"))
    counts = {name: dict.fromkeys(Item.State.values, 0) for name in names.values()}
    # By stage alone, so that the index of (stage, state) answers it without a look at any row.
    rows = Item.objects.filter(stage__in=list(names)).order_by().values("stage_id", "state").annotate(count=Count("id"))
    for row in rows:
        counts[names[row["stage_id"]]][row["state"]] = row["count"]
    return counts
