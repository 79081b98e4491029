"""Turns at SQLite's one write lock, among the threads of a process.

SQLite lets one connection write at a time; whoever finds it busy sleeps and looks again, up to a tenth of
a second too long, while the thread that writes must share the interpreter with all who look. So the short
writes of workers' pages queue here instead. It is a courtesy only: what a transaction sees and keeps does
not depend on it, other processes and longer writes don't know of it, and nobody waits for long.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from django.db import DEFAULT_DB_ALIAS, connections, transaction

LONGEST_WAIT = 5.0  # seconds; then one goes without, and SQLite's own time-out applies
_lock = threading.Lock()


@contextlib.contextmanager
def turn() -> Iterator[None]:
    """Waits until no other thread of this process is at a short write; no transaction may be open yet."""
    here = connections[DEFAULT_DB_ALIAS]
    # Whoever is inside a transaction has SQLite's lock already: waiting now could wait for oneself.
    has_it = here.vendor == "sqlite" and not here.in_atomic_block and _lock.acquire(timeout=LONGEST_WAIT)
    try:
        yield
    finally:
        if has_it:
            _lock.release()


@contextlib.contextmanager
def short_transaction() -> Iterator[None]:
    """A transaction of a few statements, in its turn."""
    with turn(), transaction.atomic():
        yield
