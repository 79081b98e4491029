"""What a release says of a project and its stages beside items: terms, instructions, checks, time, pay, agreement."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date

from django.db.models import Max, Min

from annotation.checking.models import CheckResult
from annotation.events.models import Event
from annotation.hits.models import Assignment
from annotation.hits.queries import timings
from annotation.projects.models import Project, Stage
from annotation.projects.queries import task_type_of
from annotation.releases.corpora import corpora_of
from annotation.review import figures
from annotation.review.queries import blind_agreement
from annotation.trials.report import reports_of
from tasks.base import TaskType
from tasks.metrics.intervals import method_of

TERMS = (
    "reward_cents",
    "answers_per_item",
    "items_per_hit",
    "minutes_allowed",
    "lifetime_days",
    "auto_approval_hours",
    "requirements",
)


@dataclass(frozen=True)
class StageFacts:
    """A stage as it stood, with what its workers read and what checked their answers."""

    name: str
    task_type: str
    title: str
    description: str
    crowd: bool
    review: str
    blind_share: float
    settings: dict
    terms: dict
    corpora: list[dict]
    changes: list[dict]
    checks: list[dict]
    instructions: dict[str, str]
    shapes: dict[str, dict]
    times: dict
    pay: dict
    agreement: dict


def facts_of(stage: Stage) -> StageFacts:
    kind = task_type_of(stage)
    times = timings(stage)
    return StageFacts(
        name=stage.name,
        task_type=stage.task_type,
        title=kind.title,
        description=kind.description,
        crowd=stage.crowd,
        review=stage.review,
        blind_share=stage.blind_share,
        settings=kind.Settings.model_validate(stage.settings).model_dump(mode="json"),
        terms={name: getattr(stage, name) for name in TERMS},
        corpora=corpora_of(stage),
        changes=_changes(stage),
        checks=_checks(kind) + _past_checks(stage, kind),
        instructions=_instructions(kind),
        shapes={name: getattr(kind, name.title()).model_json_schema() for name in ("item", "answer", "outcome")},
        times={"assignments": times.count, "seconds_a_hit": times.seconds_quartiles},
        pay=asdict(figures.hourly_pay(stage.project, stage)),
        agreement=asdict(figures.agreement(stage)),
    )


def _changes(stage: Stage) -> list[dict]:
    """What was changed in the stage's settings while it ran, by the day."""
    rows = Event.objects.filter(project_id=stage.project_id, verb="stage.changed", subject=f"stage:{stage.pk}")
    return [
        {"on": at.date().isoformat(), "changed": data.get("changed", {})}
        for at, data in rows.order_by("id").values_list("at", "data")
    ]


def _checks(kind: TaskType) -> list[dict]:
    return [
        {"name": check.name, "version": check.version, "level": check.level, "past": False} for check in kind.checks
    ]


def _past_checks(stage: Stage, kind: TaskType) -> list[dict]:
    """Versions that stored findings name and the code no longer has."""
    now = {(check.name, check.version) for check in kind.checks}
    rows = CheckResult.objects.filter(item__stage=stage, source=CheckResult.Source.GATE).order_by()
    then = set(rows.values_list("check_name", "version", "level").distinct())
    return [
        {"name": name, "version": version, "level": level, "past": True}
        for name, version, level in sorted(then)
        if (name, version) not in now
    ]


def _instructions(kind: TaskType) -> dict[str, str]:
    names = ("form.html", "examples.jsonl")
    return {name: (kind.folder / name).read_text("utf-8") for name in names if (kind.folder / name).exists()}


# --- The project ----------------------------------------------------------------------------------


def collected_in(project: Project) -> tuple[date, date] | None:
    """The days on which the first and the last work was handed in."""
    work = Assignment.objects.filter(hit__project=project, hit__trial_of=None, submitted_at__isnull=False)
    span = work.aggregate(first=Min("submitted_at"), last=Max("submitted_at"))
    return (span["first"].date(), span["last"].date()) if span["first"] else None


def qualifications_of(project: Project) -> list[dict]:
    """What came of the project's qualification tests: counts, and nobody's name."""
    reports = [report.as_dict() for report in reports_of(project)]
    return [{name: value for name, value in report.items() if name != "graders"} for report in reports]


def expert_agreement_of(project: Project) -> list[dict]:
    """How far two experts agree who decided on the same outcomes, one of them blindly."""
    found = blind_agreement(project)
    measured = [
        ("decisions of two experts", "share of equal ones", found.decisions, "outcomes"),
        ("decisions of two experts", "Cohen's kappa", found.decisions_kappa, "outcomes"),
        ("answers kept by two experts", "share of equal ones", found.answers, "answers"),
        ("answers kept by two experts", "Cohen's kappa", found.answers_kappa, "answers"),
    ]
    return [
        {"stage": "", "field": what, "measure": measure, **interval._asdict(), "method": method_of(units)}
        for what, measure, interval, units in measured
        if interval.n
    ]
