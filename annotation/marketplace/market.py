"""Opening and closing the marketplace.

Closed means: no new accounts, no new HITs, nobody accepts. Who is working may finish, requesters decide
and pay, workers see what they are owed.
"""

from django.db import transaction

from annotation.marketplace import clock
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Market


def present() -> Market:
    """The state of the marketplace."""
    return Market.objects.filter(pk=1).first() or Market(pk=1)


def require_open() -> None:
    """Refuse what a closed marketplace does not do."""
    market = present()
    if market.closed_at:
        raise Refusal(f"This marketplace is closed. {market.notice}".strip(), "PermissionDenied")


@transaction.atomic
def close(*, notice: str) -> None:
    """Take nothing new."""
    Market.objects.update_or_create(pk=1, defaults={"closed_at": clock.now(), "notice": notice[:2000]})


@transaction.atomic
def reopen(*, notice: str = "") -> None:
    """Take new work again; a notice may stay."""
    Market.objects.update_or_create(pk=1, defaults={"closed_at": None, "notice": notice[:2000]})
