"""What all pages share: who may see them, what the bar shows, how a refusal looks."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.marketplace import market, sweep
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Assignment, Message

View = Callable[..., HttpResponse]


def show(request: HttpRequest, template: str, status: int = 200, **context: object) -> HttpResponse:
    """Draw a page with the counts that its bar needs."""
    user = request.user
    if user.is_authenticated:
        context["unread"] = Message.objects.filter(recipient=user, read_at__isnull=True).count()
        if user.is_worker:
            context["queued"] = Assignment.objects.filter(worker=user, status="Accepted").count()
    context["market"] = market.present()
    return render(request, f"marketplace/{template}", context, status=status)


def refused(request: HttpRequest, refusal: Refusal, *, status: int = 409, **context: object) -> HttpResponse:
    """Say in words what was not done and why."""
    return show(request, "refused.html", status=status, refusal=refusal, **context)


def page_for(role: str) -> Callable[[View], View]:
    """A page for signed-in people with a role (`worker`, `requester`, `operator`); refusals become pages."""

    def decorate(view: View) -> View:
        @wraps(view)
        @login_required
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if not getattr(request.user, f"is_{role}"):
                return refused(
                    request, Refusal(f"This page is for {role}s; you are signed in as {request.user}."), status=403
                )
            sweep.bring_up_to_date()
            try:
                return view(request, *args, **kwargs)
            except Refusal as refusal:
                return refused(request, refusal)

        return guarded

    return decorate


def paged(request: HttpRequest, rows: object, size: int = 50) -> Page:
    """The page of a list that the address asks for."""
    return Paginator(rows, size).get_page(request.GET.get("page"))
