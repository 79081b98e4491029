"""The requester's HITs: a group, one HIT with its work, and what is decided about it."""

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.marketplace import answers, clock, ledger, messaging, publishing, requirements, reviewing
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import HIT, Appeal, Assignment, HITType, QualificationType
from annotation.marketplace.views import fields
from annotation.marketplace.views.pages import page_for, paged, show


@page_for("requester")
@require_safe
def group(request: HttpRequest, type_id: str) -> HttpResponse:
    """The HITs of one type."""
    hit_type = get_object_or_404(HITType, type_id=type_id, requester=request.user)
    rows = HIT.objects.filter(hit_type=hit_type).order_by("-pk")
    words = [requirements.in_words(r, _name(r)) for r in hit_type.requirements]
    return show(request, "requester/group.html", hit_type=hit_type, page=paged(request, rows), requirements=words)


def _name(requirement: dict) -> str:
    type_id = requirement["QualificationTypeId"]
    system = requirements.SYSTEM_TYPES.get(type_id)
    custom = None if system else QualificationType.objects.filter(type_id=type_id).first()
    return system.description if system else custom.name if custom else type_id


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def hit(request: HttpRequest, hit_id: str) -> HttpResponse:
    """One HIT: its state, its assignments, what can be done with it."""
    row = get_object_or_404(HIT.objects.select_related("hit_type"), hit_id=hit_id, requester=request.user)
    if request.method == "POST":
        with fields.done_once(request):
            _change(request, row)
        return redirect("requester-hit", hit_id)
    rows = row.assignments.exclude(status__in=("Returned", "Abandoned")).select_related("worker", "appeal")
    page = paged(request, rows.annotate(bonus_cents=Sum("bonuses__cents")).order_by("pk"))
    shown = [(one, answers.read(one.answer)) for one in page]
    return show(request, "requester/hit.html", hit=row, page=page, shown=shown, fee=ledger.fee_for(row))


def _change(request: HttpRequest, row: HIT) -> None:
    match request.POST.get("do"):
        case "expire":
            publishing.update_expiration(requester=request.user, hit_id=row.hit_id, at=clock.now())
            messages.success(request, "Nobody can accept it any more. Who is working on it may finish.")
        case "add":
            number = fields.whole(request, "number", "The number of assignments")
            publishing.add_assignments(
                requester=request.user,
                hit_id=row.hit_id,
                number=number,
                token=fields.token(request),
                request_id="page",
            )
            messages.success(request, f"{number} assignments added.")
        case "delete":
            publishing.delete_hit(requester=request.user, hit_id=row.hit_id)
            messages.success(request, "The HIT is disposed of.")
        case other:
            raise Refusal(f"There is nothing called {other!r} to do with a HIT.")


@page_for("requester")
@require_POST
def decide(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """Approve, reject, take back a rejection, send a bonus, answer an appeal."""
    assignment = reviewing.assignment_of(request.user, assignment_id)
    with fields.done_once(request):
        messages.success(request, _decide(request, assignment, request.POST.get("feedback", "").strip()))
    return redirect("requester-hit", assignment.hit.hit_id)


def _decide(request: HttpRequest, assignment: Assignment, words: str) -> str:
    about = {"requester": request.user, "assignment_id": assignment.assignment_id}
    match request.POST.get("do"):
        case "approve":
            reviewing.approve(**about, feedback=words)
            return "Approved and paid."
        case "override":
            reviewing.approve(**about, feedback=words, override=True)
            return "The rejection is taken back and the work is paid."
        case "reject":
            if not words:
                raise Refusal("A rejection needs a reason that the worker can read; nothing was changed.")
            reviewing.reject(**about, feedback=words)
            return "Rejected. The worker sees your reason and can appeal."
        case "bonus":
            reviewing.send_bonus(
                **about,
                worker_id=assignment.worker.customer_id,
                cents=fields.cents(request, "amount", "The bonus"),
                reason=words,
                token=fields.token(request),
                request_id="page",
            )
            return "The bonus is paid."
        case "answer":
            appeal = Appeal.objects.filter(assignment=assignment).first()
            if appeal is None:
                raise Refusal("The worker has not appealed this rejection.")
            messaging.answer_appeal(appeal=appeal, answer=words, upheld=False)
            return "The worker has your answer."
        case other:
            raise Refusal(f"There is no decision called {other!r}.")
