"""What a worker's page asks of the solvers: whether a question holds, and whether it may be handed in.

A worker learns that a question holds or was answered, and how many tries are left: never by which solver, nor how sure.
No request waits for a solver. A question that they did not get to in time may be handed in all the same, and is held.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from pydantic import BaseModel, ValidationError

from annotation.hits.models import Answer, Assignment
from annotation.hits.sheets import Answers, Sheet
from annotation.projects.models import Project, Stage
from annotation.projects.queries import stage_settings, task_type_of
from annotation.solving.models import Challenge
from annotation.waking import wake
from tasks.base import TaskType
from tasks.solvers.policy import Policy, Puzzle

State = Challenge.State
# Far more than anybody needs who writes questions rather than probes the solvers.
MOST_CHALLENGES = 40
MOST_CHARACTERS = 1_000
BATCH = 200


@dataclass(frozen=True)
class Standing:
    """How a worker's question stands with the solvers.

    `untried`, `waiting`, `held` (they can't be reached in time), `holds`, `solved`, or `spent`: no try is left.
    """

    state: str
    tries_left: int

    @property
    def may_be_handed_in(self) -> bool:
        return self.state in ("holds", "held", "spent")


def patience() -> timedelta:
    """So long a page waits for the solvers before it may hand a question in without their word."""
    return timedelta(seconds=settings.SOLVER_PATIENCE)


def may_ask(kind: TaskType) -> bool:
    """Whether a task type knows of solvers at all: what most pages need not look up a stage for."""
    return type(kind).policy is not TaskType.policy


def policy_of(stage: Stage) -> Policy | None:
    return task_type_of(stage).policy(stage_settings(stage))


def hash_of(puzzle: Puzzle) -> str:
    return hashlib.sha256(f"{puzzle.right}\x1f{puzzle.text}".encode()).hexdigest()


def standing_of(*, assignment: Assignment, item_id: int, puzzle: Puzzle | None, policy: Policy) -> Standing:
    """How this question, or what is none yet, stands now; asks nobody."""
    rows = Challenge.objects.filter(assignment__worker=assignment.worker_id, item=item_id)
    known = list(rows.order_by("pk")[: MOST_CHALLENGES + 1])
    solved = {each.text_hash for each in known if each.state == State.SOLVED}
    left = max(0, policy.tries - len(solved)) if len(known) < MOST_CHALLENGES else 0
    wanted = (assignment.pk, hash_of(puzzle) if puzzle else "")
    mine = next((each for each in known if (each.assignment_id, each.text_hash) == wanted), None)
    if mine is not None and mine.is_handed_in:
        # The same work again, after a receipt that got lost: what was taken stays taken.
        return Standing("held", left)
    state = mine.state if mine else "untried"
    if state == State.HOLDS:
        return Standing("holds", left)
    if not left:
        return Standing("spent", 0)
    if state == State.WAITING and timezone.now() - mine.asked_at >= patience():
        return Standing("held", left)
    return Standing(str(state), left)


def put(*, assignment: Assignment, item_id: int, puzzle: Puzzle, policy: Policy) -> Standing:
    """Put a question to the solvers, once; gives how it stands. After the last try nothing more is asked."""
    standing = standing_of(assignment=assignment, item_id=item_id, puzzle=puzzle, policy=policy)
    if standing.state == "untried":
        _challenge(assignment.pk, item_id, puzzle)
        return Standing("waiting", standing.tries_left)
    return standing


def _challenge(assignment_pk: int, item_id: int, puzzle: Puzzle) -> Challenge:
    from annotation.solving.jobs import judge

    challenge, _ = Challenge.objects.get_or_create(
        assignment_id=assignment_pk,
        item_id=item_id,
        text_hash=hash_of(puzzle),
        defaults={"text": puzzle.text, "right": puzzle.right},
    )
    if challenge.state == State.WAITING:
        wake(judge, challenge.pk)
    return challenge


# --- At the gate ----------------------------------------------------------------------------------


def findings_at_the_gate(*, sheet: Sheet, assignment: Assignment, answers: Answers) -> list[dict]:
    """What keeps a form back for the solvers' sake, as findings. What was never tried is tried now."""
    policy = _policy_at(sheet)
    if policy is None:
        return []
    found = []
    for place in sheet.places:
        puzzle = puzzle_of(sheet, place.item, answers[place.item_id])
        if puzzle is None:
            continue
        standing = put(assignment=assignment, item_id=place.item_id, puzzle=puzzle, policy=policy)
        if not standing.may_be_handed_in:
            found.append(_finding(place.item_id, standing, next(iter(sheet.kind.fields))))
    return found


def _policy_at(sheet: Sheet) -> Policy | None:
    if not may_ask(sheet.kind):
        return None
    return policy_of(Stage.objects.get(pk=sheet.stage_id))


def puzzle_of(sheet: Sheet, item: BaseModel, answer: BaseModel | ValidationError) -> Puzzle | None:
    if isinstance(answer, ValidationError):
        return None
    return _askable(sheet.kind.puzzle(item, answer))


def _askable(puzzle: Puzzle | None) -> Puzzle | None:
    return puzzle if puzzle and len(puzzle.text) <= MOST_CHARACTERS else None


def _finding(item_id: int, standing: Standing, field: str) -> dict:
    if standing.state == "solved":
        left = f"{standing.tries_left} {'try' if standing.tries_left == 1 else 'tries'} left"
        name, message = "was_solved", f"The computer found the answer: try another question. {left}."
    else:
        name = "is_being_tried"
        message = "The computer is trying to answer your question. Please hand in again in a few seconds."
    return {"item": item_id, "field": field, "check": name, "level": "block", "message": message, "version": 1}


def keep_handed_in(*, sheet: Sheet, assignment: Assignment, answers: Answers, replaces: bool = False) -> None:
    """Note which questions were handed in; the solvers' word on a held one is waited for afterwards.

    Called inside the transaction of the handing over.
    """
    if _policy_at(sheet) is None:
        return
    if replaces:
        Challenge.objects.filter(assignment=assignment.pk).update(is_handed_in=False)
    for place in sheet.places:
        if (puzzle := puzzle_of(sheet, place.item, answers[place.item_id])) is not None:
            _hand_in(assignment.pk, place.item_id, puzzle)


def _hand_in(assignment_pk: int, item_id: int, puzzle: Puzzle) -> None:
    challenge = _challenge(assignment_pk, item_id, puzzle)
    Challenge.objects.filter(pk=challenge.pk).update(is_handed_in=True)


# --- Afterwards -----------------------------------------------------------------------------------


def ask_missing(*, project: Project) -> int:
    """Put to the solvers what came in without them: work that only the marketplace had kept. Gives how many."""
    asked = 0
    for stage in stages_with_solvers(project):
        kind = task_type_of(stage)
        while rows := list(unasked_answers(stage)[:BATCH]):
            with transaction.atomic():
                for answer in rows:
                    _ask_for(answer, _read(kind, answer))
            asked += len(rows)
    return asked


def stages_with_solvers(project: Project) -> Iterable[Stage]:
    stages = project.stages.select_related("project")
    return [stage for stage in stages if stage.crowd and may_ask(task_type_of(stage)) and policy_of(stage) is not None]


def unasked_answers(stage: Stage):
    """Answers that count whose question no solver was ever asked."""
    handed_in = Challenge.objects.filter(
        assignment=OuterRef("assignment_id"), item=OuterRef("item_id"), is_handed_in=True
    )
    waiting = Answer.objects.filter(item__stage=stage, item__state="answered", counts=True)
    return waiting.exclude(Exists(handed_in)).select_related("item").order_by("pk")


def _read(kind, answer: Answer) -> Puzzle | None:
    try:
        item = kind.Item.model_validate(answer.item.payload)
        return _askable(kind.puzzle(item, kind.Answer.model_validate(answer.data)))
    except ValidationError:
        return None


def _ask_for(answer: Answer, puzzle: Puzzle | None) -> None:
    if puzzle is not None:
        _hand_in(answer.assignment_id, answer.item_id, puzzle)
        return
    # Nothing that a solver could be asked: aggregation says what it is worth.
    Challenge.objects.update_or_create(
        assignment_id=answer.assignment_id,
        item_id=answer.item_id,
        text_hash="",
        defaults={"text": "", "right": "", "state": State.HOLDS, "is_handed_in": True, "judged_at": timezone.now()},
    )
