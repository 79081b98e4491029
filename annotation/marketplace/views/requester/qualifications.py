"""The requester's own qualifications: made, granted, taken back, requests decided."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.marketplace import answers, clock, qualifying
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Qualification, QualificationRequest, QualificationType
from annotation.marketplace.views.fields import whole
from annotation.marketplace.views.pages import MOST_WAITING, page_for, paged, show


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: HttpRequest) -> HttpResponse:
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
        waiting=waiting.select_related("qualification_type", "worker").order_by("pk")[:MOST_WAITING],
        more_waiting=max(0, waiting.count() - MOST_WAITING),
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
def detail(request: HttpRequest, type_id: str) -> HttpResponse:
    """One type: grant, revoke, decide requests."""
    kind = qualifying.type_of(request.user, type_id)
    if request.method == "POST":
        done = _to_qualification(request, kind)
        messages.success(request, done)
        return redirect("requester-qualifications") if kind.deleted_at else redirect("requester-qualification", type_id)
    waiting = kind.requests.filter(status="Pending").select_related("worker").order_by("pk")
    grants = Qualification.objects.filter(qualification_type=kind).select_related("worker").order_by("pk")
    return show(
        request,
        "requester/qualification.html",
        kind=kind,
        page=paged(request, grants),
        waiting=[(one, answers.read(one.answer)) for one in waiting[:MOST_WAITING]],
        more_waiting=max(0, waiting.count() - MOST_WAITING),
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
