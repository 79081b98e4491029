"""The requester's pages: balance and ledger, HITs, work to decide, workers, qualifications, keys."""

import csv

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.marketplace import (
    answers,
    clock,
    delivering,
    keys,
    ledger,
    messaging,
    publishing,
    qualifying,
    requirements,
    reviewing,
)
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import (
    HIT,
    AccessKey,
    Appeal,
    Assignment,
    Book,
    Entry,
    HITType,
    Qualification,
    QualificationRequest,
    QualificationType,
    WorkerBlock,
)
from annotation.marketplace.views.about import plain_cell
from annotation.marketplace.views.pages import page_for, paged, show


def whole(request: HttpRequest, name: str, what: str) -> int:
    """A whole number from a form."""
    text = request.POST.get(name, "").strip()
    if not (text.lstrip("-").isdecimal() and len(text) < 11):
        raise Refusal(f"{what} must be a whole number; found {text[:20]!r}.")
    return int(text)


def cents(request: HttpRequest, name: str, what: str) -> int:
    """An amount of dollars from a form."""
    text = request.POST.get(name, "").strip().removeprefix("$").strip()
    whole_part, _, fraction = text.partition(".")
    good = whole_part.isdecimal() and len(whole_part) < 10 and len(fraction) < 3
    if not (good and (not fraction or fraction.isdecimal())):
        raise Refusal(f"{what} must be an amount such as 1.50; found {text[:20]!r}.")
    return int(whole_part) * 100 + int(fraction.ljust(2, "0") or 0)


@page_for("requester")
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Money, what waits for a decision, HITs by group."""
    types = HITType.objects.filter(requester=request.user).annotate(
        count=Count("hits", filter=~Q(hits__status="Disposed")),
        free=Sum("hits__available", filter=Q(hits__is_live=True), default=0),
        working=Sum("hits__accepted", default=0),
        waiting=Sum("hits__submitted", default=0),
        decided=Sum("hits__decided", default=0),
    )
    appeals = Appeal.objects.filter(assignment__hit__requester=request.user, answered_at__isnull=True)
    undecided = Assignment.objects.filter(hit__requester=request.user, status="Submitted")
    return show(
        request,
        "requester/overview.html",
        available=ledger.balance(Book.AVAILABLE, request.user),
        held=ledger.balance(Book.HOLD, request.user),
        page=paged(request, types.order_by("-pk"), 30),
        appeals=appeals.select_related("assignment__hit__hit_type", "assignment__worker"),
        oldest=undecided.order_by("auto_approval_at").first(),
    )


def _entries(request: HttpRequest):
    mine = Q(source__owner=request.user) | Q(target__owner=request.user)
    return Entry.objects.filter(mine).select_related("source", "target", "hit__hit_type", "assignment")


@page_for("requester")
@require_safe
def entries(request: HttpRequest) -> HttpResponse:
    """Every movement of this requester's money."""
    return show(
        request,
        "requester/ledger.html",
        available=ledger.balance(Book.AVAILABLE, request.user),
        held=ledger.balance(Book.HOLD, request.user),
        page=paged(request, _entries(request).order_by("-pk"), 100),
    )


@page_for("requester")
@require_safe
def entries_csv(request: HttpRequest) -> HttpResponse:
    """The same as a table."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="ledger.csv"'
    writer = csv.writer(response)
    writer.writerow(["time", "kind", "from", "to", "usd", "hit", "assignment", "note"])
    for row in _entries(request).order_by("pk").iterator():
        hit = row.hit.hit_id if row.hit else ""
        assignment = row.assignment.assignment_id if row.assignment else ""
        amount = f"{row.cents / 100:.2f}"
        cells = [row.created_at.isoformat(timespec="seconds"), row.kind, row.source.kind, row.target.kind]
        writer.writerow([plain_cell(cell) for cell in [*cells, amount, hit, assignment, row.note]])
    return response


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
            number = whole(request, "number", "The number of assignments")
            publishing.add_assignments(
                requester=request.user, hit_id=row.hit_id, number=number, token=None, request_id="page"
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
    feedback = request.POST.get("feedback", "").strip()
    what = request.POST.get("do")
    if what == "approve":
        reviewing.approve(requester=request.user, assignment_id=assignment_id, feedback=feedback)
        messages.success(request, "Approved and paid.")
    elif what == "override":
        reviewing.override(requester=request.user, assignment_id=assignment_id, answer=feedback)
        messages.success(request, "The rejection is taken back and the work is paid.")
    elif what == "reject":
        if not feedback:
            raise Refusal("A rejection needs a reason that the worker can read; nothing was changed.")
        reviewing.reject(requester=request.user, assignment_id=assignment_id, feedback=feedback)
        messages.success(request, "Rejected. The worker sees your reason and can appeal.")
    elif what == "bonus":
        reviewing.send_bonus(
            requester=request.user,
            worker_id=assignment.worker.customer_id,
            assignment_id=assignment_id,
            cents=cents(request, "amount", "The bonus"),
            reason=feedback,
            token=request.POST.get("token") or None,
            request_id="page",
        )
        messages.success(request, "The bonus is paid.")
    elif what == "answer":
        messaging.answer_appeal(appeal=assignment.appeal, answer=feedback, upheld=False)
        messages.success(request, "The worker has your answer.")
    else:
        raise Refusal(f"There is no decision called {what!r}.")
    return redirect("requester-hit", assignment.hit.hit_id)


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def workers(request: HttpRequest) -> HttpResponse:
    """Who worked for this requester; block, unblock, write."""
    if request.method == "POST":
        _to_worker(request)
        return redirect("requester-workers")
    mine = Assignment.objects.filter(hit__requester=request.user, submitted_at__isnull=False)
    rows = (
        mine.values("worker__customer_id")
        .annotate(
            submitted=Count("pk"),
            approved=Count("pk", filter=Q(status="Approved")),
            rejected=Count("pk", filter=Q(status="Rejected")),
            paid=Sum("reward_cents"),
        )
        .order_by("-submitted", "worker__customer_id")
    )
    blocks = WorkerBlock.objects.filter(requester=request.user).select_related("worker")
    return show(request, "requester/workers.html", page=paged(request, rows), blocks=blocks)


def _to_worker(request: HttpRequest) -> None:
    worker = messaging.worker_of(request.POST.get("worker_id", "").strip())
    match request.POST.get("do"):
        case "block":
            messaging.block(requester=request.user, worker=worker, reason=request.POST.get("text", ""))
            messages.success(request, f"{worker.customer_id} gets no more HITs of yours.")
        case "unblock":
            messaging.unblock(requester=request.user, worker=worker)
            messages.success(request, f"{worker.customer_id} can take your HITs again.")
        case "write":
            failures = messaging.notify_workers(
                requester=request.user,
                subject=request.POST.get("subject", ""),
                body=request.POST.get("text", ""),
                worker_ids=[worker.customer_id],
            )
            if failures:
                raise Refusal(failures[0][1])
            messages.success(request, "The message is sent.")
        case other:
            raise Refusal(f"There is nothing called {other!r} to do here.")


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def qualifications(request: HttpRequest) -> HttpResponse:
    """The requester's qualification types, and requests that wait."""
    if request.method == "POST":
        posted = request.POST
        kind = qualifying.create_type(
            requester=request.user,
            name=posted.get("name", "").strip(),
            description=posted.get("description", "").strip(),
            auto_granted=bool(posted.get("auto_granted")),
            **_test_fields(request),
        )
        messages.success(request, f"“{kind.name}” is made.")
        return redirect("requester-qualification", kind.type_id)
    rows = QualificationType.objects.filter(requester=request.user, deleted_at__isnull=True)
    rows = rows.annotate(granted=Count("grants", filter=Q(grants__status="Granted"), distinct=True))
    waiting = QualificationRequest.objects.filter(qualification_type__requester=request.user, status="Pending")
    return show(
        request,
        "requester/qualifications.html",
        page=paged(request, rows.order_by("name")),
        waiting=waiting.select_related("qualification_type", "worker"),
    )


def _test_fields(request: HttpRequest) -> dict:
    posted, fields = request.POST, {}
    if posted.get("test", "").strip():
        fields |= {"test": posted["test"].strip(), "answer_key": posted.get("answer_key", "").strip()}
        fields["test_duration"] = whole(request, "minutes", "The minutes for the test") * 60
    if posted.get("retry_hours", "").strip():
        fields["retry_delay"] = whole(request, "retry_hours", "The hours before another try") * 3600
    return fields


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def qualification(request: HttpRequest, type_id: str) -> HttpResponse:
    """One type: grant, revoke, decide requests."""
    kind = qualifying.type_of(request.user, type_id)
    if request.method == "POST":
        done = _to_qualification(request, kind)
        messages.success(request, done)
        return redirect("requester-qualifications") if kind.deleted_at else redirect("requester-qualification", type_id)
    waiting = kind.requests.filter(status="Pending").select_related("worker")
    grants = Qualification.objects.filter(qualification_type=kind).select_related("worker").order_by("pk")
    return show(
        request,
        "requester/qualification.html",
        kind=kind,
        page=paged(request, grants),
        waiting=[(one, answers.read(one.answer)) for one in waiting],
    )


def _to_qualification(request: HttpRequest, kind: QualificationType) -> str:
    posted = request.POST
    match posted.get("do"):
        case "grant":
            qualifying.associate(
                requester=request.user,
                type_id=kind.type_id,
                worker_id=posted.get("worker_id", "").strip(),
                value=whole(request, "value", "The value"),
                notify=bool(posted.get("notify")),
            )
            return "Granted."
        case "revoke":
            qualifying.disassociate(
                requester=request.user,
                type_id=kind.type_id,
                worker_id=posted.get("worker_id", ""),
                reason=posted.get("reason", ""),
            )
            return "Taken back."
        case "accept":
            qualifying.accept_request(
                requester=request.user,
                request_id=posted.get("request_id", ""),
                value=whole(request, "value", "The value"),
            )
            return "Granted."
        case "reject":
            qualifying.reject_request(
                requester=request.user, request_id=posted.get("request_id", ""), reason=posted.get("reason", "")
            )
            return "The request is turned down."
        case "delete":
            qualifying.delete_type(requester=request.user, type_id=kind.type_id)
            kind.deleted_at = clock.now()
            return f"“{kind.name}” is deleted. Scores stay on record."
        case other:
            raise Refusal(f"There is nothing called {other!r} to do with a qualification.")


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def access_keys(request: HttpRequest) -> HttpResponse:
    """Keys that sign calls; a secret is shown once."""
    new = None
    if request.method == "POST" and request.POST.get("do") == "revoke":
        key = get_object_or_404(AccessKey, account=request.user, key_id=request.POST.get("key_id", ""))
        keys.revoke_key(key=key)
        messages.success(request, f"{key.key_id} signs nothing any more.")
        return redirect("keys")
    if request.method == "POST":
        new = keys.create_key(account=request.user)
    rows = AccessKey.objects.filter(account=request.user, revoked_at__isnull=True).order_by("-pk")
    return show(
        request, "requester/keys.html", rows=rows, new=new, webhook_secret=delivering.signing_secret(request.user)
    )
