"""The requester's HIT layouts: question documents with placeholders, kept here and filled by calls."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from annotation.marketplace import layouts
from annotation.marketplace.models import HITLayout
from annotation.marketplace.views.pages import page_for, paged, show


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: HttpRequest) -> HttpResponse:
    """All layouts; make one."""
    if request.method == "POST":
        posted = request.POST
        made = layouts.create(requester=request.user, name=posted.get("name", ""), content=posted.get("content", ""))
        messages.success(request, f"“{made.name}” is kept.")
        return redirect("layout", made.layout_id)
    rows = HITLayout.objects.filter(requester=request.user).order_by("-pk")
    page = paged(request, rows, 30)
    return show(request, "requester/layouts.html", page=page, shown=[(row, layouts.placeholders(row)) for row in page])


@page_for("requester")
@require_http_methods(["GET", "HEAD", "POST"])
def detail(request: HttpRequest, layout_id: str) -> HttpResponse:
    """One layout: its document, its placeholders, how to use it; delete it."""
    layout = layouts.layout_of(request.user, layout_id)
    if request.method == "POST":
        layout.delete()
        messages.success(request, f"“{layout.name}” is deleted. HITs made with it stay as they are.")
        return redirect("layouts")
    return show(request, "requester/layout.html", layout=layout, placeholders=layouts.placeholders(layout))
