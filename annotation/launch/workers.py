"""Both workers and the clock of one machine, out of one image: `python -m annotation.launch.workers`.

They are the same Celery programs as in production, each worker a process of its own, so that a check
somebody waits for never queues behind a job that publishes. But what they import is imported once and
its memory shared, and the clock, which only ever sends a message, is a thread of the first process.
When one of them ends, all end, and the supervisor starts them again together.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from annotation.launch.health import READY_FILE

LOOK_EVERY = 0.1
PATIENCE = 8.0  # seconds for a job to end once another program is gone
# The pools have processes, since only those can be held to a time limit. Nobody else is there to gossip with.
POOL = ["--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
PROGRAMS = {
    "live": ["worker", "--queues", "live,solvers", "--hostname", "live@%h", *POOL],
    "jobs": ["worker", "--queues", "jobs,training", "--hostname", "jobs@%h", *POOL],
}


def main() -> int:
    work, tick = load()
    # A request to stop that comes while they part waits until it can be passed on.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    with tempfile.TemporaryDirectory() as folder:
        running = {part(name, work, Path(folder)): name for name in PROGRAMS}
        # A thread after the parting only: what is copied must have one.
        clock = threading.Thread(target=tick, name="clock", daemon=True)
        clock.start()
        return watch(running, clock, Path(folder), Path(os.environ[READY_FILE]))


def load() -> tuple[Callable[[str], None], Callable[[], None]]:
    """Import all that a worker needs; gives what runs one of the programs, and what runs the clock."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    django.setup()
    from celery.beat import Service

    from annotation.celery import app

    app.loader.import_default_modules()
    app.finalize()
    gc.collect()
    # The collector writes into every object it looks at, and a page written to is shared no more.
    gc.freeze()

    def work(name: str) -> None:
        app.conf.worker_log_format = f"[%(asctime)s %(levelname)s {name}/%(processName)s] %(message)s"
        app.start(PROGRAMS[name])

    return work, Service(app).start


def part(name: str, work: Callable[[str], None], folder: Path) -> int:
    """Start one program in a copy of this process; its number."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        os.environ[READY_FILE] = str(folder / name)
        work(name)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        # Leave without the parent's own clearing up.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def watch(running: dict[int, str], clock: threading.Thread, folder: Path, ready: Path) -> int:
    """Pass the request to stop on, and wait. An end that nobody asked for ends the others too.

    Those may be at a job of hours; until they are started again together nobody's work is checked live. So
    their patience ends with PATIENCE. A job that is cut off is done again: the database knows what is left.
    """
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: asked.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    names = set(running.values())
    stopping = 0.0
    code = 0
    while running:
        pid, _ = os.waitpid(-1, os.WNOHANG)
        ended = running.pop(pid) if pid else "" if clock.is_alive() else clock.name
        if ended and not asked and not stopping:
            print(f"{ended} ended by itself, so the others end too", file=sys.stderr, flush=True)
            code = 1
        if (asked or code) and not stopping:
            stopping = time.monotonic()
            for other in running:
                os.kill(other, signal.SIGTERM)
        if code and stopping and time.monotonic() - stopping > PATIENCE:
            for other in running:
                os.kill(other, signal.SIGKILL)
        if not ready.exists() and all((folder / name).exists() for name in names):
            ready.touch()
        if not pid:
            time.sleep(LOOK_EVERY)
    return code


if __name__ == "__main__":
    sys.exit(main())
