"""A limit of calls a second per requester, kept in this process's memory."""

import threading
from time import monotonic

from annotation.marketplace.faults import Throttled
from annotation.marketplace.models import Account

_lock = threading.Lock()
# Per account: calls left in the bucket, and when it was last filled.
_buckets: dict[int, tuple[float, float]] = {}


def spend(caller: Account) -> None:
    """Take one call from the caller's bucket; it holds two seconds' worth."""
    rate = caller.calls_per_second
    if not rate:
        return
    with _lock:
        now = monotonic()
        left, filled = _buckets.get(caller.pk, (2.0 * rate, now))
        left = min(2.0 * rate, left + (now - filled) * rate)
        if left < 1:
            _buckets[caller.pk] = (left, now)
            raise Throttled
        _buckets[caller.pk] = (left - 1, now)
