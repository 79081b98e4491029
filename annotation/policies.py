"""What every response and every log line of either site must obey.

Content-Security-Policy: pages run our own module files only; the admin theme's Alpine build needs
`'unsafe-eval'`, so `/admin/` alone gets it. Task pages and the marketplace set their own
`frame-ancestors`, `form-action` and `frame-src` through `response.csp`, a dict of directives.

Passwords: tries are counted by the client's own address, also behind proxies.

Worker ids: no log line and no page shows what is one or looks like one.
"""

import logging
import re
from typing import Any

from django.conf import settings
from django.http import HttpRequest

BASE_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
ADMIN_POLICY = {
    **BASE_POLICY,
    "script-src": "'self' 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
}


class ContentSecurityPolicyMiddleware:
    """Puts the policy on each response; a view loosens single directives with `response.csp = {...}`."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if "Content-Security-Policy" not in response:
            policy = ADMIN_POLICY if request.path.startswith("/admin/") else BASE_POLICY
            policy = policy | getattr(response, "csp", {})
            response["Content-Security-Policy"] = "; ".join(f"{name} {value}" for name, value in policy.items())
        return response


def client_address(request: HttpRequest) -> str:
    """Whose try at a password this is: the address that the outermost of our own proxies saw.

    Each proxy adds whom it was called by to the end of X-Forwarded-For; what stands before TRUSTED_PROXIES
    entries from the end was written by a stranger, who may write there what they like.
    """
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    trusted = settings.TRUSTED_PROXIES
    return hops[-trusted] if 0 < trusted <= len(hops) else request.META.get("REMOTE_ADDR", "")


class RedactIdentities(logging.Filter):
    """Keeps worker ids and access keys out of logs (they come in through query strings and SDK errors)."""

    PATTERN = re.compile(r"(workerId=|assignmentId=|WorkerId['\"]?[:=]\s*['\"]?|\b(?:AKIA|CW))[A-Za-z0-9_\-]{6,}")

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        redacted = self.PATTERN.sub(lambda match: f"{match.group(1)}…", message)
        if redacted != message:
            record.msg, record.args = redacted, ()
        return True


_WORKER_KEYS = re.compile(r"worker_?ids?$", re.IGNORECASE)
_WORKER_ID = re.compile(r"\bA[A-Z0-9]{9,}\b")
HIDDEN = "(in the vault)"


def without_worker_ids(value: Any, key: str = "") -> Any:
    """The same JSON value, with what is or looks like a marketplace's worker id left out."""
    if isinstance(value, dict):
        return {name: without_worker_ids(entry, name) for name, entry in value.items()}
    if isinstance(value, list):
        return [without_worker_ids(entry, key) for entry in value]
    if _WORKER_KEYS.search(key):
        return HIDDEN
    return _WORKER_ID.sub(HIDDEN, value) if isinstance(value, str) else value
