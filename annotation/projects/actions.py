"""What changes projects, stages and their people. Each action is one change, one transaction, one event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings as site
from django.core.exceptions import ValidationError as FieldError
from django.db import IntegrityError, transaction
from pydantic import ValidationError

from annotation.corpus.models import Corpus
from annotation.events.actions import record
from annotation.projects import limits
from annotation.projects.items import screen
from annotation.projects.models import Membership, Project, Stage
from tasks import registry
from tasks.base import problems_of

# Names that stand in the desk's addresses where a project's would.
RESERVED = {"new"}
STAGE_FIELDS = {
    "reward_cents",
    "answers_per_item",
    "items_per_hit",
    "minutes_allowed",
    "expected_seconds_per_item",
    "lifetime_days",
    "auto_approval_hours",
}
CHANGEABLE_STAGE_FIELDS = STAGE_FIELDS | {"settings", "review", "blind_share", "requirements", "approve_after_hours"}
CHANGEABLE_PROJECT_FIELDS = {"name", "settings", "budget_cap_cents", "wage_floor_cents", "contact"}


class Refused(ValueError):
    """A change that the rules don't allow; the message is for the person who asked."""


@transaction.atomic
def create_project(
    *,
    pipeline: str,
    name: str,
    slug: str,
    owner: Any = None,
    environment: str = "own",
    settings: Mapping | None = None,
    **fields: Any,
) -> Project:
    """Makes a project with one Stage a StagePlan. Raises Refused where a value is not one that it can have."""
    kind = _pipeline(pipeline)
    if environment not in site.MARKETPLACES:
        raise Refused(f"no marketplace {environment!r}; there are {', '.join(site.MARKETPLACES)}")
    if str(slug).lower() in RESERVED:
        raise Refused(f"a project can't be called {slug!r}: it is an address of the desk's own")
    _refuse_unknown(fields, CHANGEABLE_PROJECT_FIELDS)
    project = Project(
        pipeline=kind.name,
        name=name,
        slug=slug,
        environment=environment,
        settings=_valid_settings(kind.Settings, settings or {}),
        **fields,
    )
    _save_new(project)
    for position, plan in enumerate(kind.stages):
        defaults = {field: getattr(registry.task_type(plan.task_type).defaults, field) for field in STAGE_FIELDS}
        Stage.objects.create(
            project=project,
            name=plan.name,
            position=position,
            task_type=plan.task_type,
            crowd=plan.crowd,
            review=plan.review,
            blind_share=plan.blind_share,
            **defaults | plan.overrides,
        )
    if owner is not None:
        Membership.objects.create(project=project, user=owner, role=Membership.Role.OWNER)
    record("project.created", subject=project, project_id=project.pk, pipeline=kind.name, environment=environment)
    return project


def _save_new(project: Project) -> None:
    taken = f"there is a project {project.slug!r} already"
    if Project.objects.filter(slug=project.slug).exists():
        raise Refused(taken)
    _refuse_faulty(project, limits.PROJECT)
    try:
        with transaction.atomic():
            project.save()
    except IntegrityError:  # made by somebody else in this moment
        raise Refused(taken) from None


@transaction.atomic
def change_project(*, project: Project, **changes: Any) -> Project:
    """Changes a project's fields. New pipeline settings screen again the items that no HIT has offered yet."""
    _refuse_unknown(changes, CHANGEABLE_PROJECT_FIELDS)
    before = {name: getattr(project, name) for name in changes}
    if "settings" in changes:
        changes["settings"] = _valid_settings(registry.pipeline(project.pipeline).Settings, changes["settings"])
    for name, value in changes.items():
        setattr(project, name, value)
    _refuse_faulty(project, limits.PROJECT)
    project.save(update_fields=list(changes))
    changed = {name: [before[name], value] for name, value in changes.items() if before[name] != value}
    if changed:
        record("project.changed", subject=project, project_id=project.pk, changed=changed)
    if "settings" in changed:
        screen(project=project)
    return project


@transaction.atomic
def change_stage(*, stage: Stage, **changes: Any) -> Stage:
    """Changes what later HITs of a stage offer. HITs that are out keep what they promised."""
    _refuse_unknown(changes, CHANGEABLE_STAGE_FIELDS)
    if "settings" in changes:
        changes["settings"] = _valid_settings(registry.task_type(stage.task_type).Settings, changes["settings"])
    before = {name: getattr(stage, name) for name in changes}
    for name, value in changes.items():
        setattr(stage, name, value)
    _refuse_faulty(stage, limits.STAGE)
    if not 0 <= stage.blind_share <= 1:
        raise Refused(f"the share of blind reviews must be between 0 and 1, found {stage.blind_share}")
    stage.save(update_fields=list(changes))
    changed = {name: [before[name], value] for name, value in changes.items() if before[name] != value}
    if changed:
        record("stage.changed", subject=stage, project_id=stage.project_id, changed=changed)
    return stage


@transaction.atomic
def use_corpus(*, project: Project, corpus: Corpus | None) -> None:
    """Gives a project's people a corpus to search, another one, or none. Answers carry which it was."""
    before = project.corpus
    if before == corpus:
        return
    project.corpus = corpus
    project.save(update_fields=["corpus"])
    named = [each and f"{each.name} {each.digest}" for each in (before, corpus)]
    record("project.changed", subject=project, project_id=project.pk, changed={"corpus": named})


def open_project(*, project: Project) -> None:
    _move_project(project, Project.State.OPEN, "project.opened")


def pause_project(*, project: Project) -> None:
    """Nothing more is published; work that is out is still collected, paid and reviewed."""
    _move_project(project, Project.State.PAUSED, "project.paused")


def close_project(*, project: Project) -> None:
    _move_project(project, Project.State.CLOSED, "project.closed")


@transaction.atomic
def _move_project(project: Project, state: str, verb: str) -> None:
    if Project.objects.filter(pk=project.pk).exclude(state=state).update(state=state):
        record(verb, subject=project, project_id=project.pk)
    project.state = state


def open_stage(*, stage: Stage) -> None:
    _move_stage(stage, Stage.State.OPEN, "stage.opened")


def pause_stage(*, stage: Stage) -> None:
    _move_stage(stage, Stage.State.PAUSED, "stage.paused")


@transaction.atomic
def _move_stage(stage: Stage, state: str, verb: str) -> None:
    if Stage.objects.filter(pk=stage.pk).exclude(state=state).update(state=state):
        record(verb, subject=stage, project_id=stage.project_id)
    stage.state = state


@transaction.atomic
def add_member(*, project: Project, user: Any, role: str) -> Membership:
    """Gives a person a role in a project; a second call changes it."""
    if role not in Membership.Role.values:
        raise Refused(f"no role {role!r}; there are {', '.join(Membership.Role.values)}")
    standing = _held_membership(project, user)
    if standing is not None and role != Membership.Role.OWNER:
        _refuse_last_owner(standing)
    membership, _ = Membership.objects.update_or_create(project=project, user=user, defaults={"role": role})
    record("project.changed", subject=project, project_id=project.pk, member=f"user:{user.pk}", role=role)
    return membership


@transaction.atomic
def remove_member(*, project: Project, user: Any) -> None:
    """Takes a person's role away. The last owner stays."""
    membership = _held_membership(project, user)
    if membership is None:
        return
    _refuse_last_owner(membership)
    membership.delete()
    record("project.changed", subject=project, project_id=project.pk, member=f"user:{user.pk}", role=None)


def _held_membership(project: Project, user: Any) -> Membership | None:
    """A person's membership, with the project held: two owners who take each other's role wait for one another."""
    Project.objects.select_for_update().get(pk=project.pk)
    return Membership.objects.filter(project=project, user=user).first()


def _refuse_last_owner(membership: Membership) -> None:
    owners = Membership.objects.filter(project=membership.project_id, role=Membership.Role.OWNER)
    if membership.role == Membership.Role.OWNER and owners.count() == 1:
        raise Refused("a project keeps at least one owner")


def _pipeline(name: str):
    try:
        return registry.pipeline(name)
    except registry.UnknownKind as unknown:
        raise Refused(str(unknown)) from None


def _valid_settings(shape: type, values: Mapping) -> dict:
    try:
        return shape.model_validate(dict(values)).model_dump(mode="json")
    except ValidationError as error:
        raise Refused(f"settings: {problems_of(error)}") from None


def _refuse_unknown(changes: Mapping, allowed: set[str]) -> None:
    if unknown := sorted(set(changes) - allowed):
        raise Refused(f"no such setting: {', '.join(unknown)}; there are {', '.join(sorted(allowed))}")


def _refuse_faulty(row: Project | Stage, least_and_most: Mapping[str, tuple[int, int]]) -> None:
    """Refuses what no row of its kind can hold, in both databases alike, before the database does."""
    refuse_beyond(row, least_and_most)
    try:
        row.full_clean(validate_unique=False)
    except FieldError as error:
        faults = [f"{_spaced(name)}: {' '.join(said)}" for name, said in error.message_dict.items()]
        raise Refused("; ".join(faults)) from None


def refuse_beyond(row: Any, least_and_most: Mapping[str, tuple[int, int]]) -> None:
    """Refuses a row one of whose numbers is not within its limits, or no whole number."""
    for name, (least, most) in least_and_most.items():
        value = getattr(row, name)
        if not isinstance(value, int) or not least <= value <= most:
            shown = f"{value:,}" if isinstance(value, int) else repr(value)
            raise Refused(f"{_spaced(name)} must be between {least:,} and {most:,}, found {shown}")


def _spaced(name: str) -> str:
    return name.replace("_", " ")
