"""What a Celery worker does for its supervisor: says when it is ready, and parts its pages late.

It has no job of its own; Celery imports this module in workers only.
"""

import gc
import os
from pathlib import Path

from celery.signals import worker_init, worker_ready

from annotation.launch.health import READY_FILE


@worker_init.connect
def share_pages(**_: object) -> None:
    """Keep the collector off what the pool's processes will share with this one."""
    gc.collect()
    gc.freeze()


@worker_ready.connect
def say_ready(**_: object) -> None:
    if path := os.environ.get(READY_FILE):
        Path(path).touch()
