"""The requester's workers: who worked, writing to them, blocking."""

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.marketplace import messaging
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Assignment, WorkerBlock
from annotation.marketplace.views.pages import page_for, paged, show

MOST_BLOCKS_SHOWN = 100


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
    blocks = WorkerBlock.objects.filter(requester=request.user)
    return show(
        request,
        "requester/workers.html",
        page=paged(request, rows),
        blocks=blocks.select_related("worker").order_by("-pk")[:MOST_BLOCKS_SHOWN],
        more_blocks=max(0, blocks.count() - MOST_BLOCKS_SHOWN),
    )


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
