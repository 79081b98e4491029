"""Fills a database of its own and builds releases from it, in a process of its own.

    python -m tests.annotation.releases.builder fill ITEMS     a project with so many accepted items
    python -m tests.annotation.releases.builder build          a release of it
    python -m tests.annotation.releases.builder build-while-changing
                                                               … while another process rewords everything
    python -m tests.annotation.releases.builder kill STEP      builders that die at every STEP-th touch of
                                                               disk and database, and what they leave

Each prints one line of JSON. State lies in CROWDWRIGHT_HOME, which must be set. Used by tests that need
another time zone, locale or hash seed, or a builder to kill; and to measure.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from datetime import timedelta
from itertools import count
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
SLUG = "forces"
TOUCHES = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "sqlite3.connect"}


def fill(items: int) -> dict:
    from django.core.management import call_command

    from tests.annotation.releases import filling

    call_command("migrate", verbosity=0)
    filling.fill(items=items, workers=max(7, items // 40), rejected=max(2, items // 50), slug=SLUG)
    return {"items": items}


def build() -> dict:
    from annotation.projects.models import Project
    from annotation.releases import actions

    steps, began = [], time.perf_counter()

    def tell(step: str, percent: int) -> None:
        steps.append((step, round(time.perf_counter() - began, 2)))

    release = actions.build(project=Project.objects.get(slug=SLUG), created_by="test", progress=tell)
    return {
        "version": release.version,
        "location": release.location,
        "manifest_sha256": release.manifest_sha256,
        "counts": release.counts,
        "seconds": round(time.perf_counter() - began, 2),
        "processor_seconds": round(time.process_time(), 2),
        "steps": steps,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def build_while_changing() -> dict:
    """Right after the first items are read, another process changes all outcomes and commits."""
    from annotation.releases import gathering

    gather = gathering.Gatherer.gather

    def gather_then_let_others_write(gatherer, ids):
        items = gather(gatherer, ids)
        if not changed:
            others = [sys.executable, "-m", "tests.annotation.releases.builder", "change"]
            changed.append(json.loads(subprocess.run(others, check=True, capture_output=True).stdout))
        return items

    changed: list[dict] = []
    gathering.ITEMS_AT_ONCE = 3
    gathering.Gatherer.gather = gather_then_let_others_write
    return build() | changed[0]


def change() -> dict:
    from django.db import transaction

    from annotation.events.actions import record
    from annotation.projects.models import Project
    from annotation.review.models import Outcome

    project = Project.objects.get(slug=SLUG)
    with transaction.atomic():
        for outcome in Outcome.objects.filter(project=project):
            outcome.final = outcome.final | {"question": "Changed meanwhile?"}
            outcome.save(update_fields=["final"])
        record("review.made", project_id=project.pk)
    return {"changed": Outcome.objects.filter(project=project).count()}


def kill(step: int) -> dict:
    """Builders die one after another, each a little later; after each, what is listed must be whole."""
    from django.db import connections

    from annotation.projects.models import Project
    from annotation.releases import jobs, queries
    from annotation.releases.models import Release
    from annotation.releases.verification import verify_release

    project, deaths, problems = Project.objects.get(slug=SLUG), 0, []
    for touches in count(1, step):
        connections.close_all()
        child = os.fork()
        if child == 0:
            _die_at(touches)
            build()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        for release in queries.releases_of(project):
            problems += verify_release(release)
        if not os.WIFSIGNALED(status):
            problems += [] if status == 0 else [f"a builder failed with {status} at touch {touches}"]
            break
        deaths += 1
    # Half a minute later: whoever died before it took the order up left it without a name.
    jobs.UNCLAIMED_FOR = timedelta(0)
    jobs.sweep()
    states = list(Release.objects.filter(project=project).values_list("state", flat=True))
    ready = [Path(release.location) for release in queries.releases_of(project)]
    root = ready[0].parent.parent
    return {
        "deaths": deaths,
        "problems": problems,
        "states": {state: states.count(state) for state in set(states)},
        "unlisted": sorted(str(path) for path in root.glob(f"{SLUG}/*") if path not in ready),
        "workspaces_left": sorted(path.name for path in root.glob(".building/*")),
    }


def _die_at(touches: int) -> None:
    from django.db import connection

    seen = count(1)

    def touch() -> None:
        if next(seen) >= touches:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_statement(execute, sql, params, many, context):
        touch()
        return execute(sql, params, many, context)

    connection.execute_wrappers.append(on_statement)
    sys.addaudithook(lambda event, arguments: touch() if event in TOUCHES else None)


if __name__ == "__main__":
    assert os.environ.get("CROWDWRIGHT_HOME"), "set CROWDWRIGHT_HOME: this writes a database"
    django.setup()
    verb, *numbers = sys.argv[1:]
    print(json.dumps(globals()[verb.replace("-", "_")](*map(int, numbers))))
