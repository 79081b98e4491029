"""Where the two sites of one machine are found, and whether they can be."""

import json
import os
from argparse import ArgumentTypeError
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from annotation.command import port_number
from annotation.launch.health import port_is_free

WEB_PORT = 8000
MARKETPLACE_PORT = 8001


class NoPort(Exception):
    """A site cannot listen where it is to: another program does, or what names the port is no number."""


@dataclass(frozen=True)
class Addresses:
    """What the children listen on, and by which addresses people and the sites reach each other."""

    web_port: int
    marketplace_port: int
    task_url: str
    endpoint_url: str

    @property
    def has_own_marketplace(self) -> bool:
        """Whether the marketplace is ours to start, or stands somewhere else."""
        return self.endpoint_url == own_endpoint(self.marketplace_port)

    def environment(self) -> dict[str, str]:
        """What settings.py is told."""
        return {"TASK_URL": self.task_url, "MTURK_ENDPOINT_URL": self.endpoint_url}

    def refuse_taken_ports(self) -> None:
        """Raises NoPort, with the way out."""
        wanted = [(self.web_port, "--port", "the task pages")]
        if self.has_own_marketplace:
            wanted.append((self.marketplace_port, "--marketplace-port", "the marketplace"))
        for port, flag, what in wanted:
            if not port_is_free(port):
                raise NoPort(
                    f"port {port}, wanted for {what}, is taken by another program. "
                    f"Choose another one, for example: ./crowdwright up {flag} {port + 100}"
                )


# 127.0.0.1 and localhost are different sites to a browser, so cookie faults show at home.
def own_endpoint(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def own_task_url(port: int) -> str:
    return f"http://localhost:{port}"


def choose(
    *, web_port: int | None, marketplace_port: int | None, remembered: Path, environment: Mapping[str, str] = os.environ
) -> Addresses:
    """The addresses: from flags, else the environment, else as the last time (HITs that are out lead there).

    TASK_URL and MTURK_ENDPOINT_URL follow the ports, unless the environment says that the world reaches
    the sites elsewhere. Raises NoPort where the environment names none.
    """
    last = _last_ports(remembered)
    web = web_port or _port_in(environment, "CROWDWRIGHT_PORT") or last.get("web", WEB_PORT)
    marketplace = (
        marketplace_port
        or _port_in(environment, "CROWDWRIGHT_MARKETPLACE_PORT")
        or _local_port(environment.get("MTURK_ENDPOINT_URL", ""))
        or last.get("marketplace", MARKETPLACE_PORT)
    )
    addresses = Addresses(
        web_port=web,
        marketplace_port=marketplace,
        task_url=environment.get("TASK_URL", "").rstrip("/") or own_task_url(web),
        endpoint_url=environment.get("MTURK_ENDPOINT_URL", "").rstrip("/") or own_endpoint(marketplace),
    )
    return addresses


def remember(addresses: Addresses, path: Path) -> None:
    path.write_text(json.dumps({"web": addresses.web_port, "marketplace": addresses.marketplace_port}))


def _last_ports(path: Path) -> dict[str, Any]:
    try:
        return json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}


def _port_in(environment: Mapping[str, str], name: str) -> int:
    try:
        return port_number(environment[name]) if environment.get(name) else 0
    except ArgumentTypeError as fault:
        raise NoPort(f"{name}: {fault}") from fault


def _local_port(url: str) -> int:
    try:
        parts = urlsplit(url)
        return parts.port or 0 if parts.hostname == "127.0.0.1" else 0
    except ValueError as fault:
        raise NoPort(f"MTURK_ENDPOINT_URL is no address, found {url!r}: {fault}") from fault
