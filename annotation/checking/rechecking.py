"""Runs today's checks over stored answers, and reports what they say differently than before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import transaction

from annotation.checking.context import Scope, gather
from annotation.checking.judging import judge
from annotation.checking.models import CheckResult
from annotation.events.actions import record
from annotation.hits.models import Answer, Assignment
from annotation.projects.models import Project, Stage
from annotation.projects.queries import task_type_of

HANDED_IN = [
    state for state in Assignment.State.values if state not in (Assignment.State.OPEN, Assignment.State.SUPERSEDED)
]
MOST_EXAMPLES = 5
ANSWERS_A_TURN = 500


@dataclass
class Change:
    """One check of one stage: in which versions it spoke, and how often it says the same, more or less than before."""

    check: str
    versions_before: set[int] = field(default_factory=set)
    version_now: int | None = None
    same: int = 0
    appeared: int = 0
    gone: int = 0
    examples: list[str] = field(default_factory=list)

    def as_data(self) -> dict:
        return {
            "check": self.check,
            "versions_before": sorted(self.versions_before),
            "version_now": self.version_now,
            "same": self.same,
            "appeared": self.appeared,
            "gone": self.gone,
            "examples": self.examples,
        }


def recheck(*, project: Project, is_trial: bool = False, progress: object = None) -> dict:
    """Check every stored answer again and store what changed; `is_trial`: only report."""
    stages = [_recheck_stage(stage, is_trial, progress) for stage in project.stages.order_by("position")]
    report = {"project": project.slug, "stored": not is_trial, "stages": stages}
    if not is_trial:
        counts = {
            stage["stage"]: {each["check"]: [each["appeared"], each["gone"]] for each in stage["checks"]}
            for stage in stages
        }
        record("answers.rechecked", subject=project, project_id=project.pk, changes=counts)
    return report


def _recheck_stage(stage: Stage, is_trial: bool, progress: object) -> dict:
    kind = task_type_of(stage)
    context = gather(kind.checks, Scope(stage.project_id, stage.pk))
    changes: dict[str, Change] = {}
    for check in kind.checks:
        changes[check.name] = Change(check.name, version_now=check.version)
    answers = (
        Answer.objects.filter(item__stage=stage, assignment__state__in=HANDED_IN).select_related("item").order_by("pk")
    )
    count = 0
    for some in _in_turns(answers.iterator(ANSWERS_A_TURN)):
        before = _stored(some)
        with transaction.atomic():
            for answer in some:
                item = kind.Item.model_validate(answer.item.payload)
                said = kind.Answer.model_validate(answer.data)
                now = judge(kind, item, said, kind.checks, context)
                _compare(answer, before[answer.assignment_id, answer.item_id], now, changes, is_trial)
        count += len(some)
        if callable(progress):
            progress(count)
    return {"stage": stage.name, "answers": count, "checks": [change.as_data() for change in changes.values()]}


def _in_turns(answers: Iterable[Answer]) -> Iterable[list[Answer]]:
    turn: list[Answer] = []
    for answer in answers:
        turn.append(answer)
        if len(turn) == ANSWERS_A_TURN:
            yield turn
            turn = []
    if turn:
        yield turn


def _stored(answers: list[Answer]) -> dict[tuple[int, int], list[CheckResult]]:
    found = defaultdict(list)
    for result in CheckResult.objects.filter(assignment__in={answer.assignment_id for answer in answers}):
        found[result.assignment_id, result.item_id].append(result)
    return found


def _compare(answer: Answer, before: list[CheckResult], now: list, changes: dict[str, Change], is_trial: bool) -> None:
    """Count what stayed, came and went, and bring the stored findings up to date."""
    old = {(result.check_name, result.version, result.field, result.level, result.message): result for result in before}
    new = {(each.check, each.version, each.field, each.level, each.message): each for each in now}
    said_before = {result.check_name for result in before}
    said_now = {finding.check for finding in now}
    for result in before:
        changes.setdefault(result.check_name, Change(result.check_name)).versions_before.add(result.version)
    for name in said_before | said_now:
        change = changes.setdefault(name, Change(name))
        if name in said_before and name in said_now:
            change.same += 1
            continue
        came = name in said_now
        change.appeared += came
        change.gone += not came
        if len(change.examples) < MOST_EXAMPLES:
            change.examples.append(f"{'+' if came else '-'} {answer.item.key}, answer {answer.pk}")
    if is_trial:
        return
    CheckResult.objects.filter(pk__in=[old[key].pk for key in old.keys() - new.keys()]).delete()
    CheckResult.objects.bulk_create(
        CheckResult(
            assignment_id=answer.assignment_id,
            item_id=answer.item_id,
            check_name=new[key].check,
            version=new[key].version,
            level=new[key].level,
            field=new[key].field,
            message=new[key].message,
            source=CheckResult.Source.RECHECK,
        )
        for key in new.keys() - old.keys()
    )
