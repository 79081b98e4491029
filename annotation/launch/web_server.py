"""Gunicorn's configuration for both sites: `gunicorn --config python:annotation.launch.web_server annotation.wsgi`.

The number of processes and threads comes from WEB_PROCESSES and WEB_THREADS, the address from `--bind`.
"""

import gc
import os
import sys

worker_class = "gthread"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
threads = int(os.environ.get("WEB_THREADS", "4"))
# Everything is imported once, before the processes part, and shared among them.
preload_app = True
graceful_timeout = 5
keepalive = 15
# The socket that gunicorn 27 opens in the home folder is of no use here.
control_socket_disable = True
accesslog = None

# A thread that holds SQLite's write lock gets the interpreter back soon; with Python's 5 ms, four busy
# threads hold up each other's writes at every statement.
SECONDS_A_THREAD = 0.0005


def post_fork(server: object, worker: object) -> None:
    sys.setswitchinterval(SECONDS_A_THREAD)


def when_ready(server: object) -> None:
    """Before the processes part: import what the first request would, and keep the collector off shared pages."""
    from django.conf import settings
    from django.urls import get_resolver

    _ = get_resolver().reverse_dict
    if getattr(settings, "SITE", "") == "main":  # the bare project of the benchmarks is served so, too
        from annotation.workbench.pages import get_ready

        get_ready()
    gc.collect()
    gc.freeze()
