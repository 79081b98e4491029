"""The same moment gives the same bytes: on any machine, database, locale, time zone and hash seed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from annotation.events.models import Event
from annotation.releases import actions
from annotation.releases.building import write
from tests.annotation.releases.filling import fill

ROOT = Path(__file__).resolve().parents[3]
PLACES = [
    {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0"},
    {"TZ": "Pacific/Kiritimati", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "1"},
    {"TZ": "America/Los_Angeles", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "4242", "PYTHONUTF8": "0"},
    {"TZ": "Asia/Kolkata", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "7"},
]


def run(home: Path, verb: str, *arguments: str, **environment: str) -> dict:
    """The builder in a process of its own, on SQLite in a home of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "RELEASE_STORAGE")}
    done = subprocess.run(
        [sys.executable, "-m", "tests.annotation.releases.builder", verb, *arguments],
        cwd=ROOT,
        env=kept | {"CROWDWRIGHT_HOME": str(home), "CODE_VERSION": "0" * 40} | environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return json.loads(done.stdout)


@pytest.mark.django_db
def test_twenty_rebuilds_have_one_hash(tmp_path):
    project = fill()
    hashes = set()
    for attempt in range(20):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        hashes.add(write(project, folder).manifest_sha256)
    assert len(hashes) == 1


@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True, reset_sequences=True)
def test_other_places_and_databases_give_the_same_hash(tmp_path):
    Event.objects.all().delete()
    here = actions.build(project=fill(), created_by="test").manifest_sha256
    run(tmp_path / "filled", "fill", "12", **PLACES[-1])
    there = {}
    for number, place in enumerate(PLACES):
        home = shutil.copytree(tmp_path / "filled", tmp_path / str(number))
        there[json.dumps(place)] = run(home, "build", **place)["manifest_sha256"]
    assert set(there.values()) == {here}, f"{connection.vendor} here gives {here}; elsewhere {there}"


def same_database() -> dict[str, str]:
    """Leads the builder to this test's database where that is a server's; else it has a file of its own."""
    if connection.vendor == "sqlite":
        return {}
    facts = connection.settings_dict
    address = f"{facts['USER']}:{facts['PASSWORD']}@{facts['HOST']}:{facts['PORT']}/{facts['NAME']}"
    return {"DATABASE_URL": f"postgres://{address}"}


@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True)
def test_what_others_change_while_it_is_read_is_not_in_it(tmp_path):
    """I10: the release is of the moment when reading began, and the writer did not wait."""
    database = same_database()
    run(tmp_path, "fill", "12", **database)
    busy = run(tmp_path, "build-while-changing", **database)
    assert busy["changed"] == 14
    assert "Changed meanwhile?" not in texts_of(busy)
    after = run(tmp_path, "build", **database)
    assert (busy["version"], after["version"]) == ("1.0.0", "2.0.0")
    assert "Changed meanwhile?" in texts_of(after), "the changes never came through"


def texts_of(built: dict) -> str:
    paths = [path for path in Path(built["location"]).rglob("*") if path.suffix in (".jsonl", ".json", ".md")]
    return "".join(path.read_text("utf-8") for path in paths)
