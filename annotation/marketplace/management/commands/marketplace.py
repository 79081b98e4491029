"""Serve the marketplace by itself, with a fresh requester account to start from."""

import errno
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.command import Command as BaseCommand
from annotation.command import amount, port_number
from annotation.marketplace.commanding import MOST_BALANCE
from annotation.marketplace.management.commands.create_requester import make_requester

START_SECONDS = 30
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what people type to listen at every address


class Command(BaseCommand):
    help = "Serve the marketplace until stopped; prints its address and a fresh requester's keys (--json: on one line)."
    example = "./crowdwright marketplace --port 8001 --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where, and with how much money."""
        parser.add_argument("--host", default="127.0.0.1", help="Name or address of this machine (default 127.0.0.1).")
        parser.add_argument("--port", type=port_number, default=8001, help="Port to serve at (default 8001).")
        parser.add_argument(
            "--balance",
            type=amount(MOST_BALANCE),
            default="10000.00",
            help="Prepaid US dollars of the fresh requester (default 10000.00).",
        )

    def handle(self, *, host: str, port: int, balance: int, **options: object) -> None:
        """Migrate, make the account, serve, print, wait."""
        public = os.environ.get("MARKETPLACE_PUBLIC_URL", "").rstrip("/")
        if host in EVERYWHERE and not public:
            raise CommandError(
                f"--host {host} listens at every address of this machine. Say by which of them people reach it: "
                f"MARKETPLACE_PUBLIC_URL=http://ADDRESS:{port} ./crowdwright marketplace --host {host}"
            )
        inside = f"http://{'127.0.0.1' if host in EVERYWHERE else _in_an_address(host)}:{port}"
        os.environ["MARKETPLACE_PUBLIC_URL"] = address = public or inside
        called_by = [_in_an_address(urlsplit(url).hostname or "") for url in (inside, address)]
        os.environ.setdefault("ALLOWED_HOSTS", ",".join(dict.fromkeys([*settings.ALLOWED_HOSTS, *called_by])))
        # The processes that this starts stand elsewhere.
        os.environ["CROWDWRIGHT_HOME"] = str(settings.HOME)
        if settings.SITE != "marketplace" or address != settings.MARKETPLACE_PUBLIC_URL:
            # The same command again, now with this site's settings and its own address in them.
            os.environ["CROWDWRIGHT_SITE"] = "marketplace"
            os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - our own command line
        bind = _where_to_listen(host, port)
        call_command("migrate", verbosity=0, interactive=False)
        if not settings.EMBEDDED:  # with a database server, pages name their files by content
            call_command("collectstatic", verbosity=0, interactive=False)
        made = make_requester(name=f"requester-{secrets.token_hex(4)}", balance_cents=balance)
        processes = [_serve(bind), _deliver()]
        try:
            _wait_until_up(inside, processes[0])
            self._print({"endpoint": address if host in EVERYWHERE else inside, **made})
            _wait(processes)
        finally:
            for process in processes:
                if process.poll() is None:
                    process.terminate()
            for process in processes:
                process.wait(timeout=30)

    def _print(self, made: dict) -> None:
        if self.as_json:  # on one line, which a program reads while this goes on
            self.stdout.write(json.dumps(made))
        else:
            self.stdout.write(f"Marketplace at {made['endpoint']} (workers sign up there; Ctrl-C stops it)\n")
            self.stdout.write(f"  export AWS_ENDPOINT_URL_MTURK={made['endpoint']}")
            self.stdout.write(f"  export AWS_ACCESS_KEY_ID={made['access_key_id']}")
            self.stdout.write(f"  export AWS_SECRET_ACCESS_KEY={made['secret_access_key']}")
            self.stdout.write("  export AWS_DEFAULT_REGION=us-east-1")
            self.stdout.write(
                f"  requester's pages: {made['requester']} / {made['password']}, balance {made['balance']}"
            )
        self.stdout.flush()


def _in_an_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _where_to_listen(host: str, port: int) -> str:
    """What gunicorn binds to. Raises CommandError where it could not."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise CommandError(f"--host: nothing is called {host!r} here.") from error
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CommandError(f"Port {port} on {host} is taken; choose another with --port.") from error
            raise CommandError(f"Nothing can be served on {host}, port {port}: {error.strerror}.") from error
    return f"{_in_an_address(address[0])}:{port}"


def _serve(bind: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "gunicorn", "--config", "python:annotation.launch.web_server"]
    command += ["--bind", bind, "--log-level", "warning", "annotation.wsgi"]
    return subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 - our own command line


def _deliver() -> subprocess.Popen:
    command = [sys.executable, "manage.py", "deliver_notifications", "--forever"]
    return subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 - our own command line


def _wait_until_up(endpoint: str, server: subprocess.Popen) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends:
        if server.poll() is not None:
            raise CommandError(f"The server stopped at once with code {server.returncode}; its log is above.")
        # Where the site insists on https, it sends all but those who came through the proxy elsewhere.
        asked = urllib.request.Request(f"{endpoint}/healthz", headers={"X-Forwarded-Proto": "https"})  # noqa: S310
        try:
            with urllib.request.urlopen(asked, timeout=2):  # noqa: S310 - our own address
                return
        except urllib.error.HTTPError as answer:
            told = f"{endpoint}/healthz answered {answer.code}, expected 200"
            raise CommandError(f"{told}; ALLOWED_HOSTS is {os.environ['ALLOWED_HOSTS']}.") from answer
        except OSError:
            time.sleep(0.1)
    raise CommandError(f"{endpoint} did not answer within {START_SECONDS} seconds.")


def _wait(processes: list[subprocess.Popen]) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    try:
        while all(process.poll() is None for process in processes):
            time.sleep(0.5)
    except KeyboardInterrupt:
        return
    raise CommandError("A process of the marketplace stopped by itself; its log is above.")
