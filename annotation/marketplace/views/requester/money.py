"""The requester's first page, the ledger, and the keys that spend."""

import csv

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods, require_safe

from annotation.marketplace import delivering, keys, ledger
from annotation.marketplace.models import AccessKey, Appeal, Assignment, Book, Entry, HITType
from annotation.marketplace.views.fields import plain_cell
from annotation.marketplace.views.pages import MOST_WAITING, page_for, paged, show


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
    appeals = Appeal.objects.filter(
        assignment__hit__requester=request.user, assignment__status="Rejected", answered_at__isnull=True
    ).exclude(assignment__hit__status="Disposed")
    undecided = Assignment.objects.filter(hit__requester=request.user, status="Submitted")
    return show(
        request,
        "requester/overview.html",
        available=ledger.balance(Book.AVAILABLE, request.user),
        held=ledger.balance(Book.HOLD, request.user),
        page=paged(request, types.order_by("-pk"), 30),
        appeals=appeals.select_related("assignment__hit__hit_type", "assignment__worker").order_by("pk")[:MOST_WAITING],
        more_appeals=max(0, appeals.count() - MOST_WAITING),
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
