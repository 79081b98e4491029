"""Measures the marketplace: `.venv/bin/python -m tests.benchmarks.marketplace [--quick] [--json FILE]`.

It starts the marketplace as `./crowdwright marketplace` does, in a folder of its own, and a bare Django
view beside it. Workers accept and hand in over HTTP, a requester publishes and lists with unmodified
boto3. Every figure is set against a bare view that writes or reads one row, asked by the same program
over the same number of connections just before: the ratio is the median over the repeats.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import boto3
from botocore.config import Config

from tests.benchmarks import processor
from tests.benchmarks.marketplace_question import QUESTION
from tests.benchmarks.parts import bare
from tests.benchmarks.report import machine
from tests.services import ROOT, Marketplace

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PASSWORD = "as-long-as-it-should-be"
ROWS = 1_000
Step = Callable[[], None]


class Browser:
    """One connection that keeps its cookies."""

    def __init__(self, base: str):
        parts = urlsplit(base)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._cookies: dict[str, str] = {}
        self._used = 0.0

    def close(self) -> None:
        self._connection.close()

    def send(self, method: str, path: str, **form: str) -> tuple[int, str, str]:
        """Status, where it leads, text."""
        if time.monotonic() - self._used > 1:  # the server closes idle connections after two seconds
            self._connection.close()
        token = next((value for name, value in self._cookies.items() if name.endswith("csrf")), "")
        body = urlencode({"csrfmiddlewaretoken": token, **form}) if method == "POST" else None
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        self._connection.request(method, path, body, {"Cookie": cookies} | (FORM if body else {}))
        answer = self._connection.getresponse()
        text = answer.read().decode()
        self._used = time.monotonic()
        for header in answer.headers.get_all("Set-Cookie", []):
            name, _, value = header.partition(";")[0].partition("=")
            self._cookies[name] = value
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path} was answered {answer.status}: {text[:300]}")
        return answer.status, answer.headers.get("Location", ""), text


def worker(base: str, name: str) -> Browser:
    """A worker who has signed up and is signed in."""
    browser = Browser(base)
    browser.send("GET", "/sign-up/")
    browser.send("POST", "/sign-up/", username=name, password=PASSWORD, consent="on")
    return browser


def cycle(browser: Browser, group: str) -> Step:
    """Accept the next HIT of a group, open its page, hand in."""

    def do() -> None:
        _, page, _ = browser.send("POST", f"/groups/{group}/accept")
        _, _, text = browser.send("GET", page)
        assignment = page.rstrip("/").rsplit("/", 1)[-1]
        if not re.search(r'<iframe id="task"', text):
            raise RuntimeError(f"there is no task at {page}")
        browser.send("POST", "/mturk/externalSubmit", assignmentId=assignment, answer="wood")

    return do


def bare_cycle(browser: Browser, place: int) -> Step:
    """As many requests to the bare view: write, read, write."""
    path = f"{place % ROWS + 1}"

    def do() -> None:
        browser.send("POST", f"/write/{path}", text=_new_text())
        browser.send("GET", f"/read/{path}")
        browser.send("POST", f"/write/{path}", text=_new_text())

    return do


def bare_once(browser: Browser, method: str) -> Step:
    """One request to the bare view."""
    if method == "POST":
        return lambda: _ignore(browser.send("POST", "/write/1", text=_new_text()))
    return lambda: _ignore(browser.send("GET", "/read/1"))


def _new_text() -> str:
    """SQLite leaves a page alone, and the disk, where nothing changed."""
    return str(time.perf_counter_ns()).ljust(1_500, "y")


def _ignore(_: object) -> None:
    return None


def timed(steps: list[Step], seconds: float) -> dict[str, float]:
    """Each step again and again in a thread of its own: how many a second, and how long each took (ms)."""
    times: list[float] = []
    failed: list[BaseException] = []
    began = time.perf_counter()

    def repeat(step: Step) -> None:
        try:
            while time.perf_counter() - began < seconds:
                start = time.perf_counter()
                step()
                times.append((time.perf_counter() - start) * 1000)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=repeat, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise RuntimeError(f"{len(failed)} of {len(steps)} stopped: {failed[0]}") from failed[0]
    times.sort()
    return {
        "rate": round(len(times) / (time.perf_counter() - began), 1),
        "p50": round(statistics.median(times), 2),
        "p95": round(times[int(len(times) * 0.95)], 2),
    }


def beside(ours: list[Step], yardstick: list[Step], *, seconds: float, repeats: int) -> dict[str, Any]:
    """Bare view and ours in turn; the middle run of ours, and the median of the ratios."""
    pairs = [(timed(yardstick, seconds), timed(ours, seconds)) for _ in range(repeats)]
    middle = sorted((one for _, one in pairs), key=lambda one: one["rate"])[repeats // 2]
    return middle | {
        "bare": statistics.median(other["rate"] for other, _ in pairs),
        "ratio": round(statistics.median(other["rate"] / one["rate"] for other, one in pairs), 2),
    }


def measure(*, quick: bool, database: str) -> dict[str, Any]:
    """All figures, on SQLite or on the database server named."""
    seconds, repeats, listed = (1.0, 1, 300) if quick else (3.0, 3, 10_000)
    found: dict[str, Any] = {"machine": machine(), "quick": quick, "database": "PostgreSQL" if database else "SQLite"}
    more = {"SQLITE_SYNCHRONOUS": "FULL"} | ({"MARKETPLACE_DATABASE_URL": database} if database else {})
    os.environ |= {"DATABASE_URL": database} if database else {}  # the bare view's
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder, bare(ROWS) as bare_url:
        service = Marketplace(Path(folder), balance="1000000.00", **more)
        try:
            found |= _measure(service, bare_url, seconds=seconds, repeats=repeats, listed=listed)
        finally:
            service.stop()
    return found


def _measure(service: Marketplace, bare_url: str, *, seconds: float, repeats: int, listed: int) -> dict[str, Any]:
    client = _client(service)
    kind = client.create_hit_type(Title="Benchmark", Description="d", Reward="0.01", AssignmentDurationInSeconds=600)[
        "HITTypeId"
    ]

    def publish() -> dict:
        given = {"HITTypeId": kind, "LifetimeInSeconds": 86_400, "MaxAssignments": 9, "Question": QUESTION}
        return client.create_hit_with_hit_type(**given)["HIT"]

    found: dict[str, Any] = {}
    group = publish()["HITGroupId"]
    options = {"seconds": seconds, "repeats": repeats}
    with closing(Browser(bare_url)) as one:
        found["publish"] = beside([lambda: _ignore(publish())], [bare_once(one, "POST")], **options)
        _fill(service, kind, listed - sum(page["NumResults"] for page in _pages(client)))
        began = time.perf_counter()
        count = sum(page["NumResults"] for page in _pages(client))
        took = time.perf_counter() - began
        found["list"] = {"hits": count, "seconds": round(took, 2), "a_second": round(count / took)}
        list_page = [lambda: _ignore(client.list_hits(MaxResults=100))]
        found["list_page"] = beside(list_page, [bare_once(one, "GET")], **options)
        found["processor"] = _processor(service, bare_url, one, publish, list_page[0], group, times=round(seconds * 50))
    mark = f"w{time.time_ns()}"
    for number in (1, 32):
        workers = [worker(service.endpoint, f"{mark}-{number}x{place}") for place in range(number)]
        others = [Browser(bare_url) for _ in range(number)]
        ours = [cycle(browser, group) for browser in workers]
        yardstick = [bare_cycle(browser, place) for place, browser in enumerate(others)]
        found[f"cycle_{number}"] = beside(ours, yardstick, **options)
        for browser in (*workers, *others):
            browser.close()
    return found


def _processor(
    service: Marketplace, bare_url: str, one: Browser, publish: Step, list_page: Step, group: str, *, times: int
) -> dict[str, list[float]]:
    """Processor time in ms of ours and of the bare view's, for the same three things."""
    ours, other = service.pid, processor.child_named(bare_url.rpartition("/")[2])
    somebody = worker(service.endpoint, f"w{time.time_ns()}")
    pairs = {
        "cycle": (cycle(somebody, group), bare_cycle(one, 0)),
        "publish": (publish, bare_once(one, "POST")),
        "list_page": (list_page, bare_once(one, "GET")),
    }
    taken = {
        name: [processor.a_step(mine, ours, times), processor.a_step(bare_one, other, times * 5)]
        for name, (mine, bare_one) in pairs.items()
    }
    somebody.close()
    return taken


def _fill(service: Marketplace, kind: str, number: int) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.marketplace_filling", kind, str(number)]
    subprocess.run(command, env=service.environment, cwd=ROOT, check=True)


def _pages(client: Any) -> Any:
    return client.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 100})


def _client(service: Marketplace) -> Any:
    return boto3.client(
        "mturk",
        endpoint_url=service.endpoint,
        region_name="us-east-1",
        aws_access_key_id=service.access_key_id,
        aws_secret_access_key=service.secret_access_key,
        config=Config(retries={"total_max_attempts": 1}),
    )


def markdown(found: dict[str, Any]) -> str:
    """The figures as a table."""
    here = found["machine"]
    database = found["database"] + (" with `synchronous=FULL`" if found["database"] == "SQLite" else "")
    lines = [
        f"Measured on {here['date']} at commit `{here['commit']}`: {here['cores']} cores, {database}, "
        f"load average {here['load_average'][0]} when it began.",
        "",
        "| what | a second | p50 ms | p95 ms | bare, a second | × bare | processor ms | bare's | × bare |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, label in (
        ("cycle_1", "accept, open, hand in: 1 worker"),
        ("cycle_32", "accept, open, hand in: 32 workers"),
        ("publish", "`CreateHITWithHITType`, one boto3 client"),
        ("list_page", "`ListHITs`, a page of 100"),
    ):
        one = found[name]
        mine, other = found["processor"].get("cycle" if name == "cycle_1" else name, (0, 0))
        busy = f"{mine:.1f} | {other:.2f} | {mine / other:.1f}" if other else "| |"
        rates = f"{one['rate']} | {one['p50']} | {one['p95']} | {one['bare']} | {one['ratio']}"
        lines.append(f"| {label} | {rates} | {busy} |")
    told = found["list"]
    return "\n".join([*lines, "", f"All of {told['hits']:,} HITs listed by boto3's paginator: {told['seconds']} s."])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.marketplace", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small and short: shows that it works, proves nothing")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument(
        "--database", default="", help="a PostgreSQL address, in place of SQLite; its tables are written"
    )
    options = parser.parse_args()
    found = measure(quick=options.quick, database=options.database)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    print(markdown(found))


if __name__ == "__main__":
    main()
