"""Whether a process is ready: asked from outside, in the way that its users reach it.

As a program, `python -m annotation.launch.health ADDRESS`, it exits with 0 or 1.
"""

import http.client
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

SECONDS_TO_ANSWER = 2.0
# Names the file that a worker writes when it is ready.
READY_FILE = "CROWDWRIGHT_READY_FILE"


def is_healthy(address: str) -> bool:
    """Whether what is at this address answers.

    `http://…`: a GET gives 200; `unix:PATH`: a Redis-protocol server there answers PING;
    `file:PATH`: a worker has written that file, as it does when it is ready for jobs;
    `running`: nobody asks it anything, so it is enough that it runs.
    """
    kind, _, rest = address.partition(":")
    if kind == "http":
        return answers_http(address)
    if kind == "unix":
        return answers_ping(rest)
    if kind == "file":
        return Path(rest).exists()
    if kind == "running":
        return True
    raise ValueError(f"a health address begins with http:, unix:, file: or is running, this one is {address!r}")


def answers_http(url: str) -> bool:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS_TO_ANSWER)
    try:
        # Where the site insists on https, it sends all but those who came through the proxy elsewhere.
        connection.request("GET", parts.path, headers={"X-Forwarded-Proto": "https"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def answers_ping(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(SECONDS_TO_ANSWER)
            connection.connect(path)
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def port_is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


if __name__ == "__main__":
    sys.exit(0 if is_healthy(sys.argv[1]) else 1)
