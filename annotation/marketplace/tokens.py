"""Tokens that make a repeated wish harmless: a call's `UniqueRequestToken`, the hidden one of a form about money."""

from datetime import timedelta

from annotation.marketplace import clock
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Account, RequestToken

MEMORY = timedelta(hours=24)


class Repeated(Refusal):
    """The same token came before: what it asked for is done, once."""

    def __init__(self, earlier: RequestToken) -> None:
        super().__init__(
            f'The idempotency token "{earlier.token}" has already been processed by the request '
            f"with id {earlier.result}.",
            "InvalidParameterValue",
        )


def earlier_use(requester: Account, operation: str, token: str | None) -> RequestToken | None:
    """The use of this token in the last 24 hours, if any. Call with the requester's books locked."""
    if not token:
        return None
    used = RequestToken.objects.filter(requester=requester, operation=operation, token=token).first()
    if used and used.created_at <= clock.now() - MEMORY:
        used.delete()
        return None
    return used


def refuse_repeated(requester: Account, operation: str, token: str | None) -> None:
    """Raises Repeated for a token that was used. Call with the requester's books locked."""
    if used := earlier_use(requester, operation, token):
        raise Repeated(used)


def remember(requester: Account, operation: str, token: str | None, result: str) -> None:
    """Make a repeat of this call refusable."""
    if token:
        RequestToken.objects.create(requester=requester, operation=operation, token=token, result=result)
