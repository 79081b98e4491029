"""What is measured, part by part. Each part gives plain figures; `report.py` makes tables of them."""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
django.setup()

from annotation.launch.processes import memory_of  # noqa: E402
from annotation.simulation import services  # noqa: E402
from tests.benchmarks import load  # noqa: E402
from tests.benchmarks.load import Measured, Request  # noqa: E402
from tests.benchmarks.questions import write_questions, write_release  # noqa: E402
from tests.services import ROOT, free_port  # noqa: E402

CONNECTIONS = (1, 32)
# The clock would carry the benchmark's own project forward while it is measured.
NO_CLOCK = {"ADVANCE_EVERY": "1000000"}


@dataclass(frozen=True)
class Size:
    """How much is measured: `quick` shows that it works, `full` is what is published."""

    seconds: float
    repeats: int
    few_items: int
    many_items: int
    requests: int
    looped_questions: int
    answers: int
    live_checks: int


QUICK = Size(1.0, 1, 200, 2_000, 1_500, 20, 2_000, 30)
FULL = Size(4.0, 3, 1_000, 100_000, 24_000, 300, 100_000, 300)


# --- Pages ----------------------------------------------------------------------------------------


def pages(size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    """Open, draft and submit beside a bare view, with few and with many items."""
    found: dict[str, Any] = {}
    for items in (size.few_items, size.many_items):
        with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
            found[str(items)] = _pages_of(items, Path(folder), size, say)
    return found


def _pages_of(items: int, home: Path, size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    web, marketplace = free_port(), free_port()
    say(f"pages: filling {items:,} items")
    addresses = {"MTURK_ENDPOINT_URL": f"http://127.0.0.1:{marketplace}", "TASK_URL": f"http://localhost:{web}"}
    filled = _python("tests.benchmarks.filling", "pages", items, size.requests, home, home=home, **addresses)
    found: dict[str, Any] = {"filling": filled}
    with services.temporary(home, ports=(web, marketplace), **NO_CLOCK), bare(size.requests) as bare_url:
        prepared = {name: _prepared(home, name) for name in ("first_open", "open", "draft", "submit")}
        url = f"http://127.0.0.1:{web}"
        _warm_up(url, prepared)
        for connections in CONNECTIONS:
            say(f"pages: {items:,} items, {connections} connections")
            found[f"c{connections}"] = _side_by_side(url, bare_url, prepared, connections, size)
        found["memory_megabytes"] = memory(home)
    return found


def _prepared(home: Path, kind: str) -> list[Request]:
    with (home / f"{kind}.jsonl").open() as lines:
        return [Request.read(line) for line in lines]


def _warm_up(url: str, prepared: dict[str, list[Request]]) -> None:
    """Both processes of the server have met every kind of page."""
    for requests in prepared.values():
        load.run(url, [requests.pop() for _ in range(60)], connections=4, seconds=2)


def _side_by_side(
    url: str, bare_url: str, prepared: dict[str, list[Request]], connections: int, size: Size
) -> dict[str, Any]:
    """Ours and the bare view in turn, so that what else the machine does meets both."""
    runs: dict[str, list[Measured]] = {}
    # What one run may send, so that the next has fresh assignments.
    share = size.requests // (size.repeats * len(CONNECTIONS)) - 60
    rows = size.requests
    reads = [Request(f"/read/{number % rows + 1}") for number in range(200_000)]
    for repeat in range(size.repeats):
        writes = bare_writes(rows, f"{connections}.{repeat}")
        for name, base, requests in (
            ("bare_read", bare_url, reads),
            ("open", url, prepared["open"]),
            ("first_open", url, _take(prepared["first_open"], share)),
            ("bare_write", bare_url, writes),
            ("draft", url, _take(prepared["draft"], share)),
            ("submit", url, _take(prepared["submit"], share)),
        ):
            runs.setdefault(name, []).append(_accepted(name, base, requests, connections, size))
    middle = {name: sorted(of, key=lambda one: one.rate)[len(of) // 2] for name, of in runs.items()}
    found: dict[str, Any] = {name: one.as_dict() for name, one in middle.items()}
    found["ratios"] = {
        name: _ratio(runs[name], runs[yardstick])
        for name, yardstick in (
            ("open", "bare_read"),
            ("first_open", "bare_write"),
            ("draft", "bare_write"),
            ("submit", "bare_write"),
        )
    }
    return found


def bare_writes(rows: int, mark: str, count: int = 60_000) -> list[Request]:
    """Writes of a text that is new each time: SQLite leaves a page alone, and the disk, where nothing changed."""
    return [
        Request(f"/write/{number % rows + 1}", form=(("text", f"{mark}.{number}".ljust(1_500, "y")),))
        for number in range(count)
    ]


def _accepted(name: str, base: str, requests: list[Request], connections: int, size: Size) -> Measured:
    """A run of which the server took everything: a refusal is quick, and would flatter the figures."""
    found = load.run(base, requests, connections=connections, seconds=size.seconds)
    if found.refused:
        raise RuntimeError(f"{name}: {found.refused} of {found.requests} requests were refused")
    return found


def _take(requests: list[Request], count: int) -> list[Request]:
    taken, requests[:] = requests[:count], requests[count:]
    return taken


def _ratio(ours: list[Measured], yardstick: list[Measured]) -> dict[str, float]:
    """How many times the bare view: each repeat against its own neighbour, and the median of that."""
    pairs = list(zip(ours, yardstick, strict=True))
    return {
        "p50": round(statistics.median(one.p50 / other.p50 for one, other in pairs if other.p50), 2),
        "rate": round(statistics.median(other.rate / one.rate for one, other in pairs if one.rate), 2),
    }


@contextmanager
def bare(rows: int) -> Iterator[str]:
    """The yardstick, served by the same server with the same settings."""
    with tempfile.TemporaryDirectory(prefix="crowdwright-bare-") as folder:
        environment = {
            **os.environ,
            "BENCHMARK_HOME": folder,
            "CROWDWRIGHT_HOME": folder,
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.bare.settings",
            "PYTHONPATH": str(ROOT),
            "MALLOC_ARENA_MAX": "2",
        }
        port = free_port()
        subprocess.run([sys.executable, "-m", "tests.benchmarks.bare.fill", str(rows)], env=environment, check=True)
        command = [sys.executable, "-m", "gunicorn", "--config", "python:annotation.launch.web_server"]
        command += ["--bind", f"127.0.0.1:{port}", "tests.benchmarks.bare.wsgi"]
        server = subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            _wait_for(f"http://127.0.0.1:{port}/read/1")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


# --- Live checks ----------------------------------------------------------------------------------


def live_checks(size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    """From sending a draft to having its findings: in this process, over the embedded broker, over Redis."""
    found: dict[str, Any] = {}
    for broker in ("embedded", "redis"):
        say(f"live checks: {broker} broker")
        with _redis(broker) as more:
            if more is None:
                found["redis"] = {"skipped": "no redis-server on this machine"}
                continue
            with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
                told = _live_checks(Path(folder), size, more)
        found["in_process"] = {"p50": told.pop("in_process")}
        found[broker] = told
    return found


def _live_checks(home: Path, size: Size, more: dict[str, str]) -> dict[str, Any]:
    web, marketplace = free_port(), free_port()
    filled = _python("tests.benchmarks.filling", "pages", 100, size.live_checks + 20, home, home=home)
    with services.temporary(home, ports=(web, marketplace), **NO_CLOCK, **more):
        connection = http.client.HTTPConnection("127.0.0.1", web, timeout=30)
        times = [until_found(connection, request) for request in _prepared(home, "draft")][20:]
    times.sort()
    return {
        "in_process": filled["check_milliseconds"],
        "p50": round(statistics.median(times), 2),
        "p95": round(times[int(len(times) * 0.95)], 2),
        "n": len(times),
    }


def until_found(connection: http.client.HTTPConnection, request: Request) -> float:
    """Milliseconds from posting a draft to reading findings about it."""
    began = time.perf_counter()
    headers = dict(request.headers)
    connection.request("POST", request.path, request.body, headers | {"Content-Type": request.kind})
    revision = json.loads(connection.getresponse().read())["revision"]
    while True:
        connection.request("GET", request.path.removesuffix("draft") + "findings", headers=headers)
        if json.loads(connection.getresponse().read())["revision"] >= revision:
            return (time.perf_counter() - began) * 1000
        if time.perf_counter() - began > 20:
            raise RuntimeError("a draft was not checked within 20 seconds")
        time.sleep(0.002)


@contextmanager
def _redis(broker: str) -> Iterator[dict[str, str] | None]:
    if broker == "embedded":
        yield {}
        return
    import shutil

    if not shutil.which("redis-server"):
        yield None
        return
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield {"REDIS_URL": f"redis://127.0.0.1:{port}/0"}
    finally:
        server.terminate()
        server.wait()


# --- All else -------------------------------------------------------------------------------------


def loop(size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    """Assignments a second from accepting to handing in, while they are collected, paid, added up and reviewed."""
    say(f"loop: {size.looped_questions} questions, five workers")
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        data = Path(folder, "data")
        write_release(data, size.looped_questions)
        told = _manage("replay", "arc-da", "--data", data, "--json")
    assert not told["differences"], told["differences"]
    return {name: told[name] for name in ("items", "assignments", "assignments_per_second", "seconds")}


def imports(size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    """Bringing in a file of questions by the command, its start included."""
    say(f"import: {size.many_items:,} items")
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        source = Path(folder, "ARC-Easy-train.jsonl")
        write_questions(source, size.many_items)
        home = Path(folder, "home")
        _manage("migrate", "--verbosity", "0", home=home)
        _manage("create", "arc-da", "Import", "--json", home=home)
        began = time.monotonic()
        told = _manage("import", "import", source, "--json", home=home)
        seconds = time.monotonic() - began
    return {"items": told["added"], "seconds": round(seconds, 2), "rate": round(told["added"] / seconds)}


def release(size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    """Building a release: data, raw judgements, statistics with intervals, manifest."""
    say(f"release: {size.answers:,} answers")
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        return _python("tests.benchmarks.filling", "release", size.answers // 5, home=Path(folder))


def start(size: Size, say: Callable[[str], None]) -> dict[str, Any]:
    """From `up` to a page: with new databases, and again. Then the memory of each process at rest."""
    say("start: cold and again")
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        words = ["up", "--no-demo", "--json", "--exit-when-ready"]
        ports = ["--port", free_port(), "--marketplace-port", free_port()]
        first = _manage(*words, *ports, home=Path(folder))
        again = [_manage(*words, *ports, home=Path(folder)) for _ in range(size.repeats)]
    best = sorted(again, key=lambda told: told["seconds"])[len(again) // 2]
    return {
        "first_seconds": first["seconds"],
        "again_seconds": best["seconds"],
        "ready_after": best["ready_after"],
        "memory_megabytes": _megabytes(best["memory_bytes"]),
    }


def memory(home: Path) -> dict[str, float]:
    """Of the services that run in a home: shared pages divided among their holders."""
    children = json.loads((home / "run" / "children.json").read_text())
    return _megabytes({child["name"]: memory_of(child["pid"]) for child in children})


def _megabytes(of: dict[str, int | None]) -> dict[str, float]:
    found = {name: round(count / 1e6, 1) for name, count in of.items() if count is not None}
    return found | {"all": round(sum(found.values()), 1)}


PARTS: dict[str, Callable[[Size, Callable[[str], None]], dict[str, Any]]] = {
    "start": start,
    "import": imports,
    "pages": pages,
    "live_checks": live_checks,
    "loop": loop,
    "release": release,
}


# --- Processes ------------------------------------------------------------------------------------


def _environment(home: Path | None, **more: str) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name not in services.LEFT_OUT}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    if home is not None:
        environment["CROWDWRIGHT_HOME"] = str(home)
    return environment | {"PYTHONPATH": str(ROOT), **more}


def _manage(*words: object, home: Path | None = None) -> Any:
    return _output([sys.executable, str(ROOT / "manage.py"), *map(str, words)], _environment(home))


def _python(module: str, *words: object, home: Path, **more: str) -> Any:
    return _output([sys.executable, "-m", module, *map(str, words)], _environment(home, **more))


def _output(command: list[str], environment: dict[str, str]) -> Any:
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed ({ran.returncode}):\n{ran.stderr or ran.stdout}")
    return json.loads(ran.stdout) if ran.stdout.strip() else None


def _wait_for(url: str) -> None:
    parts = urlsplit(url)
    for _ in range(300):
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=2)
        try:
            connection.request("GET", parts.path)
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer")
