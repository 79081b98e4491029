"""One state of the database for a long reading: what others write meanwhile is not seen, and nobody waits."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

from django.db import connection, transaction

# How SQLite reads for us: no file mapped into memory, 4 MB of pages kept.
READ_ONCE = {"mmap_size": 0, "cache_size": -4_000}


@contextlib.contextmanager
def one_state_of_the_database() -> Iterator[None]:
    """A transaction that sees one state from first read to last, and keeps no writer waiting."""
    frozen = _frozen_sqlite if connection.vendor == "sqlite" else _frozen_postgresql
    with frozen(is_outermost=not connection.in_atomic_block):
        yield


@contextlib.contextmanager
def _frozen_postgresql(*, is_outermost: bool) -> Iterator[None]:
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextlib.contextmanager
def _frozen_sqlite(*, is_outermost: bool) -> Iterator[None]:
    """A deferred transaction, where our writing ones lock at once. Each page is read once: no memory is kept for it."""
    with connection.cursor() as cursor:
        before = {name: cursor.execute(f"PRAGMA {name}").fetchone() for name in READ_ONCE}
        for name, value in READ_ONCE.items():
            cursor.execute(f"PRAGMA {name}={value:d}")
        mode, connection.transaction_mode = connection.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode
            for name, found in before.items():
                if found:  # a database in memory has nothing to map
                    cursor.execute(f"PRAGMA {name}={found[0]:d}")


@contextlib.contextmanager
def no_search_for_cycles() -> Iterator[None]:
    """Rows of plain values hold no cycles, and looking for some costs a third of the reading."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
