"""A worker's “Try it”: does what is typed get past the solvers? The answer is yes or no, and how many tries are left.

A page asks by posting its form, and goes on asking until there is a word: the same text is put to the solvers once.
A page that was opened again only looks: how the question that it holds stands, and how many tries are left.
"""

from __future__ import annotations

import math

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from annotation.checking.judging import judge
from annotation.hits.models import Assignment
from annotation.hits.sheets import Sheet, answers_of
from annotation.projects.models import Stage
from annotation.solving import asking
from annotation.workbench import bodies
from annotation.workbench.framing import Stop, context_of, in_frame, sheet_at
from annotation.workbench.pacing import Pace
from tasks.base import Context

# A page asks every half second while it waits.
PACE = Pace(burst=60, a_second=4)


@in_frame
@require_POST
def try_it(request: HttpRequest, token: str) -> HttpResponse:
    """`{"item", "values"}` → `{"state", "tries_left"}`, or `unready` with the first thing that is still to be done.

    With `"looks": true` nothing is put to the solvers, and what is not ready yet is `untried` like any other.
    """
    context = context_of(request, token)
    sheet = sheet_at(token)
    if wait := PACE.seconds_to_wait(context.assignment_pk):
        response = JsonResponse({"problem": "pace", "message": "too many tries; wait a moment"}, status=429)
        response["Retry-After"] = str(math.ceil(wait))
        return response
    assignment = Assignment.objects.filter(pk=context.assignment_pk, worker=context.worker_pk).first()
    if assignment is None or assignment.state != Assignment.State.OPEN:
        raise Stop("no_longer_open", 409, problem="this work was handed in already")
    return JsonResponse(_tried(sheet, assignment, _read(request, sheet)))


def _read(request: HttpRequest, sheet: Sheet) -> tuple[int, dict[str, list[str]], bool]:
    try:
        body = bodies.json_of(request)
        values = bodies.checked(body.get("values"), sheet)
        item = bodies.word(body, "item")
    except bodies.BadBody as error:
        raise Stop("body", 400, problem=str(error)) from error
    if not item.isdigit() or int(item) not in sheet.item_ids:
        raise Stop("body", 400, problem=f"item: {item!r} is none of this HIT")
    return int(item), values, body.get("looks") is True


def _tried(sheet: Sheet, assignment: Assignment, asked: tuple[int, dict[str, list[str]], bool]) -> dict:
    item_id, values, only_looks = asked
    stage = Stage.objects.select_related("project").get(pk=sheet.stage_id)
    policy = asking.policy_of(stage) if asking.may_ask(sheet.kind) else None
    if policy is None:
        raise Stop("no_solvers", 404, problem="no solvers are asked here")
    place = next(place for place in sheet.places if place.item_id == item_id)
    answer = answers_of(sheet, values)[item_id]
    puzzle = asking.puzzle_of(sheet, place.item, answer)
    if only_looks:
        standing = asking.standing_of(assignment=assignment, item_id=item_id, puzzle=puzzle, policy=policy)
        return {"state": standing.state, "tries_left": standing.tries_left}
    if puzzle is None:
        return {"state": "unready", "message": _what_is_missing(sheet, place.item, answer)}
    standing = asking.put(assignment=assignment, item_id=item_id, puzzle=puzzle, policy=policy)
    return {"state": standing.state, "tries_left": standing.tries_left}


def _what_is_missing(sheet: Sheet, item: object, answer: object) -> str:
    checks = [check for check in sheet.kind.checks if check.level == "block" and not check.needs]
    found = judge(sheet.kind, item, answer, checks, Context())
    return found[0].message if found else "This can't be tried yet."
