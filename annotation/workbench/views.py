"""The addresses below `/t/<token>/`: the page, its drafts, its findings, and the way to a fresh context."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from django.db import Error
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.views.decorators.http import require_GET, require_http_methods

from annotation.checking import gate, preparing
from annotation.checking.actions import keep_findings, keep_written
from annotation.checking.jobs import check_draft
from annotation.checking.models import LiveCheck
from annotation.hits import working
from annotation.hits.models import HIT, Answer, Assignment
from annotation.hits.sheets import Sheet, Values, sheet_of
from annotation.prepared import Prepared
from annotation.solving import asking
from annotation.turns import short_transaction
from annotation.waking import wake
from annotation.workbench import bodies, contexts, pages, parameters, searching
from annotation.workbench.framing import Stop, context_of, in_frame, page_response, sheet_at, wants_json
from annotation.workbench.pacing import Pace

logger = logging.getLogger(__name__)

State = Assignment.State
# What a widget tells when it asks for suggestions; nobody types more into a part of a step.
MOST_ASKED = 1_000
# How often the gate says what it objects to: like live checks, not as often as somebody likes who tries them out.
PACE = Pace(burst=30, a_second=1 / 30)
REFUSALS = {
    "barred": 403,
    "answered": 403,
    "own_work": 403,
    "reserved": 403,
    "trial_taken": 403,
    "trial_open": 403,
    "enough": 403,
    "withdrawn": 410,
    "foreign": 403,
}


# --- What a request is about ----------------------------------------------------------------------


def _claims(request: HttpRequest) -> parameters.Parameters:
    try:
        return parameters.read(request.META["QUERY_STRING"])
    except parameters.DamagedAddress as error:
        raise Stop("damaged", 400, problem=str(error)) from error


def _hit(token: str) -> HIT:
    hit = working.find_hit(token)
    if hit is None:
        raise Stop("unknown", 404)
    return hit


def _refuse_if_foreign(claimed: parameters.Parameters, hit: HIT) -> None:
    """The marketplace may name another HIT than ours; ours may not know its remote id yet."""
    if claimed.hit_id and hit.remote_id and claimed.hit_id != hit.remote_id:
        raise Stop("foreign", 403, hit=hit)


def _known_assignment(token: str, claimed: parameters.Parameters) -> Assignment | None:
    """The row that an address claims; never makes one."""
    assignment = working.find_assignment(
        token=token, assignment_id=claimed.assignment_id, provider_worker_id=claimed.worker_id
    )
    if assignment:
        _refuse_if_foreign(claimed, assignment.hit)
    return assignment


def _opened_assignment(token: str, claimed: parameters.Parameters) -> Assignment:
    """The row that an address claims, made at the first opening."""
    if assignment := _known_assignment(token, claimed):
        return assignment
    hit = _hit(token)
    _refuse_if_foreign(claimed, hit)
    try:
        return working.open_assignment(
            hit=hit, assignment_id=claimed.assignment_id, provider_worker_id=claimed.worker_id
        )
    except working.Refused as refusal:
        raise Stop(refusal.reason, REFUSALS[refusal.reason], hit=hit) from refusal


# --- The page -------------------------------------------------------------------------------------


@in_frame
@require_http_methods(["GET", "HEAD", "POST"])
def task(request: HttpRequest, token: str) -> HttpResponse:
    return submit(request, token) if request.method == "POST" else show(request, token)


def show(request: HttpRequest, token: str) -> HttpResponse:
    """The page as the marketplace opens it: preview, form or receipt."""
    claimed = _claims(request)
    if claimed.is_preview:
        hit = _hit(token)
        _refuse_if_foreign(claimed, hit)
        return page_response(pages.preview_page(hit), environment=hit.environment)
    assignment = _opened_assignment(token, claimed)
    environment = assignment.hit.environment
    submit_host = parameters.submit_host(environment, claimed.submit_to)
    if assignment.state != State.OPEN:
        return page_response(_receipt_again(assignment, submit_host), environment=environment)
    working.open_anew(assignment=assignment, seconds_left=pages.seconds_until_deadline(assignment))
    return page_response(_work_page(assignment, sheet_of(token), submit_host), environment=environment)


def _work_page(assignment: Assignment, sheet: Sheet, submit_host: str, returned: pages.Returned | None = None) -> str:
    return pages.work_page(
        assignment=assignment,
        sheet=sheet,
        context=contexts.issue(assignment, submit_host),
        submit_host=submit_host,
        live=_findings(assignment.pk) if assignment.draft_revision and not returned else None,
        returned=returned,
    )


def _receipt_again(assignment: Assignment, submit_host: str) -> str:
    copy, is_settled = "", bool(assignment.settlement) and assignment.state not in working.CONFIRMED
    if assignment.state in (State.HANDED_OVER, State.QUARANTINED) and not is_settled:
        answers = dict(Answer.objects.filter(assignment=assignment.pk).values_list("item_id", "data"))
        copy = pages.copy_of(answers, assignment.comment)
    return pages.receipt_page(
        assignment_id=assignment.assignment_id,
        submit_host=submit_host,
        receipt=assignment.receipt,
        copy=copy,
        hit=assignment.hit,
        state=assignment.state,
        is_settled=is_settled,
    )


# --- Handing over ---------------------------------------------------------------------------------


def submit(request: HttpRequest, token: str) -> HttpResponse:
    """The whole form, from script or as a plain post: back with what to fix, or stored and on to the marketplace."""
    try:
        form = bodies.form_of(request)
    except bodies.BadBody as error:
        raise Stop("body", 400, problem=str(error)) from error
    try:
        return _submit(request, token, form)
    except (Error, Assignment.DoesNotExist):
        # Also where the row is gone or somebody else's, after a restore from a backup: the work is collected from the
        # marketplace.
        logger.exception("an assignment could not be stored")
        return _unstored(request, context_of(request, token, form), form)


def _submit(request: HttpRequest, token: str, form: QueryDict) -> HttpResponse:
    sheet = sheet_at(token)
    try:
        values = bodies.values_of_form(form, sheet)
    except bodies.BadBody as error:
        raise Stop("body", 400, problem=str(error)) from error
    try:
        context = context_of(request, token, form)
    except Stop:
        return _renewed(request, token, sheet, values)
    assignment = working.assignment_to_hand_over(context.assignment_pk)
    if (assignment.assignment_id, assignment.worker_id) != (context.assignment_id, context.worker_pk):
        raise Assignment.DoesNotExist(f"assignment {assignment.pk} is not the one of this page")
    verdict = gate.examine(sheet=sheet, assignment=assignment, values=values)
    if not verdict.lets_pass(form.get("confirmed", "")):
        return _sent_back(request, assignment, sheet, values, verdict, context)
    if found := asking.findings_at_the_gate(sheet=sheet, assignment=assignment, answers=verdict.answers):
        kept = gate.Verdict([*found, *verdict.findings], verdict.answers)
        return _sent_back(request, assignment, sheet, values, kept, context, form.get("confirmed", ""))
    answers = {item: answer.model_dump(mode="json") for item, answer in verdict.answers.items()}
    comment = (values.get("comment") or [""])[-1].strip()
    try:
        handed = _stored(sheet, assignment, answers, comment, verdict)
    except working.NoLongerOpen as late:
        raise Stop("contested", 409, hit=_hit(token), state=late.assignment.state) from late
    copy = pages.copy_of(answers, comment)
    if wants_json(request):
        return JsonResponse({"receipt": handed.receipt, "answers": copy})
    return page_response(_receipt(context, handed.receipt, copy), environment=context.environment)


def _stored(
    sheet: Sheet, assignment: Assignment, answers: dict[int, dict], comment: str, verdict: gate.Verdict
) -> working.HandedOver:
    """Answers and findings in one transaction. Raises NoLongerOpen: too late, and kept as evidence."""
    with short_transaction():
        try:
            handed = working.hand_over(
                assignment=assignment,
                answers=answers,
                comment=comment,
                corpus_digest=searching.corpus_digest(sheet),
            )
        except working.NoLongerOpen as error:
            late = error  # the transaction goes through: the evidence is in it
        else:
            if handed.is_new:
                about = {"sheet": sheet, "assignment": assignment, "replaces": handed.replaces}
                keep_findings(assignment=assignment, findings=verdict.findings, replaces=handed.replaces)
                keep_written(**about, answers=verdict.answers)
                asking.keep_handed_in(**about, answers=verdict.answers)
            return handed
    raise late


def _receipt(context: contexts.Context, receipt: str, copy: str) -> str:
    return pages.receipt_page(
        assignment_id=context.assignment_id,
        submit_host=context.submit_host,
        receipt=receipt,
        copy=copy,
        is_fresh=receipt != pages.PENDING,
    )


def _unstored(request: HttpRequest, context: contexts.Context, form: QueryDict) -> HttpResponse:
    """Our storing failed: the marketplace keeps the copy, so that the worker is paid and the work is found again."""
    if wants_json(request):
        return JsonResponse({"problem": "unstored", "message": ""}, status=503)
    values = {name: form.getlist(name) for name in form if name == "comment" or "." in name}
    page = _receipt(context, pages.PENDING, pages.copy_of_form(values))
    return page_response(page, environment=context.environment, status=503)


def _sent_back(  # noqa: PLR0917 - what one submit is made of
    request: HttpRequest,
    assignment: Assignment,
    sheet: Sheet,
    values: dict[str, list[str]],
    verdict: gate.Verdict,
    context: contexts.Context,
    confirmed: str = "",
) -> HttpResponse:
    """The gate stays shut: the words are kept, and the page says what to do. `confirmed`: what need not be again."""
    wait = PACE.seconds_to_wait(assignment.pk)
    confirmation = confirmed if verdict.blocks else verdict.confirmation
    if wants_json(request):
        if wait:
            raise Stop("pace", 429, problem="handed in too often; wait a moment")
        return JsonResponse({"findings": verdict.findings, "confirmation": confirmation}, status=422)
    try:
        saved = working.save_draft(
            assignment_pk=assignment.pk,
            worker_pk=assignment.worker_id,
            base_revision=assignment.draft_revision,
            values=values,
        )
    except (working.DraftConflict, working.NoLongerOpen):
        pass  # the words are on the page that goes back
    else:
        assignment.draft, assignment.draft_revision, assignment.draft_saved_at = values, saved.revision, saved.at
    assignment.hit = _hit(sheet.token)
    returned = pages.Returned(values, notice="pace") if wait else pages.Returned(values, verdict.findings, confirmation)
    page = _work_page(assignment, sheet, context.submit_host, returned)
    return page_response(page, environment=context.environment, status=429 if wait else 422)


def _renewed(request: HttpRequest, token: str, sheet: Sheet, values: Values) -> HttpResponse:
    """A page whose context is no good any more gets a new one, if its address still names the true triple."""
    claimed = _claims(request)
    assignment = None
    if not claimed.is_preview and not wants_json(request):
        assignment = _known_assignment(token, claimed)
    if assignment is None or assignment.state != State.OPEN:
        raise Stop("context", 403)
    submit_host = parameters.submit_host(assignment.hit.environment, claimed.submit_to)
    page = _work_page(assignment, sheet, submit_host, pages.Returned(values, notice="refreshed"))
    return page_response(page, environment=assignment.hit.environment, status=403)


# --- What script asks for -------------------------------------------------------------------------


@in_frame
@require_http_methods(["GET", "POST"])
def draft(request: HttpRequest, token: str) -> HttpResponse:
    return _saved_since(request, token) if request.method == "GET" else _save(request, token)


def _saved_since(request: HttpRequest, token: str) -> HttpResponse:
    """The words as saved, if they are newer than the page's (`?after=REVISION`).

    A browser sends the last save of a page that is left beside the request for the next one: which of
    the two arrives first is anybody's guess, so the new page asks once it stands.
    """
    context = context_of(request, token)
    after = request.GET.get("after", "")
    if not after.isdecimal() or len(after) > 10:
        return JsonResponse({"problem": "body", "message": "after: expected a revision"}, status=400)
    found = working.draft_at(context.assignment_pk, context.worker_pk)
    if found is None:
        raise Stop("context", 403)
    state, revision, values, saved_at = found
    if state != State.OPEN:
        return JsonResponse({"problem": "no_longer_open", "state": state}, status=409)
    if revision <= int(after):
        return JsonResponse({"revision": revision})
    return JsonResponse(_told(revision, values, saved_at))


def _save(request: HttpRequest, token: str) -> HttpResponse:
    """Save the form as typed. 409 with the other words when another tab saved in between.

    `"check": false`: the words alone. A page has a limited number of checks, and asks when its worker pauses.
    """
    context = context_of(request, token)
    try:
        body = bodies.json_of(request)
        saved = working.save_draft(
            assignment_pk=context.assignment_pk,
            worker_pk=context.worker_pk,
            base_revision=bodies.whole_number(body, "base_revision"),
            values=bodies.checked(body.get("values"), sheet_at(token)),
            tab=bodies.word(body, "tab"),
            turn=bodies.whole_number(body, "turn"),
        )
        asks = body.get("check") is not False
    except bodies.BadBody as error:
        return JsonResponse({"problem": "body", "message": str(error)}, status=400)
    except Assignment.DoesNotExist:
        raise Stop("context", 403) from None
    except working.NoLongerOpen as error:
        return JsonResponse({"problem": "no_longer_open", "state": error.assignment.state}, status=409)
    except working.DraftConflict as error:
        other = error.assignment
        told = _told(other.draft_revision, working.typed(other.draft), other.draft_saved_at)
        return JsonResponse({"problem": "conflict", **told}, status=409)
    if asks:
        wake(check_draft, context.assignment_pk, saved.revision)
    return JsonResponse({"revision": saved.revision, "saved_at": saved.at.isoformat()})


def _told(revision: int, values: Values, saved_at: datetime | None) -> dict[str, Any]:
    return {"revision": revision, "values": values, "saved_at": saved_at and saved_at.isoformat()}


@in_frame
@require_GET
def findings(request: HttpRequest, token: str) -> HttpResponse:
    """What the live checks said last, and of which revision."""
    return JsonResponse(_findings(context_of(request, token).assignment_pk))


def _findings(assignment_pk: int) -> dict[str, Any]:
    revision, found, count = _live_check.first(assignment_pk) or (0, [], 0)
    return {"revision": revision, "findings": found, "count": count}


@Prepared
def _live_check(assignment_pk: int) -> QuerySet[LiveCheck]:
    return LiveCheck.objects.filter(assignment=assignment_pk).values_list("revision", "findings", "count")


@in_frame
@require_GET
def suggest(request: HttpRequest, token: str) -> HttpResponse:
    """What a field offers for what is typed so far, best first: `item`, `field`, `typed`, and what its widget tells."""
    context_of(request, token)
    sheet = sheet_at(token)
    asked = {name: text[:MOST_ASKED] for name, text in request.GET.items()}
    place = next((place for place in sheet.places if str(place.item_id) == asked.get("item")), None)
    if place is None or not sheet.kind.prepares or asked.get("field") not in sheet.kind.fields:
        return JsonResponse({"problem": "body", "message": "there is nothing to suggest for this"}, status=400)
    prepared = preparing.prepared_for(sheet.kind, place.item_id, place.item)
    found = sheet.kind.suggest(place.item, prepared.data, asked["field"], asked.get("typed", ""), asked)
    return JsonResponse({"suggestions": [[one.text, one.kind] for one in found], "with_model": prepared.with_model})


@in_frame
@require_GET
def fresh_context(request: HttpRequest, token: str) -> HttpResponse:
    """A new context for a page that was open for too long. The address must name the true triple."""
    claimed = _claims(request)
    assignment = None if claimed.is_preview else _known_assignment(token, claimed)
    if assignment is None:
        raise Stop("context", 403, problem="the address names no assignment that is open here")
    submit_host = parameters.submit_host(assignment.hit.environment, claimed.submit_to)
    return JsonResponse({"context": contexts.issue(assignment, submit_host)})
