"""The pages that a worker sees, put together from stencils.

What is the same for everybody is rendered once a process and kept: the frame of a stage's pages with
instructions and examples, and the items of a HIT. An open then costs a query or two and a few joins.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotation.hits.models import HIT, Assignment
from annotation.hits.sheets import Sheet, Values, sheet_of
from annotation.hits.working import typed
from annotation.review.models import Feedback
from annotation.workbench.forms import item_form, template_name
from annotation.workbench.stencils import Stencil, spot
from annotation.workbench.widgets import orders_of, spots_of
from tasks import registry
from tasks.base import Example, TaskType
from tasks.fields import Field, ItemChoice

logger = logging.getLogger(__name__)

SPOTS = (
    "items context confirmed data progress time saved comment notice summary action assignment_id hand_in_label "
    "instructions_open"
).split()
_JSON_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


@dataclass(frozen=True)
class Look:
    """All that the frame of a page depends on. Two HITs with the same Look share one stencil."""

    kind: str
    items: int
    reward_cents: int
    minutes_allowed: int
    project: str
    contact: str
    settings: str
    is_preview: bool = False

    @classmethod
    def of(cls, hit: HIT, sheet: Sheet, *, is_preview: bool = False) -> Look:
        return cls(
            kind=sheet.kind.name,
            items=len(sheet.places),
            reward_cents=hit.reward_cents,
            minutes_allowed=hit.minutes_allowed,
            project=hit.project.name,
            contact=hit.project.contact,
            settings=json.dumps(hit.stage.settings, sort_keys=True),
            is_preview=is_preview,
        )


# A HIT is worked on by a few workers at about the same time: the last few hundred are those that come again.
@lru_cache(maxsize=256)
def _items(token: str, stage_settings: str) -> Stencil:
    sheet = sheet_of(token)
    form, given = item_form(sheet.kind), _settings(sheet.kind, stage_settings)
    return Stencil(
        "".join(
            form.render(
                key=str(place.item_id),
                number=place.number,
                total=len(sheet.places),
                item=sheet.kind.shown_to_workers(place.item),
                stage_settings=given,
            )
            for place in sheet.places
        )
    )


@lru_cache(maxsize=128)
def _frame(look: Look) -> Stencil:
    kind = registry.task_type(look.kind)
    examples = [example for example in kind.examples() if example.shown]
    given = _settings(kind, look.settings)
    worked = item_form(kind).render_example(examples[0], given) if look.is_preview and examples else ""
    context = {
        "kind": kind,
        "look": look,
        "settings": given,
        "examples": [_as_shown(kind, example) for example in examples],
        "worked_example": worked,
        "widgets": sorted({field.widget for field in kind.fields.values()}),
        **{name: spot(name) for name in SPOTS},
    }
    return Stencil(render_to_string(template_name(kind), context))


def _cached(function: Any) -> Any:
    """A page's author sees changes at once; everybody else gets what is kept."""
    return function.__wrapped__ if settings.DEBUG else function


@lru_cache(maxsize=128)
def _settings(kind: TaskType, stage_settings: str) -> Any:
    return kind.Settings.model_validate_json(stage_settings)


def _as_shown(kind: TaskType, example: Example) -> dict:
    """An example as the instructions show it: what a worker sees, each field as typed, and the answer as data."""
    item = kind.Item.model_validate(example.item)
    answer = kind.Answer.model_validate(example.answer)
    texts = {name: field.present(getattr(answer, name)) for name, field in kind.fields.items()}
    labels = {name: dict(getattr(field, "options", ())).get(texts[name], "") for name, field in kind.fields.items()}
    return {
        "item": kind.shown_to_workers(item),
        "answer": texts,
        "data": answer.model_dump(mode="json"),
        "labels": labels,
        "title": example.title,
        "note": example.note,
    }


def get_ready() -> None:
    """Do before the first worker comes what all of them need: load every form and render its parts once."""
    for kind in registry.task_types().values():
        try:
            form = item_form(kind)
            for example in kind.examples()[:1]:
                form.render_example(example, kind.Settings())
        except Exception:
            # One form that is broken must not keep the others from being served; the contract test names it.
            logger.exception("the form of %s can't be rendered", kind.name)


# --- The page to work on --------------------------------------------------------------------------


@dataclass(frozen=True)
class Returned:
    """Why a page comes back after a submit: what the gate said, or a notice; and the words that were posted."""

    values: Values
    findings: list[dict] | None = None
    confirmation: str = ""
    notice: str = ""


def work_page(
    *,
    assignment: Assignment,
    sheet: Sheet,
    context: str,
    submit_host: str,
    live: Mapping[str, Any] | None = None,
    returned: Returned | None = None,
) -> str:
    """The form, with the draft (or the words that came back) in it."""
    hit = assignment.hit
    look = Look.of(hit, sheet)
    draft = typed(assignment.draft)
    values = returned.values if returned else draft
    seconds_left = seconds_until_deadline(assignment)
    data = {
        "context": context,
        "assignment": str(assignment.pk),
        "revision": assignment.draft_revision,
        "saved_at": assignment.draft_saved_at and assignment.draft_saved_at.isoformat(),
        "draft": draft if returned else None,
        "seconds_left": seconds_left,
        "seconds_allowed": hit.minutes_allowed * 60,
        "live": live,
        "returned": bool(returned),
    }
    spots = {
        "context": context,
        "assignment_id": escape(assignment.assignment_id),
        "action": escape(f"{submit_host}/mturk/externalSubmit"),
        "data": json_block(data),
        "progress": str(len(_done(sheet, values))),
        "time": time_left(seconds_left),
        "saved": _saved(assignment.draft_saved_at),
        "comment": escape((values.get("comment") or [""])[-1]),
        "hand_in_label": "Hand in",
        # Who has begun has read them; a browser that keeps nothing for a frame can't remember that they were closed.
        "instructions_open": "" if values else " open",
    }
    fields = spots_of(values) if values else {}
    fields |= _told_spots(sheet)
    for item_id in _done(sheet, values):
        fields[f"state {item_id}"] = "Done"
    if hit.state == HIT.State.CLOSED:
        spots["notice"] = _notice("closed", hit)
    elif assignment.draft_saved_at and assignment.draft_saved_at < assignment.opened_at:
        spots["notice"] = _notice("restored", hit)
    if returned:
        fields |= _finding_spots(returned.findings or [])
        spots |= _returned_spots(returned, sheet, hit)
    spots["items"] = _cached(_items)(hit.token, look.settings).fill(fields, _orders(sheet, assignment.worker_id))
    return _cached(_frame)(look).fill(spots)


def _orders(sheet: Sheet, worker: int) -> dict[str, list[int]]:
    """In which order this worker meets the options that the items bring. Most task types have none."""
    if not any(isinstance(field, ItemChoice) for field in sheet.kind.fields.values()):
        return {}
    orders: dict[str, list[int]] = {}
    for place in sheet.places:
        shown = sheet.kind.shown_to_workers(place.item)
        orders |= orders_of(sheet.kind, str(place.item_id), shown, worker)
    return orders


def preview_page(hit: HIT) -> str:
    """The same page, inert, with a worked example. It knows no worker and writes nothing."""
    sheet = sheet_of(hit.token)
    look = Look.of(hit, sheet, is_preview=True)
    spots = {
        "items": _cached(_items)(hit.token, look.settings).fill({}),
        "notice": _notice("closed", hit) if hit.state in (HIT.State.CLOSED, HIT.State.REFUSED) else "",
    }
    return _cached(_frame)(look).fill(spots)


def _returned_spots(returned: Returned, sheet: Sheet, hit: HIT) -> dict[str, str]:
    if returned.notice:
        return {"notice": _notice(returned.notice, hit)}
    findings = returned.findings or []
    numbers = {place.item_id: place.number for place in sheet.places}
    context = {
        "blocks": [f | {"number": numbers[f["item"]]} for f in findings if f["level"] == "block"],
        "warnings": [f | {"number": numbers[f["item"]]} for f in findings if f["level"] == "warn"],
        "total": len(sheet.places),
        "name": item_form(sheet.kind).name,
    }
    is_question = bool(returned.confirmation) and not context["blocks"]
    return {
        "summary": render_to_string("workbench/summary.html", context),
        "confirmed": returned.confirmation,
        "hand_in_label": "Hand in as it is" if is_question else "Hand in",
    }


def _finding_spots(findings: list[dict]) -> dict[str, str]:
    by_name: dict[str, list[dict]] = {}
    for finding in findings:
        name = f"{finding['item']}.{finding['field']}" if finding["field"] else str(finding["item"])
        by_name.setdefault(name, []).append(finding)
    spots = {}
    for name, those in by_name.items():
        spots[f"findings {name}"] = render_to_string("workbench/findings.html", {"findings": those})
        if any(finding["level"] == "block" for finding in those):
            spots[f"invalid {name}"] = ' aria-invalid="true"'
    return spots


def _done(sheet: Sheet, values: Values) -> list[int]:
    """The items whose every field has something in it, but for those that are not asked for."""
    return [place.item_id for place in sheet.places if _is_done(sheet.kind.fields, place.item_id, values)]


def _is_done(fields: dict[str, Field], item_id: int, values: Values) -> bool:
    excused = {
        field.excuses
        for name, field in fields.items()
        if getattr(field, "excuses", "") and set(values.get(f"{item_id}.{name}", ())).intersection(field.ending)
    }
    wanted = [name for name, field in fields.items() if not field.is_optional and name not in excused]
    return all(any(text.strip() for text in values.get(f"{item_id}.{name}", ())) for name in wanted)


def _told_spots(sheet: Sheet) -> dict[str, str]:
    """What later workers said of work that was sent back, at each such item. Most HITs hold none."""
    reserved = [place.item_id for place in sheet.places if place.is_reserved]
    if not reserved:
        return {}
    rows = Feedback.objects.filter(successor__in=reserved).order_by("id")
    return {f"told {row.successor_id}": render_to_string("workbench/sent_back.html", {"feedback": row}) for row in rows}


# --- Other pages ----------------------------------------------------------------------------------


def receipt_page(
    *,
    assignment_id: str,
    submit_host: str,
    receipt: str,
    copy: str,
    hit: HIT | None = None,
    state: str = Assignment.State.HANDED_OVER,
    is_fresh: bool = False,
    is_settled: bool = False,
) -> str:
    """Says that the work was received, and posts the receipt to the marketplace. `is_fresh`: at once, by script.

    `is_settled`: a person has said what becomes of work that the marketplace does not list as this worker's.
    """
    contact = hit.project.contact if hit else ""
    kind = (state, contact, receipt == PENDING, is_fresh, is_settled, bool(receipt), bool(copy))
    return _cached(_receipt)(*kind).fill(
        {
            "assignment_id": escape(assignment_id),
            "action": escape(f"{submit_host}/mturk/externalSubmit"),
            "receipt": escape(receipt),
            "copy": escape(copy),
        }
    )


@lru_cache(maxsize=64)
def _receipt(  # noqa: PLR0917 - what one receipt can differ in
    state: str, contact: str, is_pending: bool, is_fresh: bool, is_settled: bool, has_receipt: bool, has_copy: bool
) -> Stencil:
    context = {
        "state": state,
        "contact": contact,
        "is_pending": is_pending,
        "is_fresh": is_fresh,
        "is_settled": is_settled,
        "has_receipt": has_receipt,
        "has_copy": has_copy,
        **{name: spot(name) for name in ("assignment_id", "action", "receipt", "copy")},
    }
    return Stencil(render_to_string("workbench/receipt.html", context))


# What the marketplace gets as receipt when we could not store the work; the copy beside it is then all there is.
PENDING = "pending"


def message_page(reason: str, *, hit: HIT | None = None, **details: str) -> str:
    """A page that says why there is nothing to do here, and what to do instead."""
    return render_to_string("workbench/message.html", {"reason": reason, "hit": hit, **details})


def _notice(reason: str, hit: HIT) -> str:
    return render_to_string("workbench/notice.html", {"reason": reason, "hit": hit})


def copy_of(answers: Mapping[int, dict], comment: str) -> str:
    """The work as JSON, for the marketplace to keep beside the receipt. `hits.sheets.read_copy` reads it."""
    return json.dumps(
        {"answers": {str(item): data for item, data in answers.items()}, "comment": comment}, ensure_ascii=False
    )


def copy_of_form(values: Values) -> str:
    """The same from a form that could not be made into answers."""
    return json.dumps({"values": dict(values)}, ensure_ascii=False)


# --- Spots ----------------------------------------------------------------------------------------


def seconds_until_deadline(assignment: Assignment) -> int:
    """Time left as far as we know: the marketplace counts from the acceptance, we from the first opening."""
    deadline = assignment.opened_at + timedelta(minutes=assignment.hit.minutes_allowed)
    return int((deadline - timezone.now()).total_seconds())


def time_left(seconds: int) -> str:
    if seconds <= 0:
        return "Time is over"
    minutes = seconds // 60
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min left"
    return f"{minutes} min left" if minutes else "Less than 1 min left"


def _saved(at: datetime | None) -> str:
    return f"Saved at {at:%H:%M} UTC" if at else "Nothing typed yet"


def json_block(value: Any) -> SafeString:
    """JSON for a `<script type="application/json">` block."""
    return mark_safe(  # noqa: S308 - what could end the block is escaped
        json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_JSON_ESCAPES)
    )
