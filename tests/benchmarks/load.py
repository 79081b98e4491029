"""Sends prepared requests over so many connections and measures: with wrk where it is installed, else by itself.

Every request of a run is prepared beforehand and sent at most once, so that a submission is a real one
and a generator that is busy making requests does not spoil the figures.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

MARK = "\n=====\n"
WRK_SCRIPT = """
local requests, place = {}, 0
function init(args)
  local file = io.open(args[1], "rb")
  local all = file:read("*a")
  file:close()
  local start, mark = 1, "\\n=====\\n"
  while true do
    local stop, after = string.find(all, mark, start, true)
    if not stop then break end
    table.insert(requests, string.sub(all, start, stop - 1))
    start = after + 1
  end
end
function request()
  place = place + 1
  if place > #requests then
    wrk.thread:stop()
    return requests[#requests]
  end
  return requests[place]
end
function done(summary, latency, all)
  local e = summary.errors
  io.write(string.format('{"requests": %d, "microseconds": %d, "p50": %.3f, "p95": %.3f, "p99": %.3f, ' ..
    '"refused": %d, "broken": %d}\\n', summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(95) / 1000, latency:percentile(99) / 1000, e.status, e.connect + e.read + e.write + e.timeout))
end
"""


@dataclass(frozen=True)
class Request:
    """One request, ready to be sent."""

    path: str
    form: tuple[tuple[str, str], ...] = ()
    json: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def method(self) -> str:
        return "POST" if self.form or self.json else "GET"

    @property
    def body(self) -> bytes:
        return self.json.encode() if self.json else urlencode(self.form).encode()

    @property
    def kind(self) -> str:
        return "application/json" if self.json else "application/x-www-form-urlencoded"

    @classmethod
    def read(cls, line: str) -> Request:
        """From a line of a file of prepared requests."""
        parts = json.loads(line)
        pairs = {name: tuple(map(tuple, parts.get(name, ()))) for name in ("form", "headers")}
        return cls(parts["path"], json=parts.get("json", ""), **pairs)

    def raw(self, host: str) -> bytes:
        lines = [f"{self.method} {self.path} HTTP/1.1", f"Host: {host}", "Connection: keep-alive"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.method == "POST":
            lines += [f"Content-Type: {self.kind}", f"Content-Length: {len(self.body)}"]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + (self.body if self.method == "POST" else b"")


@dataclass(frozen=True)
class Measured:
    """What one run of load came to. Times in milliseconds."""

    rate: float
    p50: float
    p95: float
    p99: float
    requests: int
    refused: int = 0
    broken: int = 0
    generator: str = ""

    def as_dict(self) -> dict:
        return asdict(self)


def run(base: str, requests: Sequence[Request], *, connections: int, seconds: float) -> Measured:
    """One run of load: it ends after so many seconds, or when all requests are sent."""
    if shutil.which("wrk"):
        return _with_wrk(base, requests, connections, seconds)
    return _by_ourselves(base, requests, connections, seconds)


def _with_wrk(base: str, requests: Sequence[Request], connections: int, seconds: float) -> Measured:
    host = urlsplit(base).netloc
    with tempfile.TemporaryDirectory() as folder:
        script, prepared = Path(folder, "load.lua"), Path(folder, "requests")
        script.write_text(WRK_SCRIPT)
        prepared.write_bytes(b"".join(request.raw(host) + MARK.encode() for request in requests))
        command = ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "30s"]
        told = subprocess.run(
            [*command, "-s", str(script), base, "--", str(prepared)], capture_output=True, text=True, check=False
        )
    if told.returncode:
        raise RuntimeError(f"wrk failed: {told.stderr or told.stdout}")
    found = json.loads(told.stdout.strip().splitlines()[-1])
    return Measured(
        rate=round(found["requests"] / (found["microseconds"] / 1e6), 1),
        **{name: found[name] for name in ("p50", "p95", "p99", "requests", "refused", "broken")},
        generator="wrk",
    )


# --- Without wrk ----------------------------------------------------------------------------------


def _by_ourselves(base: str, requests: Sequence[Request], connections: int, seconds: float) -> Measured:
    """A process a connection, http.client in each."""
    shares = [list(requests[place::connections]) for place in range(connections)]
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    until = time.monotonic() + seconds
    began = time.monotonic()
    processes = [context.Process(target=_send, args=(base, share, until, results)) for share in shares]
    for process in processes:
        process.start()
    parts = [results.get() for _ in processes]
    took = time.monotonic() - began
    for process in processes:
        process.join()
    times = sorted(one for part in parts for one in part["times"])
    return Measured(
        rate=round(len(times) / took, 1),
        **{name: round(_percentile(times, share), 3) for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))},
        requests=len(times),
        refused=sum(part["refused"] for part in parts),
        broken=sum(part["broken"] for part in parts),
        generator="http.client",
    )


def _send(base: str, requests: Sequence[Request], until: float, results: multiprocessing.Queue) -> None:
    parts = urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    times, refused, broken = [], 0, 0
    for request in requests:
        began = time.monotonic()
        if began > until:
            break
        headers = dict(request.headers) | ({"Content-Type": request.kind} if request.method == "POST" else {})
        try:
            connection.request(request.method, request.path, request.body or None, headers)
            answer = connection.getresponse()
            answer.read()
            refused += answer.status >= 400
            times.append((time.monotonic() - began) * 1000)
        except (OSError, http.client.HTTPException):
            broken += 1
            connection.close()
    results.put({"times": times, "refused": refused, "broken": broken})


def _percentile(values: Sequence[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0
