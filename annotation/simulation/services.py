"""The whole service in a folder and on ports of its own, for one run: what `up` starts, and nothing else."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

SECONDS_TO_START = 300
SECONDS_TO_STOP = 40
# What would lead the temporary service to somebody's own databases, brokers and buckets.
LEFT_OUT = (
    "DATABASE_URL",
    "MARKETPLACE_DATABASE_URL",
    "REDIS_URL",
    "BROKER_SOCKET",
    "RELEASE_STORAGE",
    "CORPORA",
    "SOLVER_STORAGE",
    "SEARCH_URL",
    "TASK_URL",
    "MTURK_ENDPOINT_URL",
    "MARKETPLACE_PUBLIC_URL",
    "MTURK_SUBMIT_HOSTS",
    "MTURK_ACCESS_KEY_ID",
    "MTURK_SECRET_ACCESS_KEY",
    "CROWDWRIGHT_PORT",
    "CROWDWRIGHT_MARKETPLACE_PORT",
    "CROWDWRIGHT_SITE",
)


class NotStarted(Exception):
    """Services that did not come up; says what they said."""


@contextmanager
def temporary(home: Path, *, ports: tuple[int, int] | None = None, **more: str) -> Iterator[dict[str, str]]:
    """Runs the services in `home` and gives the environment in which commands find them. Stops them at the end."""
    web, marketplace = ports or (_free_port(), _free_port())
    environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment |= {"CROWDWRIGHT_HOME": str(home), "ADVANCE_EVERY": "2", **more}
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "up", "--no-demo", "--json"]
    command += ["--port", str(web), "--marketplace-port", str(marketplace)]
    home.mkdir(parents=True, exist_ok=True)
    with (home / "up.log").open("w") as log:
        # A session of its own: Ctrl-C at the terminal is ours to pass on, when we no longer need them.
        process = subprocess.Popen(  # noqa: S603 - our own command line
            command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        )
        try:
            _wait_until_told(process, home / "up.log")
            yield {**environment, **_addresses(web, marketplace), **_keys(home)}
        finally:
            _stop(process)


def _wait_until_told(process: subprocess.Popen, log: Path) -> None:
    """`up` prints one JSON object when all its processes are ready."""
    told: list[str] = []

    def read() -> None:
        for line in process.stdout or ():
            told.append(line)
            if line.startswith("}"):
                return

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(SECONDS_TO_START)
    try:
        json.loads("".join(told))
    except ValueError:
        said = "".join(log.read_text().splitlines(keepends=True)[-30:])
        raise NotStarted(f"the services did not start:\n{said or 'they said nothing'}") from None


def _addresses(web: int, marketplace: int) -> dict[str, str]:
    return {"TASK_URL": f"http://localhost:{web}", "MTURK_ENDPOINT_URL": f"http://127.0.0.1:{marketplace}"}


def _keys(home: Path) -> Mapping[str, str]:
    """What signs calls to the marketplace that was made in this home."""
    keys = json.loads((home / "secrets" / "marketplace-requester.json").read_text())
    return {"MTURK_ACCESS_KEY_ID": keys["access_key_id"], "MTURK_SECRET_ACCESS_KEY": keys["secret_access_key"]}


def _stop(process: subprocess.Popen) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.stdout:
        process.stdout.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
