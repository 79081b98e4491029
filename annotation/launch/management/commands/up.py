"""`up`: everything on one machine, until Ctrl-C."""

import fcntl
import os
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections

from annotation.command import Command as BaseCommand
from annotation.command import port_number
from annotation.launch import accounts, addresses, children, corpora, preparation, processes
from annotation.launch.supervisor import Plan

GREETING = """
Crowdwright is up ({{seconds}} s).

{places}
{password}
  Logs are in {logs}. Ctrl-C stops everything; the next `up` goes on from here.
"""
ACCOUNTS = """
  The password of all these accounts: {password}
"""


class Command(BaseCommand):
    help = "Start everything on this machine: broker, marketplace, web, workers and clock."
    example = "./crowdwright up --port 8100 --marketplace-port 8101"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=port_number, help="Port of the task pages (8000, or as the last time).")
        parser.add_argument(
            "--marketplace-port",
            type=port_number,
            help="Port of the marketplace (8001, or as the last time).",
        )
        parser.add_argument(
            "--demo",
            action="store_true",
            help="Make the demo project and its accounts also on a database of your own (DATABASE_URL).",
        )
        parser.add_argument("--no-demo", action="store_true", help="Make no demo project and no demo accounts.")
        parser.add_argument("--logs", action="store_true", help="Show what the processes log, line by line.")
        parser.add_argument(
            "--exit-when-ready", action="store_true", help="Stop again when all is ready: a trial, or a measurement."
        )

    def handle(self, **options: Any) -> None:
        began = float(os.environ.get("CROWDWRIGHT_BEGAN") or time.time())
        (settings.HOME / "run").mkdir(mode=0o700, parents=True, exist_ok=True)
        self._become_the_only_one()
        left = processes.stop_left_over(settings.HOME / "run" / "children.json")
        if left:
            self.say(f"Stopped what an earlier run had left: {', '.join(left)}.")
        try:
            plan = self._prepare(options)
        except (addresses.NoPort, accounts.CommandFailed) as problem:
            raise CommandError(str(problem)) from problem
        except KeyboardInterrupt:
            sys.exit(130)
        plan.began = began
        path = settings.HOME / "run" / "plan.json"
        plan.write(path)
        self._hand_over(path, plan)

    def _become_the_only_one(self) -> None:
        self.lock = os.open(settings.HOME / "run" / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            pid = os.read(self.lock, 20).decode() or "unknown"
            raise CommandError(
                f"Crowdwright runs already in {settings.HOME} (process {pid}). Stop it with Ctrl-C there or "
                f"`kill {pid}`, or start another one beside it with CROWDWRIGHT_HOME set to another folder."
            ) from problem
        os.truncate(self.lock, 0)
        os.pwrite(self.lock, str(os.getpid()).encode(), 0)

    def _prepare(self, options: dict[str, Any]) -> Plan:
        remembered = settings.HOME / "run" / "ports.json"
        where = addresses.choose(
            web_port=options["port"], marketplace_port=options["marketplace_port"], remembered=remembered
        )
        where.refuse_taken_ports()
        addresses.remember(where, remembered)
        environment = children.shared_environment(where)
        preparation.forget_a_lost_marketplace()
        preparation.migrate_both(environment, own_marketplace=where.has_own_marketplace)
        for problem in corpora.problems():
            self.say(f"{problem.msg} {problem.hint}")
        preparation.collect_static(environment, own_marketplace=where.has_own_marketplace)
        if where.has_own_marketplace:
            environment |= accounts.requester_key(environment).environment()
        with_demo = (settings.EMBEDDED or options["demo"]) and not options["no_demo"]
        password = self._make_demo_accounts(where, environment) if with_demo else ""
        return Plan(
            children=children.children_of(where, environment),
            record=str(settings.HOME / "run" / "children.json"),
            began=0,
            first=self._first(with_demo),
            greeting=self._greeting(where, password),
            facts=self._facts(where, password),
            as_json=options["json"],
            environment=environment,
            stop_when_ready=options["exit_when_ready"],
            show_logs=options["logs"],
        )

    def _make_demo_accounts(self, where: addresses.Addresses, environment: dict[str, str]) -> str:
        password = accounts.demo_password()
        accounts.ensure_staff(password)
        if where.has_own_marketplace:
            accounts.ensure_workers(environment, password)
        return password

    def _first(self, with_demo: bool) -> list[list[str]]:
        if not with_demo or not preparation.demo_is_wanted():
            return []
        demo = [sys.executable, str(settings.BASE_DIR / "manage.py"), "demo"]
        # A crowd signs up by itself; where that takes an invitation, the demo's people do all the work.
        return [demo if settings.MARKETPLACE_SIGN_UP == "open" else [*demo, "--assignments", "0"]]

    def _greeting(self, where: addresses.Addresses, password: str) -> str:
        places = [
            ("worker", f"{where.endpoint_url}/", ", ".join(accounts.WORKERS)),
            ("expert", f"{where.task_url}/admin/", accounts.EXPERT),
            ("researcher", f"{where.task_url}/", f"{accounts.RESEARCHER}, {accounts.OWNER}"),
        ]
        width = max(len(url) for _, url, _ in places)
        lines = [f"  {role:<12}{url:<{width}}    {names if password else ''}".rstrip() for role, url, names in places]
        told = ACCOUNTS.format(password=password) if password else ""
        return GREETING.format(places="\n".join(lines), password=told, logs=settings.HOME / "logs")

    def _facts(self, where: addresses.Addresses, password: str) -> dict[str, object]:
        return {
            "worker": f"{where.endpoint_url}/",
            "expert": f"{where.task_url}/admin/",
            "researcher": f"{where.task_url}/",
            "accounts": {
                "workers": list(accounts.WORKERS),
                "expert": accounts.EXPERT,
                "researcher": accounts.RESEARCHER,
                "owner": accounts.OWNER,
                "password": password,
            }
            if password
            else {},
        }

    def _hand_over(self, path: Path, plan: Plan) -> None:
        """Become the supervisor: the same process, without Django's memory. The lock goes along."""
        os.set_inheritable(self.lock, True)
        connections.close_all()
        sys.stdout.flush()
        sys.stderr.flush()
        supervisor = [sys.executable, "-m", "annotation.launch.supervisor", str(path)]
        os.execve(sys.executable, supervisor, {**os.environ, **plan.environment})
