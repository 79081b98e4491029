"""Real services for tests: the marketplace in a process of its own, and a wire that can break.

`Marketplace` starts the marketplace site as a user would; `Wire` is an HTTP proxy before it that
cuts, delays or spoils single calls, before or after they took effect, and counts what came through.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Marketplace:
    """The marketplace site in a process and a folder of its own, with a fresh requester account."""

    def __init__(self, home: Path, *, balance: str = "10000.00", **more: str):
        self.home = home
        port = free_port()
        elsewhere = ("DATABASE_URL", "MARKETPLACE_DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")
        environment = {
            **{name: value for name, value in os.environ.items() if name not in elsewhere},
            "CROWDWRIGHT_SITE": "marketplace",
            "CROWDWRIGHT_HOME": str(home),
            "MTURK_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "SQLITE_SYNCHRONOUS": "OFF",
            "MARKETPLACE_SIGN_UP": "open",
            **more,
        }
        self.environment = environment
        self._log = (home / "marketplace.log").open("w")
        command = [sys.executable, str(ROOT / "manage.py"), "marketplace", "--port", str(port)]
        self._process = subprocess.Popen(
            [*command, "--balance", balance, "--json"],
            env=environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
        )
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the marketplace did not start; see {home / 'marketplace.log'}")
        told = json.loads(line)
        self.endpoint = told["endpoint"]
        self.access_key_id, self.secret_access_key = told["access_key_id"], told["secret_access_key"]
        self._wait()

    def _wait(self) -> None:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", urlsplit(self.endpoint).port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"the marketplace does not answer at {self.endpoint}")

    @property
    def pid(self) -> int:
        """The process that started the servers, which are its children."""
        return self._process.pid

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.close()


class Wire:
    """A proxy before a server. `break_next(operation, when, how, times)` spoils the next calls of an operation.

    `when`: "before" (the server never hears of it) or "after" (it took effect, the reply is spoilt).
    `how`: "reset", "silence" (held until the client gives up), "500", "503", "throttle", "refuse" (no access).
    `seen[operation]` counts what clients sent, `reached[operation]` what the server got.
    """

    def __init__(self, target: str):
        self._target = urlsplit(target)
        self._plan: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self.seen: dict[str, int] = defaultdict(int)
        self.reached: dict[str, int] = defaultdict(int)
        self._lock = threading.Lock()
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                wire.handle(self, body)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def break_next(self, operation: str, when: str, how: str, times: int = 1) -> None:
        self._plan[operation] += [(when, how)] * times

    def mend(self) -> None:
        self._plan.clear()

    def handle(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        operation = request.headers.get("X-Amz-Target", "").rpartition(".")[2]
        with self._lock:
            self.seen[operation] += 1
            when, how = self._plan[operation].pop(0) if self._plan[operation] else ("", "")
        if when == "before":
            self._spoil(request, how)
            return
        self.reached[operation] += 1
        status, headers, answer = self._forward(request, body)
        if when == "after":
            self._spoil(request, how)
            return
        self._answer(request, status, answer, headers.get("Content-Type", "application/x-amz-json-1.1"))

    def _forward(self, request: BaseHTTPRequestHandler, body: bytes):
        connection = http.client.HTTPConnection(self._target.hostname, self._target.port, timeout=30)
        headers = {name: value for name, value in request.headers.items() if name.lower() != "connection"}
        connection.request("POST", request.path, body, headers)
        reply = connection.getresponse()
        answer = reply.read()
        connection.close()
        return reply.status, reply.headers, answer

    def _spoil(self, request: BaseHTTPRequestHandler, how: str) -> None:
        if how == "reset":
            request.connection.shutdown(socket.SHUT_RDWR)
            request.close_connection = True
        elif how == "silence":
            time.sleep(2.5)
            request.close_connection = True
        elif how == "throttle":
            text = json.dumps({"__type": "ThrottlingException", "Message": "Rate exceeded"}).encode()
            self._answer(request, 400, text, "application/x-amz-json-1.1")
        elif how == "refuse":
            text = json.dumps({"__type": "AccessDeniedException", "Message": "no access"}).encode()
            self._answer(request, 400, text, "application/x-amz-json-1.1")
        else:
            text = json.dumps({"__type": "ServiceFault", "Message": "try again"}).encode()
            self._answer(request, int(how), text, "application/x-amz-json-1.1")

    @staticmethod
    def _answer(request: BaseHTTPRequestHandler, status: int, body: bytes, kind: str) -> None:
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
