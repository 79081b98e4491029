"""What the grading page shows of one trial: values, no verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.checking.models import CheckResult
from annotation.hits.models import Answer
from annotation.projects.queries import task_type_of
from annotation.review.page import Fact, Said, facts_of_item, said_of, time_in_words
from annotation.trials.grading import may_try_again, why_not_grader
from annotation.trials.models import Grade, Trial
from annotation.trials.queries import may_see


@dataclass(frozen=True)
class TrialAnswer:
    """One item of a trial: what it asks, what the worker said, what is known to be good, what the checks found."""

    number: int
    title: str
    key: str
    facts: Sequence[Fact]
    said: Sequence[Said]
    reference: Sequence[Said]
    findings: Sequence[CheckResult]


@dataclass(frozen=True)
class Level:
    points: int
    key: int
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class Question:
    """One question of the rubric on the form."""

    name: str
    question: str
    levels: Sequence[Level]
    is_missing: bool


@dataclass(frozen=True)
class Sheet:
    """A grade as others read it, once they may."""

    grade: Grade
    points: Sequence[tuple[str, int, int, str]]


@dataclass(frozen=True)
class TrialPage:
    trial: Trial
    worker: str
    minutes: str
    comment: str
    answers: Sequence[TrialAnswer]
    rubric: Sequence[Question]
    sheets: Sequence[Sheet]
    why_not: str
    may_try_again: bool
    earlier: Sequence[Trial]

    @property
    def is_talk(self) -> bool:
        return self.trial.state == Trial.State.TALK


def page_of(trial: Trial, user: Any, *, worker: str, form: Mapping[str, str] | None = None) -> TrialPage:
    """The page of a trial; with `form`, the points that were given stand on it again. `worker`: their pseudonym."""
    grades = trial.grades.select_related("grader").order_by("id")
    shown = grades if may_see(trial, user) else grades.filter(grader=user)
    return TrialPage(
        trial=trial,
        worker=worker,
        minutes=time_in_words(trial.assignment.seconds_spent),
        comment=trial.assignment.comment,
        answers=_answers(trial),
        rubric=[_question(one, form) for one in trial.programme.rubric],
        sheets=[_sheet(trial, grade) for grade in shown],
        why_not=why_not_grader(trial, user),
        may_try_again=may_try_again(trial),
        earlier=list(
            Trial.objects.filter(programme=trial.programme, worker=trial.worker, attempt__lt=trial.attempt).order_by(
                "attempt"
            )
        ),
    )


def _answers(trial: Trial) -> list[TrialAnswer]:
    kind = task_type_of(trial.programme.stage)
    said = {answer.item_id: answer.data for answer in Answer.objects.filter(assignment=trial.assignment)}
    findings: dict[int, list[CheckResult]] = {}
    for finding in CheckResult.objects.filter(assignment=trial.assignment).order_by("id"):
        findings.setdefault(finding.item_id, []).append(finding)
    places = trial.assignment.hit.places.select_related("item__trial").order_by("position")
    found = []
    for number, place in enumerate(places, 1):
        item = kind.Item.model_validate(place.item.payload)
        known = getattr(place.item, "trial", None)
        found.append(
            TrialAnswer(
                number=number,
                title=kind.label(item),
                key=place.item.key,
                facts=facts_of_item(kind, item, seen=kind.shown_to_workers(item)),
                said=said_of(kind, said.get(place.item_id, {})),
                reference=said_of(kind, (known.reference if known else None) or {}),
                findings=findings.get(place.item_id, []),
            )
        )
    return found


def _question(one: Mapping, form: Mapping[str, str] | None) -> Question:
    given = (form or {}).get(f"points.{one['name']}", "")
    levels = [Level(points, points + 1, words, given == str(points)) for points, words in enumerate(one["levels"])]
    return Question(one["name"], one["question"], levels, form is not None and not any(one.is_chosen for one in levels))


def _sheet(trial: Trial, grade: Grade) -> Sheet:
    points = []
    for one in trial.programme.rubric:
        given = grade.points.get(one["name"])
        if given is not None and given < len(one["levels"]):
            points.append((one["question"], given, len(one["levels"]) - 1, one["levels"][given]))
    return Sheet(grade, points)
