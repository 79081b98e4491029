"""Who calls: the access key in the `Authorization` header and, where the site wants it, the signature."""

import hashlib
import hmac
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest

from annotation.marketplace import keys
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import AccessKey, Account

SERVICE = "mturk-requester"
ALLOWED_SKEW = timedelta(minutes=5)
HEADER = re.compile(
    r"AWS4-HMAC-SHA256\s+Credential=(?P<key>[^/,\s]+)/(?P<date>\d{8})/(?P<region>[^/,\s]+)/(?P<service>[^/,\s]+)"
    r"/aws4_request,\s*SignedHeaders=(?P<headers>[^,\s]+),\s*Signature=(?P<signature>[0-9a-f]+)\s*"
)


class NotAuthenticated(Refusal):
    """The caller is not known; `kind` as other services of this protocol name it."""

    def __init__(self, kind: str, message: str, code: str = ""):
        super().__init__(message)
        self.kind = kind
        self.code = code


def caller_of(request: HttpRequest, body: bytes) -> Account:
    """The requester account that makes this call."""
    header = request.headers.get("Authorization", "")
    if not header:
        raise NotAuthenticated("MissingAuthenticationTokenException", "The request has no Authorization header.")
    found = HEADER.fullmatch(header)
    if not found:
        raise NotAuthenticated(
            "IncompleteSignatureException",
            "The Authorization header must be AWS4-HMAC-SHA256 with Credential, SignedHeaders and Signature.",
        )
    key = AccessKey.objects.select_related("account").filter(key_id=found["key"], revoked_at__isnull=True).first()
    if key is None:
        raise NotAuthenticated(
            "UnrecognizedClientException",
            "The access key in this request is not known here. "
            "Make one on the requester's page or with the command create_requester.",
            "AWS.NotAuthorized",
        )
    if settings.MARKETPLACE_VERIFY_SIGNATURES:
        _verify(request, body, found, key)
    if not (key.account.is_requester and key.account.is_active):
        raise NotAuthenticated(
            "RequestError", "This account is not linked to a requester account.", "AWS.AccountNotLinked"
        )
    return key.account


def _verify(request: HttpRequest, body: bytes, found: re.Match, key: AccessKey) -> None:
    if found["service"] != SERVICE:
        raise NotAuthenticated("InvalidSignatureException", f"Credential must be scoped to the service {SERVICE}.")
    stamp = request.headers.get("X-Amz-Date", "")
    _check_time(stamp, found["date"])
    secret = keys.secret_of(key)
    if secret is None:
        raise NotAuthenticated(
            "InvalidSignatureException",
            "The site's own key has changed since this access key was made; make a new one.",
        )
    expected = _signature(request, body, found, stamp, secret)
    if not hmac.compare_digest(expected, found["signature"]):
        raise NotAuthenticated(
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided. "
            "Check your secret access key and signing method.",
        )


def _check_time(stamp: str, date: str) -> None:
    try:
        signed_at = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise NotAuthenticated("IncompleteSignatureException", "X-Amz-Date must look like 20260131T120000Z.") from error
    if not stamp.startswith(date) or abs(datetime.now(UTC) - signed_at) > ALLOWED_SKEW:
        raise NotAuthenticated("InvalidSignatureException", f"Signature expired: {stamp} is more than 5 minutes off.")


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _signature(request: HttpRequest, body: bytes, found: re.Match, stamp: str, secret: str) -> str:
    names = found["headers"].split(";")
    if "host" not in names:
        raise NotAuthenticated("InvalidSignatureException", "The header host must be signed.")
    headers = "".join(f"{name}:{' '.join(request.headers.get(name, '').split())}\n" for name in names)
    path = quote(request.path, safe="/-_.~") or "/"
    content = hashlib.sha256(body).hexdigest()
    canonical = "\n".join([request.method or "", path, "", headers, found["headers"], content])
    scope = f"{found['date']}/{found['region']}/{found['service']}/aws4_request"
    to_sign = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    derived = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        derived = _hmac(derived, part)
    return _hmac(derived, to_sign).hex()
