"""Runs a task type's checks over a page's form: the one way that live check, gate and re-check share.

A finding travels as plain data: `{"item", "field", "check", "level", "message", "version"}`, with `part` where it
concerns one entry of the field, `may_wait` where it misses what is still to come, and `quiet` where the worker has not
touched the field yet.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from celery.exceptions import SoftTimeLimitExceeded
from pydantic import BaseModel, ValidationError

from annotation.checking.context import Scope, gather
from annotation.hits.sheets import Answers, Place, Sheet, Values, answers_of, form_of
from tasks.base import Check, Context, Finding, TaskType

logger = logging.getLogger(__name__)

# What is said where a form's value can't be an answer at all: a page of another version, or a forged one.
SHAPE = "has_the_wrong_shape"


def judge(
    kind: TaskType, item: BaseModel, answer: BaseModel | ValidationError, checks: Iterable[Check], context: Context
) -> list[Finding]:
    """What the checks say of one answer. A check that breaks is logged and says nothing: it must not cost a worker."""
    if isinstance(answer, ValidationError):
        return [_misshapen(kind, fault) for fault in answer.errors(include_url=False, include_input=False)]
    findings = []
    for check in checks:
        try:
            findings += check.run(item, answer, context)
        except SoftTimeLimitExceeded:
            raise
        except Exception:
            logger.exception("check %s of %s broke", check.name, kind.name)
    return findings


def _misshapen(kind: TaskType, fault: dict) -> Finding:
    field = str(fault["loc"][0]) if fault["loc"] else ""
    label = kind.fields[field].label if field in kind.fields else ""
    message = f"{label.rstrip(':?. ') or 'This answer'}: this can't be read as an answer ({fault['msg']})."
    return Finding(check=SHAPE, level="block", message=message, field=field if field in kind.fields else "")


def findings_of(
    sheet: Sheet,
    values: Values,
    checks: Iterable[Check],
    answers: Answers | None = None,
    *,
    assignment_pk: int | None = None,
) -> list[dict]:
    """What the checks say of a whole form, in the order of the page. `answers`: the form's, if they are at hand."""
    checks = list(checks)
    context = gather(checks, Scope.of(sheet, assignment_pk))
    answers = answers if answers is not None else answers_of(sheet, values)
    found = []
    for place in sheet.places:
        form = form_of(sheet, place.item_id, values)
        for finding in judge(sheet.kind, place.item, answers[place.item_id], checks, context):
            found.append(as_data(place, finding, is_quiet=not _is_touched(form, finding.field)))
    return found


def as_data(place: Place, finding: Finding, *, is_quiet: bool = False) -> dict:
    """A finding as it is stored and sent to the page."""
    data = {
        "item": place.item_id,
        "field": finding.field,
        "check": finding.check,
        "level": finding.level,
        "message": finding.message,
        "version": finding.version,
    }
    more = {"part": finding.part, "may_wait": finding.may_wait, "quiet": is_quiet}
    return data | {name: value for name, value in more.items() if value}


def _is_touched(form: dict[str, list[str]], field: str) -> bool:
    """Whether the worker has put anything where a finding would be shown."""
    given = form.get(field, []) if field else [text for texts in form.values() for text in texts]
    return any(text.strip() for text in given)
