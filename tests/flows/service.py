"""The whole service for flow tests: real processes in a folder of their own, driven by commands and over HTTP."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import psycopg2
import psycopg2.extras

from annotation.simulation import services
from annotation.simulation.workers import Account, Worker
from tasks.simulation import Person, simulation_of

OF_PROJECT = "join projects_project p on p.id = h.project_id where p.slug = ?"
ROOT = Path(__file__).resolve().parents[2]
DATABASES = {"DATABASE_URL": "main", "MARKETPLACE_DATABASE_URL": "market"}


class Service:
    """Running processes, and the environment in which commands reach them."""

    def __init__(self, environment: dict[str, str]):
        self.environment = environment

    @property
    def marketplace(self) -> str:
        return self.environment["MTURK_ENDPOINT_URL"]

    def command(self, *words: str | Path) -> Any:
        """What a command prints with --json. A failure of it is a failure of the test, in its own words."""
        ran = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *map(str, words), "--json"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{' '.join(map(str, words))}: {ran.stderr or ran.stdout}"
        return json.loads(ran.stdout)

    def rows(self, query: str, *values: Any) -> list[dict]:
        """Rows of the service's own database, read beside it: what no page or command shows. `?` stands for a value."""
        if address := self.environment.get("DATABASE_URL"):
            with closing(psycopg2.connect(address)) as connection:
                # JSON as its text, as SQLite gives it.
                psycopg2.extras.register_default_jsonb(connection, loads=str)
                cursor = connection.cursor(cursor_factory=psycopg2.extras.RealDictCursor)
                cursor.execute(query.replace("%", "%%").replace("?", "%s"), values)
                return [dict(row) for row in cursor.fetchall()]
        path = Path(self.environment["CROWDWRIGHT_HOME"]) / "crowdwright.sqlite3"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query, values)]

    def count(self, query: str, *values: Any) -> int:
        (row,) = self.rows(query, *values)
        return next(iter(row.values()))

    def run(self, statement: str) -> str:
        """A statement in a process of the service, for what these tests visit no page for. Gives its output."""
        command = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "-c", statement]
        ran = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def project(self, slug: str, *files: Path, pipeline: str = "arc-da", stage: str = "") -> int:
        """A project whose first items, those of these files, are on offer. Gives how many HITs."""
        words = [
            ["create", pipeline, slug, "--budget", "1000"],
            ["import", slug, *map(str, files)],
            ["publish", slug, "--yes", "--below-floor", *(["--stage", stage] if stage else [])],
        ]
        # One process for the three: a third of the time.
        self.run(f"from django.core.management import call_command\nfor words in {words!r}: call_command(*words)")
        self._wait_until_offered(slug)
        return self.count(f"select count(*) from hits_hit h {OF_PROJECT}", slug)

    def top_up(self, slug: str) -> int:
        """Offers unfinished items again; gives how many HITs."""
        count = self.command("top_up", slug, "--yes", "--below-floor")["hits"]
        self._wait_until_offered(slug)
        return count

    def _wait_until_offered(self, slug: str) -> None:
        planned = f"select count(*) from hits_hit h {OF_PROJECT} and h.state = 'planned'"
        self.wait_until(lambda: self.count(planned, slug) == 0, "all HITs are offered")

    def wait_until(self, condition: Any, what: str, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{what}: not after {seconds} seconds"
            time.sleep(0.2)

    def worker(self, name: str, character: str = "careful", seat: int = 0, **more: Any) -> Worker:
        """A worker who has signed in."""
        simulation = simulation_of("arc_da")
        worker = Worker(
            endpoint=self.marketplace,
            account=Account(name, f"the password of {name}"),
            person=Person(character, seat),
            rng=Random(name),
            simulation=simulation,
            knowledge=simulation.knowledge(),
            **more,
        )
        worker.enter()
        return worker


@contextmanager
def running(home: Path) -> Iterator[Service]:
    """The service as the tests' own configuration says: embedded, or on PostgreSQL with Redis."""
    with (
        _databases() as production,
        services.temporary(
            home, ADVANCE_EVERY="1", SQLITE_SYNCHRONOUS="OFF", SOLVER_SWEEP_EVERY="1", **production
        ) as environment,
    ):
        yield Service(environment)


@contextmanager
def _databases() -> Iterator[dict[str, str]]:
    """Two databases made for this run on the server of DATABASE_URL, and the broker; nothing where that is not set."""
    server = os.environ.get("DATABASE_URL")
    if not server:
        yield {}
        return
    names = {name: f"flow_{site}_{os.getpid()}" for name, site in DATABASES.items()}
    with closing(psycopg2.connect(server)) as connection:
        connection.autocommit = True
        cursor = connection.cursor()
        for name in names.values():
            cursor.execute(f"CREATE DATABASE {name}")
        try:
            addresses = {name: f"{server.rpartition('/')[0]}/{database}" for name, database in names.items()}
            yield {**addresses, "REDIS_URL": os.environ["REDIS_URL"], "MARKETPLACE_SIGN_UP": "open"}
        finally:
            for name in names.values():
                cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
