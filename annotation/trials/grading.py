"""Takes what graders say of a trial: points by a rubric, words to the worker, a verdict.

Two grade independently, the second without sight of the first. Where their verdicts differ, both sheets are
opened and they talk: the papers speak of authors who identify the competent workers together, not of an umpire.
What they come to is stored beside their own grades, which stay what agreement is counted from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction

from annotation.events.actions import record
from annotation.projects.models import Membership
from annotation.projects.queries import role_of
from annotation.trials.deciding import decide
from annotation.trials.models import Grade, Programme, Trial, Verdict
from tasks.text import unwelcome_character

MOST_FEEDBACK = 1_500
MOST_SECONDS = 86_400


class GradeRefused(ValueError):
    """Why a grade is not taken; `kind` is `incomplete`, `done` or `not_allowed`. The message is for the grader."""

    def __init__(self, kind: str, message: str):
        self.kind = kind
        super().__init__(message)


@transaction.atomic
def grade(
    *,
    trial: Trial,
    grader: Any,
    verdict: str,
    points: Mapping[str, int],
    feedback: str = "",
    seconds: int | None = None,
) -> Grade:
    """Takes a grade; the last one that is wanted decides the trial, or opens the talk. Raises GradeRefused."""
    # Held first, as by who changes how many grades are wanted: no trial falls in between.
    Programme.objects.select_for_update().get(pk=trial.programme_id)
    row = locked(trial.pk)
    is_joint = row.state == Trial.State.TALK
    _refuse_person(row, grader, is_joint)
    feedback = feedback.strip().replace("\r\n", "\n")
    _refuse_incomplete(row, verdict, points, feedback)
    try:
        with transaction.atomic():
            made = Grade.objects.create(
                trial=row,
                grader=grader,
                verdict=verdict,
                points=dict(points),
                feedback=feedback,
                is_joint=is_joint,
                seconds=None if seconds is None else max(0, min(seconds, MOST_SECONDS)),
            )
    except IntegrityError:
        raise GradeRefused("done", "This grade was taken in another window.") from None
    project_id = row.programme.stage.project_id
    record("trial.graded", subject=row, project_id=project_id, grade=made.pk, joint=is_joint)
    if is_joint:
        decide(trial=row, grades=[made])
    else:
        close_grades(row)
    trial.refresh_from_db()
    return made


def locked(pk: int) -> Trial:
    """A trial with its programme as they stand now, held until the transaction ends."""
    rows = Trial.objects.select_for_update(of=("self",)).select_related("programme__stage__project", "worker")
    return rows.get(pk=pk)


def why_not_grader(trial: Trial, user: Any) -> str:
    """Why a person can't grade this trial now; empty where they can."""
    own = trial.grades.filter(grader=user, is_joint=False).exists()
    if trial.state == Trial.State.TALK:
        runs = role_of(user, trial.programme.stage.project) in (Membership.Role.OWNER, Membership.Role.RESEARCHER)
        if own or runs:
            return ""
        return "Its two graders disagree, and talk about it: their verdict comes from one of them."
    if trial.is_decided:
        return "This trial has its verdict."
    if own:
        return "You have graded this trial: the second grade comes from somebody else."
    return ""


def _refuse_person(trial: Trial, grader: Any, is_joint: bool) -> None:
    if fault := why_not_grader(trial, grader):
        raise GradeRefused("done" if trial.is_decided else "not_allowed", fault)
    if not is_joint and trial.grades.count() >= trial.programme.graders:
        raise GradeRefused("done", "This trial has all its grades.")


def _refuse_incomplete(trial: Trial, verdict: str, points: Mapping[str, int], feedback: str) -> None:
    if verdict not in Verdict.values:
        raise GradeRefused("incomplete", "Choose a verdict: pass, try again, or fail.")
    if verdict == Verdict.AGAIN and not may_try_again(trial):
        raise GradeRefused("incomplete", f"This was try {trial.attempt} of {trial.programme.most_attempts}.")
    for one in trial.programme.rubric:
        most, given = len(one["levels"]) - 1, points.get(one["name"])
        if given is None:
            raise GradeRefused("incomplete", f"Give points for: {one['question']}")
        if not isinstance(given, int) or not 0 <= given <= most:
            raise GradeRefused("incomplete", f"Points are 0 to {most} for: {one['question']}")
    if unknown := set(points) - {one["name"] for one in trial.programme.rubric}:
        raise GradeRefused("incomplete", f"The rubric has no {', '.join(sorted(unknown))}.")
    if verdict != Verdict.PASS and not feedback:
        raise GradeRefused("incomplete", "Say in a sentence or two what was missing: the worker reads it.")
    if code := unwelcome_character(feedback):
        raise GradeRefused("incomplete", f"Your words to the worker hold {code}, which can't be stored.")
    if len(feedback) > MOST_FEEDBACK:
        raise GradeRefused("incomplete", f"A worker reads at most {MOST_FEEDBACK:,} characters of each grader.")


def may_try_again(trial: Trial) -> bool:
    return trial.attempt < trial.programme.most_attempts


def close_grades(trial: Trial) -> None:
    """Decides a trial that has all the grades that its programme wants, or opens the talk. The caller holds both."""
    grades = list(trial.grades.filter(is_joint=False).order_by("id"))
    if len(grades) < trial.programme.graders:
        return
    if len({one.verdict for one in grades}) > 1:
        trial.state = Trial.State.TALK
        trial.save(update_fields=["state"])
        return
    decide(trial=trial, grades=grades)
