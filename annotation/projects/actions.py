"""What changes projects, stages and items. Each action is one change, one transaction, one event."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings as site
from django.core.exceptions import ValidationError as FieldError
from django.db import IntegrityError, transaction
from django.utils import timezone
from pydantic import ValidationError

from annotation.corpus.models import Corpus
from annotation.events.actions import record
from annotation.projects import limits, queries
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.projects.quoting import with_quotes
from tasks import registry
from tasks.base import SourceItem, SourceProblem, problems_of

BATCH = 1_000
# Below what a row holds: later stages and later attempts put something behind a key (`/3/1`, `~2`).
MOST_KEY = Item._meta.get_field("key").max_length - 20
MOST_SPLIT = Item._meta.get_field("split").max_length
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


# --- Projects and stages --------------------------------------------------------------------------


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


# --- Items ----------------------------------------------------------------------------------------


@dataclass
class ImportReport:
    """What an import did: items added, known before (same key and payload), excluded by the filter; or its problems."""

    added: int = 0
    known: int = 0
    excluded: int = 0
    problems: list[SourceProblem] = field(default_factory=list)


class ImportRefused(Refused):
    """Source files with faults: nothing was imported. `report.problems` has file, line and reason of each."""

    def __init__(self, report: ImportReport):
        self.report = report
        shown = "; ".join(str(problem) for problem in report.problems[:5])
        more = f" (and {len(report.problems) - 5} more)" if len(report.problems) > 5 else ""
        super().__init__(f"nothing was imported: {shown}{more}")


def import_items(
    *,
    project: Project,
    paths: Iterable[Path | str],
    options: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Brings the items of source files into the pipeline's first stage: all of them, or none.

    The same item again adds nothing; the same key with another payload is a problem, for an item may
    have answers already. Items that the pipeline's filter excludes come in with the reason.
    Raises ImportRefused with the report when any line has a problem.
    """
    report = ImportReport()
    sources = _read(project, paths, options or {}, report)
    stage = project.stages.first()
    with transaction.atomic():
        # Two imports meet here: the second waits, then finds what the first has brought.
        Project.objects.select_for_update().get(pk=project.pk)
        fresh = _fresh_items(project, stage, sources, report)
        for chunk in _chunks(fresh):
            Item.objects.bulk_create(chunk)
            report.added += len(chunk)
            if progress:
                progress(report.added)
        if fresh:
            record(
                "items.imported",
                subject=stage,
                project_id=project.pk,
                added=report.added,
                known=report.known,
                excluded=report.excluded,
                files=[Path(path).name for path in paths],
            )
    return report


def _read(
    project: Project, paths: Iterable[Path | str], options: Mapping, report: ImportReport
) -> dict[str, SourceItem]:
    kind, settings = registry.pipeline(project.pipeline), queries.settings_of(project)
    known = [option.name for option in kind.read_options]
    if strange := sorted(set(options) - set(known)):
        raise Refused(
            f"the reader of {kind.name}'s files knows no option {', '.join(strange)}; "
            f"expected {', '.join(known) or 'none at all'}"
        )
    sources: dict[str, SourceItem] = {}
    for path in map(Path, paths):
        for entry in kind.read(path, options):
            if isinstance(entry, SourceProblem):
                report.problems.append(entry)
                continue
            for one in kind.spread(entry, settings):
                if fault := _why_not_stored(one):
                    report.problems.append(SourceProblem(path.name, 0, fault))
                elif (earlier := sources.get(one.key)) and earlier.payload != one.payload:
                    report.problems.append(SourceProblem(path.name, 0, f"{one.key} stands twice, with other content"))
                else:
                    sources[one.key] = one
    if report.problems:
        raise ImportRefused(report)
    return sources


def _why_not_stored(source: SourceItem) -> str:
    for what, text, most in (("key", source.key, MOST_KEY), ("split", source.split, MOST_SPLIT)):
        if len(text) > most:
            return f"{text[:60]}…: a {what} has at most {most} characters, found {len(text)}"
    return ""


def _fresh_items(project: Project, stage: Stage, sources: dict[str, SourceItem], report: ImportReport) -> list[Item]:
    kind, settings = registry.pipeline(project.pipeline), queries.settings_of(project)
    known = dict(stage.items.values_list("key", "payload"))
    drawn = queries.task_type_of(stage).draws
    fresh = []
    for key, source in sources.items():
        if key not in known:
            fresh.append(_new_item(stage, source, kind.screen(source.payload, settings)))
        elif not _is_same(known[key], source.payload, drawn):
            report.problems.append(SourceProblem(key, 0, "is in the project already, with other content"))
        else:
            report.known += 1
    if report.problems:
        raise ImportRefused(report)
    report.excluded = sum(item.state == Item.State.EXCLUDED for item in fresh)
    return fresh


def _is_same(stored: Mapping, given: Mapping, drawn: str) -> bool:
    """Whether a file gives what is stored; a field that was drawn since may be missing or empty there."""
    left_out = {drawn} if drawn and not given.get(drawn) else set()
    return {k: v for k, v in stored.items() if k not in left_out} == {
        k: v for k, v in given.items() if k not in left_out
    }


def _new_item(stage: Stage, source: SourceItem, reason: str, origin_id: int | None = None) -> Item:
    return Item(
        project_id=stage.project_id,
        stage=stage,
        key=source.key,
        split=source.split,
        payload=source.payload,
        state=Item.State.EXCLUDED if reason else Item.State.OPEN,
        reason=reason[:300],
        origin_id=origin_id,
        origin_answers=list(source.from_answers),
    )


def _chunks(rows: list) -> Iterator[list]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


@transaction.atomic
def add_item(*, stage: Stage, source: SourceItem, origin_id: int | None = None, is_quoted: bool = False) -> Item:
    """An item of a later stage, promoted from an outcome. The same key again gives the item there is.

    Where that one fell since, for the outcome was open to question, another one takes its place.
    `is_quoted`: the texts that it quotes stand in the payload already.
    """
    item = Item.objects.filter(stage=stage, key=source.key).first()
    while item is not None and item.state == Item.State.REJECTED:
        following = Item.objects.filter(replaces=item).first()
        if following is None:
            again = replace(source, key=next_key(item))
            return add_successor(of=item, source=again, origin_id=origin_id, is_quoted=is_quoted)
        item = following
    if item is None:
        item = _later_item(stage, source, origin_id, is_quoted)
        item.save()
        record("items.promoted", subject=item, project_id=stage.project_id, origin=origin_id)
    return item


def _later_item(stage: Stage, source: SourceItem, origin_id: int | None, is_quoted: bool) -> Item:
    payload = source.payload if is_quoted else with_quotes(stage, source.payload)
    return _new_item(stage, replace(source, payload=payload), "", origin_id)


# What begins the reason of an item that went because the one it was made of did.
WITHDRAWN = "withdrawn"
_ATTEMPT = re.compile(r"~(\d+)$")


def is_withdrawn(item: Item) -> bool:
    return item.state == Item.State.REJECTED and item.reason.startswith(f"{WITHDRAWN}:")


def next_key(item: Item) -> str:
    """The key of another attempt at the same thing that is free: `Cactus/3`, `Cactus/3~2`, `Cactus/3~3`."""
    found = _ATTEMPT.search(item.key)
    stem, number = (item.key[: found.start()], int(found[1])) if found else (item.key, 1)
    taken = set(Item.objects.filter(stage_id=item.stage_id, key__startswith=f"{stem}~").values_list("key", flat=True))
    while (key := f"{stem}~{number + 1}") in taken:
        number += 1
    return key


@transaction.atomic
def add_successor(
    *,
    of: Item,
    source: SourceItem,
    origin_id: int | None = None,
    reserved_for: Iterable[int] = (),
    is_quoted: bool = False,
) -> Item:
    """An item in the place of one that fell or was sent back; a second call gives the one there is.

    `reserved_for`: ids of answers whose workers alone may get it. `is_quoted`: as of `add_item`.
    """
    if (known := Item.objects.filter(replaces=of).first()) is not None:
        return known
    item = _later_item(of.stage, source, origin_id, is_quoted)
    item.split = source.split or of.split
    item.replaces, item.reserved_for = of, list(reserved_for)
    item.save()
    Item.objects.filter(pk=of.pk).update(is_fall_handled=True)
    record("item.replaced", subject=item, project_id=of.project_id, instead_of=of.key)
    return item


@transaction.atomic
def take_back_successor(*, of: Item) -> bool:
    """Lets a rejected item stand again: the one in its place goes, as if it had never been, if no HIT ever offered it.

    False: it is too late for that, and nothing was changed.
    """
    Item.objects.select_for_update(of=("self",)).get(pk=of.pk)
    successor = Item.objects.select_for_update(of=("self",)).filter(replaces=of).first()
    if successor is not None:
        if successor.state not in (Item.State.OPEN, Item.State.EXCLUDED) or successor.hits.exists():
            return False
        record("item.not_replaced", subject=of, project_id=of.project_id, key=successor.key)
        successor.delete()
    Item.objects.filter(pk=of.pk).update(is_fall_handled=False)
    return True


@transaction.atomic
def move_items(*, items: Iterable[int], to: str, reason: str = "", from_states: Iterable[str] | None = None) -> int:
    """Moves items, by id, to a state; only those that stand in `from_states`. Gives how many moved.

    The caller records what happened: a move is part of its change.
    """
    ids = list(items)
    moved = 0
    for chunk in _chunks(ids):
        rows = Item.objects.filter(pk__in=chunk)
        if from_states is not None:
            rows = rows.filter(state__in=list(from_states))
        moved += rows.update(state=to, reason=reason[:300], state_since=timezone.now())
    return moved


@transaction.atomic
def order_more_answers(*, item: Item, answers: int) -> None:
    """Wants more answers for an item than its stage asks; it is open again until they are in."""
    Item.objects.filter(pk=item.pk).update(
        extra_answers=item.extra_answers + answers, state=Item.State.OPEN, state_since=timezone.now()
    )
    item.refresh_from_db()


@transaction.atomic
def screen(*, project: Project) -> int:
    """Runs the pipeline's filter again over items that no HIT ever offered. Gives how many changed side."""
    kind, settings = registry.pipeline(project.pipeline), queries.settings_of(project)
    stage = project.stages.first()
    changed = []
    untouched = stage.items.filter(state__in=[Item.State.OPEN, Item.State.EXCLUDED], places__isnull=True)
    for item in untouched.iterator(chunk_size=BATCH):
        reason = kind.screen(item.payload, settings)[:300]
        state = Item.State.EXCLUDED if reason else Item.State.OPEN
        if (state, reason) != (item.state, item.reason):
            item.state, item.reason, item.state_since = state, reason, timezone.now()
            changed.append(item)
    for chunk in _chunks(changed):
        Item.objects.bulk_update(chunk, ["state", "reason", "state_since"])
    if changed:
        record("items.screened", subject=stage, project_id=project.pk, changed=len(changed))
    return len(changed)


# --- What all of them ask -------------------------------------------------------------------------


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
