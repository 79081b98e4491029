"""What all addresses below `/t/<token>/` share: the frame they stand in, why a request stops, whose page asks.

They work inside another site's frame, so they use no cookie, no session and no signed-in user; what a
request may do is said by its signed context. That is why they are exempt from the CSRF check.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt

from annotation.hits.models import HIT
from annotation.hits.sheets import Sheet, sheet_of
from annotation.workbench import contexts, pages, parameters

logger = logging.getLogger(__name__)

View = Callable[..., HttpResponse]


class Stop(Exception):
    """Why a request goes no further, for `message.html` and for script. `details` go into the page."""

    def __init__(self, reason: str, status: int, *, hit: HIT | None = None, **details: str):
        super().__init__(reason)
        self.reason, self.status, self.hit, self.details = reason, status, hit, details


def in_frame(view: View) -> View:
    """What all these views share: framable by marketplaces alone, never kept by a browser, no cookie check."""

    @csrf_exempt
    @xframe_options_exempt
    @wraps(view)
    def framed(request: HttpRequest, token: str) -> HttpResponse:
        try:
            response = view(request, token)
        except Stop as stop:
            response = _stopped(request, stop)
        except Error:
            logger.exception("the database did not answer %s", request.path)
            # Framable as ever: a browser shows nothing at all of a page that forbids its frame.
            response = _stopped(request, Stop("down", 503))
            response["Retry-After"] = "30"
        environment = getattr(response, "environment", "")
        names = [environment] if environment else list(settings.MARKETPLACES)
        hosts = " ".join(host for name in names for host in parameters.submit_hosts(name))
        response.csp = {"frame-ancestors": hosts, "form-action": f"'self' {hosts}"}
        response["Cache-Control"] = "no-store"
        response["Content-Length"] = str(len(response.content))
        return response

    return framed


def wants_json(request: HttpRequest) -> bool:
    """Script asks for JSON; all but the page itself is for script anyway."""
    return not request.path.endswith("/") or request.headers.get("Accept", "").startswith("application/json")


def _stopped(request: HttpRequest, stop: Stop) -> HttpResponse:
    if wants_json(request):
        about = {name: text for name, text in stop.details.items() if name != "problem"}
        about |= {"problem": stop.reason, "message": stop.details.get("problem", "")}
        return JsonResponse(about, status=stop.status)
    html = pages.message_page(stop.reason, hit=stop.hit, **stop.details)
    return page_response(html, environment=stop.hit.environment if stop.hit else "", status=stop.status)


def page_response(html: str, *, environment: str, status: int = 200) -> HttpResponse:
    response = HttpResponse(html, status=status)
    response.environment = environment
    return response


def sheet_at(token: str) -> Sheet:
    try:
        return sheet_of(token)
    except HIT.DoesNotExist:
        raise Stop("unknown", 404) from None


def context_of(request: HttpRequest, token: str, form: QueryDict | None = None) -> contexts.Context:
    """The context that a request presents: script puts it into a header, a plain form into a field."""
    signed = request.headers.get("X-Context", "") or (form.get("context", "") if form else "")
    try:
        return contexts.read(token, signed)
    except contexts.BadContext as error:
        raise Stop("context", 403, problem=str(error)) from error
