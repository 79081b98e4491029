"""Wakes jobs up without ever making a person wait for the broker.

Correctness never rests on these messages: the database says what is to be done and the sweeps find
it. So they are sent by one background thread from a short queue, and dropped when that is full.
"""

from __future__ import annotations

import logging
import queue
import threading

from celery import Task
from django.conf import settings
from django.db import transaction

# Jobs belong to whichever app is there: without ours they would be sent to Celery's default broker.
import annotation.celery  # noqa: F401

log = logging.getLogger(__name__)
_waiting: queue.Queue[tuple[Task, tuple]] = queue.Queue(maxsize=1_000)
_thread: threading.Thread | None = None
_lock = threading.Lock()


def wake(job: Task, *args: int) -> None:
    """Asks for a job to run soon, after the current transaction commits. Never blocks, never raises."""
    transaction.on_commit(lambda: _post(job, args), robust=True)


def _post(job: Task, args: tuple) -> None:
    if settings.CELERY_TASK_ALWAYS_EAGER:
        job.apply(args)
        return
    _ensure_thread()
    try:
        _waiting.put_nowait((job, args))
    except queue.Full:
        log.warning("the broker is slow: %s waits for its sweep", job.name)


def _ensure_thread() -> None:
    global _thread  # noqa: PLW0603 - one sender a process, made at first use so that it survives a fork
    if _thread is None or not _thread.is_alive():
        with _lock:
            if _thread is None or not _thread.is_alive():
                _thread = threading.Thread(target=_send_for_ever, name="waking", daemon=True)
                _thread.start()


def _send_for_ever() -> None:
    while True:
        job, args = _waiting.get()
        try:
            job.apply_async(args, retry=False)
        except Exception as fault:
            log.warning("%s was not woken (%s); its sweep will find it", job.name, type(fault).__name__)
