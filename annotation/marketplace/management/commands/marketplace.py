"""Serve the marketplace by itself, with a fresh requester account to start from."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from argparse import ArgumentParser

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

START_SECONDS = 30


class Command(BaseCommand):
    """Example: ./crowdwright marketplace --port 8001 --json"""

    help = "Serve the marketplace until stopped; prints its address and a requester's keys. Example: marketplace --json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where, and with how much money."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8001)
        parser.add_argument("--balance", default="10000.00", help="prepaid US dollars of the fresh requester")
        parser.add_argument("--json", action="store_true", help="print one line of JSON, then serve")

    def handle(self, *args: object, **options: object) -> None:
        """Migrate, make the account, serve, print, wait."""
        host, port = options["host"], options["port"]
        endpoint = f"http://{host}:{port}"
        os.environ.setdefault("MARKETPLACE_PUBLIC_URL", endpoint)
        if settings.SITE != "marketplace" or os.environ["MARKETPLACE_PUBLIC_URL"] != settings.MARKETPLACE_PUBLIC_URL:
            # The same command again, now with this site's settings and its own address in them.
            os.environ["CROWDWRIGHT_SITE"] = "marketplace"
            os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606 - our own command line
        _check_free(host, port)
        call_command("migrate", verbosity=0, interactive=False)
        if not settings.EMBEDDED:  # with a database server, pages name their files by content
            call_command("collectstatic", verbosity=0, interactive=False)
        made = self._requester(options["balance"])
        processes = [_serve(host, port), _deliver()]
        try:
            _wait_until_up(endpoint, processes[0])
            self._print({"endpoint": endpoint, **made}, as_json=options["json"])
            _wait(processes)
        finally:
            for process in processes:
                if process.poll() is None:
                    process.terminate()
            for process in processes:
                process.wait(timeout=30)

    def _requester(self, balance: str) -> dict:
        from annotation.marketplace.management.commands.create_requester import cents, make_requester

        name = f"requester-{secrets.token_hex(4)}"
        return make_requester(name=name, balance_cents=cents(balance))

    def _print(self, made: dict, *, as_json: bool) -> None:
        if as_json:
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


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"Port {port} on {host} is taken; choose another with --port.") from error


def _serve(host: str, port: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "gunicorn", "--config", "python:annotation.launch.web_server"]
    command += ["--bind", f"{host}:{port}", "--log-level", "warning", "annotation.wsgi"]
    return subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 - our own command line


def _deliver() -> subprocess.Popen:
    command = [sys.executable, "manage.py", "deliver_notifications", "--forever"]
    return subprocess.Popen(command, cwd=settings.BASE_DIR)  # noqa: S603 - our own command line


def _wait_until_up(endpoint: str, server: subprocess.Popen) -> None:
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends:
        if server.poll() is not None:
            raise CommandError(f"The server stopped at once with code {server.returncode}; its log is above.")
        try:
            with urllib.request.urlopen(f"{endpoint}/healthz", timeout=2):  # noqa: S310 - our own address
                return
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
