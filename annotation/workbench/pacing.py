"""How often one page may ask: a bucket that fills by the second. Each process counts for itself."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

MOST_PAGES = 10_000


class Pace:
    """Lets `burst` requests pass at once and `a_second` after that, for each page. Forgets pages that fell silent."""

    def __init__(self, *, burst: int, a_second: float):
        self.burst, self.a_second = burst, a_second
        self._left: OrderedDict[int, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def seconds_to_wait(self, page: int) -> float:
        """0: go on. Otherwise how long until this page may ask again."""
        now = time.monotonic()
        with self._lock:
            left, since = self._left.pop(page, (float(self.burst), now))
            left = min(float(self.burst), left + (now - since) * self.a_second)
            wait = 0.0 if left >= 1 else (1 - left) / self.a_second
            self._left[page] = (left - 1 if not wait else left, now)
            while len(self._left) > MOST_PAGES:
                self._left.popitem(last=False)
        return wait

    def forget(self) -> None:
        with self._lock:
            self._left.clear()
