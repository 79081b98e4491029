"""Takes task pages past the middlewares that they have no use for: sessions, CSRF, sign-in, messages, lock-out.

A page in another site's frame has no cookies and no user. What still applies to it stands before this one
in settings.MIDDLEWARE: HTTPS and security headers, and the Content-Security-Policy.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

PREFIX = "/t/"


class TaskPagesMiddleware:
    """Calls the view of an address below `/t/` by itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        try:
            match = resolve(request.path_info)
        except Resolver404:
            return self.get_response(request)
        request.resolver_match = match
        return match.func(request, *match.args, **match.kwargs)
