"""What a Celery worker does for those who wait for it: it says when it is ready.

There is no job here; Celery imports the `jobs` module of every room, in workers only.
"""

import os
from pathlib import Path

from celery.signals import worker_ready

from annotation.launch.health import READY_FILE


@worker_ready.connect
def say_ready(**_: object) -> None:
    if path := os.environ.get(READY_FILE):
        Path(path).touch()
