"""Fills a database of its own and builds releases from it, in a process of its own.

    python -m tests.annotation.releases.builder fill ITEMS     a project with so many accepted items
    python -m tests.annotation.releases.builder build          a release of it; prints one line of JSON

State lies in CROWDWRIGHT_HOME, which must be set. Used by tests that need another time zone, locale or
hash seed, or a builder to kill; and to measure.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
SLUG = "forces"


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
        "steps": steps,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    assert os.environ.get("CROWDWRIGHT_HOME"), "set CROWDWRIGHT_HOME: this writes a database"
    django.setup()
    verb, *rest = sys.argv[1:]
    print(json.dumps(fill(int(rest[0])) if verb == "fill" else build()))
