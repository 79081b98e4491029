"""Sets up a qualification test: what it asks, which items it has, who may take it; offers it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from pydantic import ValidationError

from annotation.events.actions import record
from annotation.hits.expiring import expire_hit
from annotation.hits.models import HIT
from annotation.hits.offering_trials import publish_trials, quote_trials
from annotation.hits.publishing import Quote, Terms
from annotation.projects.actions import Refused, refuse_beyond
from annotation.projects.items import move_items
from annotation.projects.limits import STAGE
from annotation.projects.models import Item, Stage
from annotation.projects.queries import pipeline_of, task_type_of
from annotation.trials.grading import close_grades, locked
from annotation.trials.models import Programme, Trial, TrialItem
from annotation.workers.qualifying import make_qualification, require
from annotation.workers.requirements import fault_of
from tasks.base import SourceProblem, TaskType, problems_of, run_checks
from tasks.sources import Record, records

LIMITS = {
    "cents_per_item": STAGE["reward_cents"],
    "items_per_trial": STAGE["items_per_hit"],
    "most_attempts": (1, 10),
    "graders": (1, 2),
} | {name: STAGE[name] for name in ("minutes_allowed", "lifetime_days", "approve_after_hours", "auto_approval_hours")}
CHANGEABLE = set(LIMITS) | {"gate", "rubric"}
# What the protocol takes of requirements to a HIT, less the test's own.
MOST_GATE = 9
MOST_TITLE = 128
MOST_KEY = Item._meta.get_field("key").max_length


# --- The test -------------------------------------------------------------------------------------


@transaction.atomic
def make_programme(*, stage: Stage, name: str, description: str, ask_for_it: bool = True, **fields: Any) -> Programme:
    """Makes a qualification with its test in the form of a stage, whose HITs ask for it from now on.

    What `fields` don't say is as `settings_of_new` has it.
    """
    if not stage.crowd:
        raise Refused(f"{stage.name} is the experts': workers don't do it, so there is nothing to try")
    _refuse_unknown(fields)
    settings = settings_of_new(stage, items_per_trial=fields.get("items_per_trial")) | fields
    qualification = make_qualification(project=stage.project, name=name, description=description)
    programme = Programme(qualification=qualification, stage=stage, **settings)
    _refuse_impossible(programme)
    programme.save()
    if ask_for_it:
        require(qualification=qualification, stage=stage)
    record("programme.made", subject=programme, project_id=stage.project_id, stage=stage.name, name=name)
    return programme


@transaction.atomic
def change_programme(*, programme: Programme, **changes: Any) -> Programme:
    """Changes what later trials promise and how they are read. Trials that are out keep what they promised.

    Where fewer grades are wanted from now on, trials that have as many are decided.
    """
    _refuse_unknown(changes)
    Programme.objects.select_for_update().get(pk=programme.pk)
    before = {name: getattr(programme, name) for name in changes}
    for name, value in changes.items():
        setattr(programme, name, value)
    _refuse_impossible(programme)
    if before.get("rubric", programme.rubric) != programme.rubric and programme.trials.filter(grades__isnull=False):
        raise Refused("the rubric stands once a trial was graded by it: grades would no longer compare")
    programme.save(update_fields=list(changes))
    changed = {name: [before[name], value] for name, value in changes.items() if before[name] != value}
    if changed:
        project_id = programme.stage.project_id
        record("programme.changed", subject=programme, project_id=project_id, changed=changed)
    if "graders" in changed:
        _close_what_is_graded(programme)
    return programme


def _close_what_is_graded(programme: Programme) -> None:
    rows = Trial.objects.filter(programme=programme, state=Trial.State.WAITING, grades__isnull=False).order_by("id")
    for pk in list(rows.distinct().values_list("pk", flat=True)):
        close_grades(locked(pk))


def settings_of_new(stage: Stage, *, items_per_trial: int | None = None) -> dict[str, Any]:
    """What a new test of a stage starts with: a trial is one of its HITs, for who may take those.

    As many items and as much time, its pay for them; more time where a trial has more items.
    """
    items = items_per_trial or stage.items_per_hit
    return {
        "cents_per_item": max(1, round(stage.reward_cents / stage.items_per_hit)),
        "items_per_trial": items,
        "most_attempts": 1,
        "graders": 2,
        "minutes_allowed": max(stage.minutes_allowed, stage.minutes_allowed * items // stage.items_per_hit),
        "lifetime_days": 14,
        "approve_after_hours": 0,
        "auto_approval_hours": 72,
        "gate": list(stage.requirements),
        "rubric": rubric_of(task_type_of(stage)),
    }


def rubric_of(kind: TaskType) -> list[dict]:
    """A task type's rubric as a programme keeps it."""
    return [{**asdict(one), "levels": list(one.levels)} for one in kind.rubric]


def _refuse_unknown(changes: Mapping) -> None:
    if unknown := sorted(set(changes) - CHANGEABLE):
        raise Refused(f"a test has no {', '.join(unknown)}; it has {', '.join(sorted(CHANGEABLE))}")


def _refuse_impossible(programme: Programme) -> None:
    refuse_beyond(programme, LIMITS)
    if programme.approve_after_hours and programme.approve_after_hours >= programme.auto_approval_hours:
        raise Refused(
            f"pay waits {programme.approve_after_hours} hours for a verdict, but the marketplace pays by itself after "
            f"{programme.auto_approval_hours}: wait for fewer hours than that"
        )
    if not isinstance(programme.gate, list) or len(programme.gate) > MOST_GATE:
        raise Refused(f"the gate is a list of at most {MOST_GATE} requirements")
    for requirement in programme.gate:
        if fault := fault_of(requirement):
            raise Refused(f"the gate: {fault}")
    _refuse_faulty_rubric(programme.rubric)


def _refuse_faulty_rubric(rubric: Any) -> None:
    if not isinstance(rubric, list) or not rubric or len(rubric) > 12:
        raise Refused("a rubric is a list of 1 to 12 questions")
    names = set()
    for one in rubric:
        fits = (
            isinstance(one, dict)
            and set(one) == {"name", "question", "levels"}
            and all(isinstance(one[part], str) and one[part].strip() for part in ("name", "question"))
            and isinstance(one["levels"], list)
            and 2 <= len(one["levels"]) <= 9
            and all(isinstance(level, str) and level.strip() for level in one["levels"])
        )
        if not fits:
            raise Refused(
                "each question of a rubric has a name, a question, and 2 to 9 levels in words, "
                f"the worst first; found {str(one)[:100]}"
            )
        if not one["name"].isidentifier() or one["name"] in names:
            raise Refused(f"a rubric's names are single words, each once; found {one['name']!r}")
        names.add(one["name"])


# --- Its items ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """An item for a test: its key, its payload, and an answer that is known to be good (None: there is none)."""

    key: str
    payload: dict
    answer: dict | None = None


def read_items(programme: Programme, path: Path) -> list[Known]:
    """Items of a file: JSON Lines of `{"key", "item", "answer"}`, or a source file of the pipeline's first stage.

    Raises Refused, with file and line, where one can't be read.
    """
    first = next(records(path), None) if path.suffix == ".jsonl" else None
    if isinstance(first, Record) and isinstance(first.value, dict) and "item" in first.value:
        return [_known(path.name, record) for record in records(path)]
    if programme.stage.position != 0:
        if isinstance(first, SourceProblem):
            raise Refused(str(first))
        raise Refused(
            f'{path.name}: expected JSON Lines of {{"key", "item", "answer"}} for the stage {programme.stage}'
        )
    found = []
    for entry in pipeline_of(programme.stage.project).read(path, {}):
        if isinstance(entry, SourceProblem):
            raise Refused(str(entry))
        found.append(Known(entry.key, entry.payload))
    return found


def _known(file: str, record: Record | SourceProblem) -> Known:
    if isinstance(record, SourceProblem):
        raise Refused(str(record))
    row = record.value
    if not isinstance(row, dict) or not isinstance(row.get("item"), dict):
        raise Refused(f'{file}:{record.line}: expected {{"key": …, "item": {{…}}, "answer": {{…}}}}')
    key = row.get("key") or f"{Path(file).stem}-{record.line}"
    if not isinstance(key, str | int):
        raise Refused(f"{file}:{record.line}: a key is a text, found {str(key)[:80]}")
    return Known(str(key), row["item"], row.get("answer"))


def example_items(programme: Programme) -> list[Known]:
    """The task type's own examples of good answers that its instructions do not show."""
    kind = task_type_of(programme.stage)
    good = [one for one in kind.examples() if not one.finding and not one.shown]
    return [Known(f"example-{programme.pk}-{number}", one.item, one.answer) for number, one in enumerate(good, 1)]


@transaction.atomic
def add_items(*, programme: Programme, items: Iterable[Known]) -> int:
    """Brings items into a test: all of them, or none. They are never collected or released. Gives how many are new."""
    kind, stage = task_type_of(programme.stage), programme.stage
    there = set(programme.trial_items.values_list("item__key", flat=True))
    added = 0
    for known in items:
        if known.key in there:
            continue
        payload, answer = _checked(kind, known)
        if stage.items.filter(key=known.key).exists():
            raise Refused(f"{known.key} is an item of {stage.name} already: set that one aside for the test instead")
        item = Item.objects.create(
            project_id=stage.project_id,
            stage=stage,
            key=known.key,
            payload=payload,
            state=Item.State.TRIAL,
            reason=f"of the test for {programme.qualification.name}"[:300],
        )
        TrialItem.objects.create(programme=programme, item=item, reference=answer)
        there.add(known.key)
        added += 1
    if added:
        record("programme.items_added", subject=programme, project_id=stage.project_id, added=added)
    return added


def _checked(kind: TaskType, known: Known) -> tuple[dict, dict | None]:
    """The item and its answer in their shapes; an answer that the page would send back is no good one."""
    if len(known.key) > MOST_KEY:
        raise Refused(f"{known.key[:MOST_KEY]}…: a key has at most {MOST_KEY} characters, found {len(known.key):,}")
    try:
        item = kind.Item.model_validate(known.payload)
        answer = None if known.answer is None else kind.Answer.model_validate(known.answer)
    except ValidationError as error:
        raise Refused(f"{known.key}: {problems_of(error)}") from None
    if answer is not None:
        pure = [check for check in kind.checks if not check.needs]
        blocked = [finding for finding in run_checks(pure, item, answer) if finding.level == "block"]
        if blocked:
            raise Refused(f"{known.key}: its answer would be sent back: {blocked[0].message}")
    return item.model_dump(mode="json", by_alias=True), answer.model_dump(mode="json") if answer is not None else None


@transaction.atomic
def set_aside(*, programme: Programme, keys: Sequence[str] = (), first: int = 0) -> int:
    """Takes open items out of collection and into a test, by key, or the first so many. Gives how many."""
    if not keys and first < 1:
        raise Refused(f"at least one item is set aside, found {first:,}")
    rows = programme.stage.items.filter(state=Item.State.OPEN, places__isnull=True).order_by("id")
    if keys:
        found = {item.key: item for item in rows.filter(key__in=list(keys)).select_for_update(of=("self",))}
        if missing := [key for key in keys if key not in found]:
            raise Refused(f"{', '.join(missing[:5])}: no open item of {programme.stage.name} that no HIT ever offered")
        chosen = [found[key] for key in dict.fromkeys(keys)]
    else:
        chosen = list(rows.select_for_update(of=("self",))[:first])
        if len(chosen) < first:
            raise Refused(f"{programme.stage.name} has {len(chosen)} open items that no HIT ever offered, not {first}")
    reason = f"of the test for {programme.qualification.name}"
    move_items(items=[item.pk for item in chosen], to=Item.State.TRIAL, reason=reason, from_states=[Item.State.OPEN])
    TrialItem.objects.bulk_create(TrialItem(programme=programme, item=item) for item in chosen)
    if chosen:
        about = {"added": len(chosen), "set_aside": True}
        record("programme.items_added", subject=programme, project_id=programme.stage.project_id, **about)
    return len(chosen)


@transaction.atomic
def bring_in(*, programme: Programme, items: Iterable[Known] = (), keys: Sequence[str] = (), first: int = 0) -> int:
    """Adds items to a test and sets open ones aside for it, by key or the first so many: all of it, or nothing.

    Gives how many are new.
    """
    added = add_items(programme=programme, items=items)
    return added + set_aside(programme=programme, keys=keys, first=first) if keys or first else added


def sets_of(programme: Programme) -> list[list[int]]:
    """The item ids of each trial, in the order in which they came; what does not fill a trial is left out."""
    ids = list(programme.trial_items.order_by("id").values_list("item_id", flat=True))
    size = programme.items_per_trial
    return [ids[start : start + size] for start in range(0, len(ids) - size + 1, size)]


# --- Offering it ----------------------------------------------------------------------------------


def terms_of(programme: Programme) -> Terms:
    """What a trial HIT promises. It says what it is, and asks that nobody takes it who has taken it."""
    kind, qualification = task_type_of(programme.stage), programme.qualification
    untried = {"QualificationTypeId": qualification.type_id, "Comparator": "DoesNotExist"}
    return Terms(
        title=f"Qualification test: {kind.title}"[:MOST_TITLE],
        description=(
            "A paid trial of this task. People read your work and write back to you; who passes may do the real "
            f"HITs. {kind.description}"
        )[:2_000],
        keywords=f"qualification test, {kind.keywords}"[:1_000],
        reward_cents=programme.cents_per_item * programme.items_per_trial,
        minutes_allowed=programme.minutes_allowed,
        lifetime_days=programme.lifetime_days,
        auto_approval_hours=programme.auto_approval_hours,
        requirements=(*programme.gate, untried),
        trial_of=qualification,
    )


def problems_of_test(programme: Programme) -> list[str]:
    """What must be put right before a test can be offered."""
    sets, items = sets_of(programme), programme.trial_items.count()
    if items and not sets:
        return [f"a trial has {programme.items_per_trial} items, and the test has only {items}"]
    if sets and len(sets) < programme.most_attempts:
        return [
            f"a worker may try {programme.most_attempts} times, each time with other items, and there "
            f"{'are' if len(sets) > 1 else 'is'} only {len(sets)} set{'s' if len(sets) > 1 else ''} of them"
        ]
    return []


def quote_programme(programme: Programme, *, workers: int) -> Quote:
    """What it costs to let so many workers take each set of the test."""
    return quote_trials(
        programme.stage,
        sets=sets_of(programme),
        workers=workers,
        terms=terms_of(programme),
        problems=problems_of_test(programme),
    )


def publish_programme(
    *, programme: Programme, workers: int, confirmed_cents: int, digest: str, below_floor_ok: bool = False
) -> list[HIT]:
    """Offers the test to so many workers a set: once for each quote, known by its `digest`.

    Raises Refused where budget, floor or a missing part forbid it, or the quote is another one by now.
    """
    programme = Programme.objects.select_related("qualification", "stage__project").get(pk=programme.pk)
    return publish_trials(
        stage=programme.stage,
        sets=sets_of(programme),
        workers=workers,
        terms=terms_of(programme),
        problems=problems_of_test(programme),
        confirmed_cents=confirmed_cents,
        digest=digest,
        below_floor_ok=below_floor_ok,
    )


def end_trials(*, programme: Programme) -> int:
    """Takes a test's HITs off the market; who accepted one in time may finish. Gives for how many it is new."""
    live = programme.qualification.trial_hits.filter(state__in=[HIT.State.PLANNED, HIT.State.OFFERED])
    return sum(expire_hit(hit=hit) for hit in list(live))
