"""A limit of calls a second per requester, kept in the database so that all processes agree on it."""

from time import time

from django.db.models import F, FloatField, Value
from django.db.models.functions import Greatest, Least

from annotation.marketplace.faults import Throttled
from annotation.marketplace.models import Account, CallAllowance


def spend(caller: Account) -> None:
    """Take one call from the caller's allowance, which holds two seconds' worth."""
    rate = caller.calls_per_second
    if not rate or _take(caller, rate):
        return
    first = {"calls_left": 2.0 * rate - 1, "filled_at": time()}
    if not CallAllowance.objects.get_or_create(account=caller, defaults=first)[1] and not _take(caller, rate):
        raise Throttled


def _take(caller: Account, rate: int) -> bool:
    now = Value(time(), FloatField())
    come = Greatest(now - F("filled_at"), Value(0.0)) * rate
    left = Least(F("calls_left") + come, Value(2.0 * rate))
    rows = CallAllowance.objects.annotate(left=left).filter(account=caller, left__gte=1)
    return bool(rows.update(calls_left=left - 1, filled_at=now))
