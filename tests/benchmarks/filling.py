"""Fills a service's database for a benchmark: `python -m tests.benchmarks.filling WHAT …`, prints JSON.

`pages ITEMS ASSIGNMENTS FOLDER`: a project with so many items on offer, and files of requests that workers'
browsers would send, each for an assignment of its own. `release ITEMS`: a project with so many accepted
items of five answers each, and the time and memory that its release takes.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotation.checking.judging import findings_of  # noqa: E402
from annotation.hits.models import HIT, Answer, Assignment, HITItem  # noqa: E402
from annotation.hits.publishing import publish, quote  # noqa: E402
from annotation.hits.sheets import sheet_of  # noqa: E402
from annotation.projects.actions import change_project, create_project  # noqa: E402
from annotation.projects.importing import import_items  # noqa: E402
from annotation.projects.models import Item, Project  # noqa: E402
from annotation.providers.models import Intent  # noqa: E402
from annotation.releases.actions import build  # noqa: E402
from annotation.review.actions import settle  # noqa: E402
from annotation.review.models import Outcome  # noqa: E402
from annotation.workbench import contexts  # noqa: E402
from annotation.workers.models import Worker, WorkerIdentity  # noqa: E402
from tests.benchmarks.questions import question, write_questions  # noqa: E402

BATCH = 2_000
KINDS = ("first_open", "open", "draft", "submit")


def fill_pages(items: int, assignments: int, folder: Path) -> dict[str, Any]:
    call_command("migrate", verbosity=0, interactive=False)
    source = folder / "ARC-Easy-train.jsonl"
    write_questions(source, items)
    project = create_project(pipeline="arc_da", name="Benchmark", slug="benchmark")
    told: dict[str, Any] = {"items": items}
    with _timed(told, "import_seconds"):
        import_items(project=project, paths=[source])
    with _timed(told, "plan_seconds"):
        _offer(project)
    hits = list(project.hits.select_related("stage", "project").order_by("id"))
    for kind in KINDS:
        # Spread over all HITs there are, so that no page is served from what was just made.
        chosen = [hits[number * len(hits) // assignments] for number in range(assignments)]
        with (folder / f"{kind}.jsonl").open("w") as out:
            for parts in _requests(kind, chosen):
                out.write(json.dumps(parts) + "\n")
    told["check_milliseconds"] = _time_checks(hits[0])
    return told


def _offer(project: Project) -> None:
    """HITs as if a marketplace had taken them: this benchmark measures our pages, not the marketplace."""
    stage = project.stages.get()
    change_project(project=project, budget_cap_cents=quote(stage).total_cents)
    publish(stage=stage, confirmed_cents=quote(stage).total_cents, below_floor_ok=True)
    Intent.objects.all().delete()
    later = timezone.now() + timedelta(days=30)
    HIT.objects.update(state=HIT.State.OFFERED, offered_at=timezone.now(), collect_after=later, expires_at=later)


def _requests(kind: str, hits: list[HIT]) -> Iterator[dict[str, Any]]:
    host = settings.MARKETPLACES["own"]["submit_hosts"][0]
    ids = [f"{kind.replace('_', '').upper()}{number:08}" for number in range(len(hits))]
    rows = [None] * len(hits) if kind == "first_open" else _assignments(ids, hits)
    for name, hit, row in zip(ids, hits, rows, strict=True):
        address = {"assignmentId": f"A{name}", "hitId": "", "workerId": f"W{name}", "turkSubmitTo": host}
        path = f"/t/{hit.token}/"
        if row is None or kind == "open":
            yield {"path": f"{path}?{urlencode(address)}"}
            continue
        row.hit = hit
        context = contexts.issue(row, host.rstrip("/"))
        values = _values(hit)
        if kind == "draft":
            body = {"base_revision": 0, "values": values, "tab": "tab1", "turn": 1}
            yield {"path": f"{path}draft", "json": json.dumps(body), "headers": [["X-Context", context]]}
        else:
            form = [["context", context], *([name, text] for name, given in values.items() for text in given)]
            yield {"path": f"{path}?{urlencode(address)}", "form": form}


def _assignments(names: list[str], hits: list[HIT]) -> list[Assignment]:
    workers = Worker.objects.bulk_create(
        [Worker(environment="own", pseudonym=f"w-{name.lower()}") for name in names], batch_size=BATCH
    )
    WorkerIdentity.objects.bulk_create(
        [
            WorkerIdentity(worker=worker, environment="own", provider_id=f"W{name}")
            for name, worker in zip(names, workers, strict=True)
        ],
        batch_size=BATCH,
    )
    return Assignment.objects.bulk_create(
        [
            Assignment(hit=hit, worker=worker, assignment_id=f"A{name}")
            for name, hit, worker in zip(names, hits, workers, strict=True)
        ],
        batch_size=BATCH,
    )


def _values(hit: HIT) -> dict[str, list[str]]:
    """Five answers as people type them, which no check objects to."""
    values: dict[str, list[str]] = {}
    for place in sheet_of(hit.token).places:
        values[f"{place.item_id}.answers"] = ["the wind carries it; it is moved by the wind of the night"]
        values[f"{place.item_id}.category"] = ["wordings"]
    return values


def _time_checks(hit: HIT, times: int = 200) -> float:
    """All checks over one page in this process: the part of a live check that is not waiting."""
    sheet, values = sheet_of(hit.token), _values(hit)
    began = time.perf_counter()
    for _ in range(times):
        findings_of(sheet, values, sheet.kind.checks)
    return round((time.perf_counter() - began) / times * 1000, 3)


# --- A release ------------------------------------------------------------------------------------


def fill_release(items: int) -> dict[str, Any]:
    call_command("migrate", verbosity=0, interactive=False)
    project = create_project(pipeline="arc_da", name="Release", slug="release")
    stage = project.stages.get()
    rows = Item.objects.bulk_create(
        [
            Item(
                project=project,
                stage=stage,
                key=f"ARCEZ_B{number}",
                split=("train", "dev", "test")[number % 3],
                payload=question(number),
                state=Item.State.ANSWERED,
            )
            for number in range(items)
        ],
        batch_size=BATCH,
    )
    _answer(project, rows)
    told: dict[str, Any] = {"items": items, "answers": Answer.objects.count()}
    with _timed(told, "settle_seconds"):
        settle(project=project)
    Outcome.objects.update(state=Outcome.State.ACCEPTED, decided_at=timezone.now())
    Item.objects.update(state=Item.State.ACCEPTED)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with _timed(told, "release_seconds"):
        release = build(project=project, created_by="benchmark")
    told["release_peak_megabytes"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    told["filled_peak_megabytes"] = round(before / 1024)
    told["rows"] = release.counts["rows"]
    return told


def _answer(project: Project, items: list[Item], answers: int = 5) -> None:
    stage = project.stages.get()
    workers = Worker.objects.bulk_create([Worker(environment="own", pseudonym=f"w-{n:06}") for n in range(200)])
    per_hit = stage.items_per_hit
    groups = [items[start : start + per_hit] for start in range(0, len(items), per_hit)]
    hits = HIT.objects.bulk_create(
        [
            HIT(
                project=project,
                stage=stage,
                environment="own",
                remote_id=f"B{n}",
                state=HIT.State.CLOSED,
                max_assignments=answers,
                reward_cents=100,
                fee_cents=20,
                minutes_allowed=60,
            )
            for n in range(len(groups))
        ],
        batch_size=BATCH,
    )
    HITItem.objects.bulk_create(
        [
            HITItem(hit=h, item=i, position=p)
            for h, group in zip(hits, groups, strict=True)
            for p, i in enumerate(group)
        ],
        batch_size=BATCH,
    )
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                hit=hit,
                worker=workers[(number * answers + place) % len(workers)],
                assignment_id=f"B{number}x{place}",
                state=Assignment.State.APPROVED,
                seconds_spent=200 + number % 100,
            )
            for number, hit in enumerate(hits)
            for place in range(answers)
        ],
        batch_size=BATCH,
    )
    groups_of = {hit.pk: group for hit, group in zip(hits, groups, strict=True)}
    Answer.objects.bulk_create(
        (
            Answer(
                assignment=one,
                item=item,
                counts=True,
                data={"answers": [f"the wind of place {item.pk % 7}", f"answer {one.pk % 5}"], "category": "several"},
            )
            for one in assignments
            for item in groups_of[one.hit_id]
        ),
        batch_size=BATCH,
    )


# --- Words ----------------------------------------------------------------------------------------


class _timed:
    """Puts the seconds that a block takes into a dict."""

    def __init__(self, told: dict[str, Any], name: str):
        self.told, self.name = told, name

    def __enter__(self) -> None:
        self.began = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.told[self.name] = round(time.monotonic() - self.began, 2)


def main(what: str, *words: str) -> None:
    fill = {
        "pages": lambda items, assignments, folder: fill_pages(int(items), int(assignments), Path(folder)),
        "release": lambda items: fill_release(int(items)),
    }
    print(json.dumps(fill[what](*words)))


if __name__ == "__main__":
    main(*sys.argv[1:])
