"""Figures as tables: for the terminal and for `docs/benchmarks.md`."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from typing import Any

from tests.services import ROOT

# The best of four peers (Label Studio, doccano, potato, psiTurk), each as its own documentation starts it,
# measured with wrk on a machine of this class: 2 cores, 24 GiB.
PEERS = {
    "open": "3.5 ms / 4.7 ms; 600 a second (doccano, one example by id)",
    "submit": "4.4 ms / 5.5 ms; 358 a second (doccano, one category)",
    "import": "100,000 in 13.9 s (Label Studio)",
    "release": "100,000 exported in 8.4 s (doccano)",
    "start": "1.0 s (doccano), 2.7 s (Label Studio)",
    "memory": "293 MB (potato)",
}


def machine() -> dict[str, Any]:
    """Where and when, and of which commit."""
    model = next(
        (line.partition(":")[2].strip() for line in _read("/proc/cpuinfo").splitlines() if "model name" in line),
        platform.processor(),
    )
    memory = next((line.split()[1] for line in _read("/proc/meminfo").splitlines() if "MemTotal" in line), "0")
    asked = ["git", "rev-parse", "--short=10", "HEAD"]
    commit = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return {
        "cores": os.cpu_count(),
        "processor": model,
        "memory_gigabytes": round(int(memory) / 1e6, 1),
        "python": platform.python_version(),
        "load_generator": "wrk" if shutil.which("wrk") else "http.client",
        "load_average": [round(one, 1) for one in os.getloadavg()],
        "date": time.strftime("%Y-%m-%d"),
        "commit": commit.stdout.strip(),
    }


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def markdown(found: dict[str, Any]) -> str:
    """All that was measured, as tables."""
    here = found["machine"]
    parts = [
        f"Measured on {here['date']} at commit `{here['commit']}`: {here['cores']} cores ({here['processor']}), "
        f"{here['memory_gigabytes']} GB, CPython {here['python']}, load by {here['load_generator']} on the same "
        f"machine, embedded configuration (SQLite with `synchronous=FULL`). Load average when it began: "
        f"{here['load_average'][0]}.",
    ]
    for name, table in (
        ("pages", _pages),
        ("live_checks", _live_checks),
        ("loop", _loop),
        ("import", _import),
        ("release", _release),
        ("start", _start),
    ):
        if name in found:
            parts.append(table(found[name]))
    return "\n\n".join(parts) + "\n"


ROWS = (
    ("bare_read", "bare view, reads one row", ""),
    ("open", "open a task again (page with the draft)", "bare_read"),
    ("bare_write", "bare view, writes one row", ""),
    ("first_open", "open a task for the first time (assignment made)", "bare_write"),
    ("draft", "save a draft", "bare_write"),
    ("submit", "submit (checks, five answers stored)", "bare_write"),
)


def _pages(found: dict[str, Any]) -> str:
    lines = ["## Pages", "", f"Peers, open: {PEERS['open']}. Submit: {PEERS['submit']}."]
    for items, of in found.items():
        lines += [
            "",
            f"### {int(items):,} items",
            "",
            _head("request", "c", "rate", "p50 ms", "p95 ms", "× bare", "refused"),
        ]
        for connections in (1, 32):
            runs = of[f"c{connections}"]
            for name, label, yardstick in ROWS:
                one = runs[name]
                ratio = runs["ratios"][name] if yardstick else None
                times = f"{ratio['p50']} (rate {ratio['rate']})" if ratio else ""
                refused = one["refused"] + one["broken"]
                lines.append(_row(label, connections, one["rate"], one["p50"], one["p95"], times, refused))
        memory = ", ".join(f"{name} {count:.0f}" for name, count in of["memory_megabytes"].items())
        lines += ["", f"Memory after this load (PSS, MB): {memory}. A peer's best: {PEERS['memory']}."]
    return "\n".join(lines)


def _live_checks(found: dict[str, Any]) -> str:
    lines = ["## Live checks", "", "From posting a draft to reading its findings, one caller.", ""]
    lines.append(_head("way", "p50 ms", "p95 ms"))
    for name, label in (("in_process", "the checks alone"), ("embedded", "embedded broker"), ("redis", "Redis")):
        one = found.get(name, {})
        lines.append(_row(label, one.get("p50", one.get("skipped", "")), one.get("p95", "")))
    return "\n".join(lines)


def _loop(found: dict[str, Any]) -> str:
    return (
        "## The whole loop\n\n"
        f"{found['items']:,} questions, five simulated workers each, over HTTP through marketplace and task page, "
        "with collecting, paying, adding up and expert review beside: "
        f"**{found['assignments_per_second']} assignments a second**; {found['seconds']['total']:.0f} s from import to "
        "compared release."
    )


def _import(found: dict[str, Any]) -> str:
    return (
        f"## Import\n\n{found['items']:,} items in {found['seconds']} s ({found['rate']:,} a second), the command's "
        f"start included. Best peer: {PEERS['import']}."
    )


def _release(found: dict[str, Any]) -> str:
    return (
        f"## Release\n\n{found['answers']:,} answers to {found['items']:,} items: added up in "
        f"{found['settle_seconds']} s, released in {found['release_seconds']} s (data, raw judgements, statistics with "
        f"intervals, manifest); peak memory {found['release_peak_megabytes']} MB. Best peer: {PEERS['release']}."
    )


def _start(found: dict[str, Any]) -> str:
    memory = ", ".join(f"{name} {count:.0f}" for name, count in found["memory_megabytes"].items())
    return (
        f"## Start\n\n`up` with new databases {found['first_seconds']} s, again {found['again_seconds']} s, until all "
        f"processes are ready. Peers: {PEERS['start']}.\n\nMemory at rest (PSS, MB): {memory}."
    )


def _head(*names: str) -> str:
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"
