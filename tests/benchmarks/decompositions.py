"""How fast decompositions are checked, on the published ones: the graph alone, all checks, and live while one types.

`.venv/bin/python -m tests.benchmarks.decompositions [--drafts 200] [--json]`

Live: from posting a draft with a published decomposition to reading the findings about it, through the broker and the
worker of a running service, one writer at a time. The public data is read where it lies (`--data`).
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tasks.base import run_checks
from tasks.registry import task_type
from tasks.strategyqa.decomposition import faults
from tasks.strategyqa.shapes import Step
from tests.services import ROOT

KIND = task_type("strategyqa.decomposing")
SECONDS = 2.0
WARM_UP = 20


def decompositions(data: Path) -> list[tuple[dict, list[str]]]:
    """Questions with their published steps."""
    folder = data / "strategyqa"
    rows = json.loads(gzip.decompress((folder / "train.json.gz").read_bytes()))
    rows += json.loads((folder / "dev.json").read_text(encoding="utf-8"))
    names = ("term", "description", "question", "answer", "facts")
    return [({name: row[name] for name in names}, row["decomposition"]) for row in rows]


def rate(check: Callable[[Any], Any], several: Sequence[Any]) -> int:
    """How many a second one process checks."""
    began = time.perf_counter()
    for count, one in enumerate(itertools.cycle(several), 1):
        check(one)
        if count % 100 == 0 and time.perf_counter() - began > SECONDS:
            return round(count / (time.perf_counter() - began))
    raise ValueError("there is nothing to check")


def rates(data: Path) -> dict[str, int]:
    several = decompositions(data)
    item = KIND.Item.model_validate(several[0][0])
    forms = [{"steps": [KIND.fields["steps"].present(steps_of(steps))]} for _, steps in several]
    answers = [KIND.answer_from_form(form) for form in forms]
    return {
        "graph checks a second": rate(faults, [steps for _, steps in several]),
        "all checks a second": rate(lambda answer: run_checks(KIND.checks, item, answer), answers),
        "forms read and checked a second": rate(
            lambda form: run_checks(KIND.checks, item, KIND.answer_from_form(form)), forms
        ),
    }


def steps_of(texts: Sequence[str]) -> list[Step]:
    return [Step(text=text, page="Page") for text in texts]


# --- Live -----------------------------------------------------------------------------------------


def live(data: Path, drafts: int) -> dict[str, Any]:
    """Milliseconds from a draft to its findings, over HTTP, broker and worker."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    from annotation.simulation import services
    from tests.benchmarks.load import Request
    from tests.benchmarks.parts import until_found

    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        path = Path(folder) / "drafts.jsonl"
        with services.temporary(Path(folder) / "home", ADVANCE_EVERY="1000000") as environment:
            command = [sys.executable, "-m", "tests.benchmarks.decompositions", "--fill", str(path)]
            command += ["--data", str(data), "--drafts", str(drafts + WARM_UP)]
            subprocess.run(command, env=environment, cwd=ROOT, check=True)
            parts = urlsplit(environment["TASK_URL"])
            connection = HTTPConnection(parts.hostname or "", parts.port, timeout=30)
            requests = [Request.read(line) for line in path.read_text().splitlines()]
            times = [until_found(connection, request) for request in requests][WARM_UP:]
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {"drafts": len(times), "p50": round(cuts[49], 1), "p95": round(cuts[94], 1)}


def fill(data: Path, drafts: int, path: Path) -> None:
    """A HIT for each draft in the service's database, and the requests that save the drafts."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    django.setup()
    from annotation.workbench import contexts
    from annotation.workbench.parameters import submit_hosts
    from tests.factories import make_assignment, make_hit, make_item, make_project

    project = make_project("decompositions", stage={"name": "decomposition", "task_type": KIND.name})
    lines = []
    for payload, steps in decompositions(data)[:drafts]:
        item = make_item(project, payload=payload)
        hit = make_hit(project, item)
        context = contexts.issue(make_assignment(hit, state="open"), submit_hosts(hit.environment)[0])
        body = {
            "base_revision": 0,
            "turn": 1,
            "tab": "a",
            "values": {f"{item.pk}.steps": KIND.fields["steps"].values(steps_of(steps))},
        }
        headers = [["X-Context", context]]
        lines.append(json.dumps({"path": f"/t/{hit.token}/draft", "json": json.dumps(body), "headers": headers}) + "\n")
    path.write_text("".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.decompositions", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--drafts", type=int, default=200, help="how many drafts are checked live; 0: none")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--fill", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fill:
        fill(options.data, options.drafts, options.fill)
        return
    found: dict[str, Any] = rates(options.data)
    if options.drafts:
        found["live check, milliseconds"] = live(options.data, options.drafts)
    print(
        json.dumps(found, indent=2) if options.json else "\n".join(f"{name}: {value}" for name, value in found.items())
    )


if __name__ == "__main__":
    main()
