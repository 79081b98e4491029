"""How fast paragraphs are taken in and found: `.venv/bin/python -m tests.benchmarks.corpus [--quick]`.

For each size: the real import of a JSON Lines file (rate, peak memory, size on disk); eight-word questions
in one process (p50, p95, memory); and the same through the HTTP endpoint of a worker's page, served as
`./crowdwright up` serves it. Everything is made up, in a folder of its own, and removed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.benchmarks import paragraphs
from tests.services import ROOT

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = (2_000, 10_000)
QUESTIONS = 1_000
CONNECTIONS = (1, 8)
KINDS = {"plain": False, "with the commonest words": True}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.corpus", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small and short: shows that it works, proves nothing")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of paragraphs")
    parser.add_argument("--no-http", action="store_true", help="without the endpoint")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--part", choices=sorted(PARTS), help=argparse.SUPPRESS)
    parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.part](*options.rest)))
        return
    seconds = 1.0 if options.quick else 5.0
    sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    found = []
    for size in sizes:
        found.append(measure(size, seconds, with_http=not options.no_http))
        if options.json:
            options.json.write_text(json.dumps(found, indent=2))
    print(table(found))


def measure(size: int, seconds: float, *, with_http: bool) -> dict[str, Any]:
    """All parts of one size, each in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        home, source = Path(folder) / "home", Path(folder) / "paragraphs.jsonl"
        home.mkdir()
        say(f"{size:,}: writing paragraphs")
        paragraphs.write(source, size)
        say(f"{size:,}: importing")
        found = {"paragraphs": size, "load_before": os.getloadavg()[0], "source_bytes": source.stat().st_size}
        found["import"] = part("import", home, str(source))
        say(f"{size:,}: searching in one process")
        found["search"] = part("search", home)
        if with_http:
            say(f"{size:,}: searching through the endpoint")
            found["http"] = over_http(home, seconds)
        return found | {"load_after": os.getloadavg()[0]}


def part(name: str, home: Path, *rest: str, **more: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.corpus", "--part", name, *rest]
    environment = {**os.environ, "CROWDWRIGHT_HOME": str(home), "SEARCH_URL": "", "CORPORA": str(home / "corpora")}
    done = subprocess.run(command, env=environment | more, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# --- In a process of their own ---------------------------------------------------------------------


def _django() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    django.setup()


def take_in(source: str) -> dict[str, Any]:
    """Imports a file as the command does."""
    _django()
    from django.conf import settings
    from django.core.management import call_command

    from annotation.corpus.actions import import_corpus

    call_command("migrate", verbosity=0, interactive=False)
    began, worked = time.perf_counter(), time.process_time()
    corpus = import_corpus(name="benchmark", paths=[source]).corpus
    seconds = time.perf_counter() - began
    files = [path.stat().st_size for path in Path(settings.CORPORA).rglob("*") if path.is_file()]
    return {
        "seconds": round(seconds, 2),
        "rate": round(corpus.paragraphs / seconds),
        "processor_seconds": round(time.process_time() - worked, 2),
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3),
        "disk_megabytes": round(sum(files) / 1e6),
        "pages": corpus.pages,
    }


def search() -> dict[str, Any]:
    """Questions one after the other in a process that has just opened the index."""
    _django()
    from annotation.corpus import queries

    before = memory()
    index = queries.index_of(queries.corpus_named("benchmark"))
    found: dict[str, Any] = {}
    for name, with_commonest in KINDS.items():
        questions = paragraphs.questions(QUESTIONS, with_commonest=with_commonest)
        for question in questions[:50]:
            index.search(question)
        found[name] = spread([_timed(lambda: index.search(question)) for question in questions])  # noqa: B023
        # What it takes of the processor: the same on a machine that does other things at the same time.
        worked = [_timed(lambda: index.search(question), time.thread_time) for question in questions]  # noqa: B023
        found[name]["processor"] = spread(worked)
    words = paragraphs.vocabulary()
    phrases = [f'"{words[number]} {words[number + 1]}"' for number in range(0, 400, 2)]
    found["phrase of two words"] = spread([_timed(lambda: index.search(phrase)) for phrase in phrases])  # noqa: B023
    for letters in (1, 3):
        beginnings = [word[:letters] for word in words[:5_000:25]]
        found[f"titles by {letters} letters"] = spread([_timed(lambda: index.titles(each)) for each in beginnings])  # noqa: B023
    return found | {"memory": {name: value - before[name] for name, value in memory().items()}}


def fill(count: str, path: str) -> dict[str, Any]:
    """A HIT whose page searches the corpus, and requests to it, each from a page of its own."""
    _django()
    from annotation.corpus import queries
    from annotation.hits.models import Assignment
    from annotation.workbench import contexts
    from annotation.workbench.parameters import submit_hosts
    from tasks import registry
    from tests.factories import make_hit, make_item, make_project

    kind = next((kind for kind in registry.task_types().values() if kind.searches_corpus), None)
    if kind is None:
        return {"skipped": "no task type here searches the corpus"}
    project = make_project("benchmark", stage={"name": "searching", "task_type": kind.name})
    project.corpus = queries.corpus_named("benchmark")
    project.save()
    hit = make_hit(project, make_item(project, payload=kind.examples()[0].item))
    host = submit_hosts(hit.environment)[0]
    requests: dict[str, list] = {}
    for name, with_commonest in KINDS.items():
        requests[name] = []
        for number, question in enumerate(paragraphs.questions(int(count), with_commonest=with_commonest)):
            # The endpoint asks the signature, not the table: no row is needed.
            page = Assignment(pk=number + 1, hit=hit, worker_id=number + 1, assignment_id=f"ABENCH{number}")
            address = f"/t/{hit.token}/paragraphs?{urlencode({'q': question})}"
            requests[name].append([address, contexts.issue(page, host)])
    Path(path).write_text(json.dumps(requests))
    return {"task_type": kind.name}


PARTS = {"import": take_in, "search": search, "fill": fill}


def _timed(ask: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    ask()
    return (clock() - began) * 1_000


def spread(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {"p50": round(cuts[49], 2), "p95": round(cuts[94], 2), "p99": round(cuts[98], 2)}


def memory() -> dict[str, int]:
    """Megabytes of this process: its own, and with the parts of files that it has before its eyes."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return {"own": kilobytes["Anonymous"] // 1_000, "with mapped files": kilobytes["Rss"] // 1_000}


# --- Through the endpoint ---------------------------------------------------------------------------


def over_http(home: Path, seconds: float) -> dict[str, Any]:
    """The service as `up` starts it, asked by one page at a time and by eight."""
    from tests.benchmarks.parts import NO_CLOCK, load, memory, services

    with services.temporary(home, **NO_CLOCK) as environment:
        path = home / "requests.json"
        told = part("fill", home, "4000", str(path), TASK_URL=environment["TASK_URL"])
        if "skipped" in told:
            return told
        prepared = {
            name: [load.Request(address, headers=(("X-Context", context),)) for address, context in asked]
            for name, asked in json.loads(path.read_text()).items()
        }
        found: dict[str, Any] = dict(told)
        url = environment["TASK_URL"]
        for name, requests in prepared.items():
            load.run(url, requests[:200], connections=4, seconds=3)
            for connections in CONNECTIONS:
                # Sent once each: a page that asks often has to wait.
                share = requests[200 + 1_900 * CONNECTIONS.index(connections) :][:1_900]
                measured = load.run(url, share, connections=connections, seconds=seconds)
                if measured.refused:
                    raise RuntimeError(f"{measured.refused} of {measured.requests} questions were refused")
                found[f"{name}, {connections}"] = measured.as_dict()
        return found | {"memory_megabytes": memory(home)}


# --- Told -------------------------------------------------------------------------------------------


def table(found: list[dict[str, Any]]) -> str:
    """A table in Markdown, one line a size."""
    head = (
        "paragraphs",
        "a second",
        "a processor second",
        "peak MB",
        "disk MB",
        "in process p50 / p95 ms",
        "of it processor p50 / p95",
        "with commonest words",
        "endpoint p50 / p95 ms",
        "with commonest words",
        "8 pages at once, a second",
        "index memory MB",
        "load",
    )
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for one in found:
        http, plain, common = one.get("http", {}), *KINDS
        cells = (
            f"{one['paragraphs']:,}",
            f"{one['import']['rate']:,}",
            f"{one['paragraphs'] / one['import']['processor_seconds']:,.0f}",
            one["import"]["peak_megabytes"],
            one["import"]["disk_megabytes"],
            _pair(one["search"][plain]),
            _pair(one["search"][plain]["processor"]),
            _pair(one["search"][common]),
            _pair(http.get(f"{plain}, 1")),
            _pair(http.get(f"{common}, 1")),
            http.get(f"{plain}, 8", {}).get("rate", "–"),
            f"{one['search']['memory']['own']} ({one['search']['memory']['with mapped files']} with mapped files)",
            f"{one['load_before']:.1f} → {one['load_after']:.1f}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def _pair(of: dict[str, float] | None) -> str:
    return f"{of['p50']:.1f} / {of['p95']:.1f}" if of else "–"


if __name__ == "__main__":
    main()
