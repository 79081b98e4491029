"""Threads of a process write one after the other, and nobody waits for oneself."""

import threading

import pytest
from django.db import connection, transaction

from annotation import turns

pytestmark = pytest.mark.django_db(transaction=True)

on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite has a single write lock")


@on_sqlite
def test_a_second_thread_waits_for_its_turn():
    order, began = [], threading.Event()

    def second():
        began.set()
        try:
            with turns.short_transaction():
                order.append("second")
        finally:
            connection.close()

    other = threading.Thread(target=second)
    with turns.short_transaction():
        other.start()
        began.wait(10)
        order.append("first")
    other.join(10)
    assert order == ["first", "second"]


def test_inside_a_transaction_nobody_waits():
    with turns.short_transaction(), turns.short_transaction(), transaction.atomic(), turns.turn():
        assert connection.in_atomic_block


def test_a_turn_ends_with_an_error(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.0)
    with pytest.raises(ZeroDivisionError), turns.turn():
        1 / 0  # noqa: B018
    with turns.turn():
        assert turns._lock.locked() == (connection.vendor == "sqlite")
    assert not turns._lock.locked()


@on_sqlite
def test_whoever_waited_long_enough_goes_without(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.01)
    with turns._lock, turns.short_transaction():
        assert connection.in_atomic_block
