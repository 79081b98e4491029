"""Checks a release against itself: files, schemas, counts, identities; and builds it again to compare hashes."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import connection
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from annotation.releases.formats import read_line
from annotation.releases.manifest import STATISTICS, Manifest, Statistics, manifest_of, statistics_of
from annotation.releases.models import Release
from annotation.releases.queries import position_of, release_called
from annotation.releases.records import RAW, WITH_SOLVERS
from annotation.releases.results import ReleaseRefused
from annotation.releases.scanning import Identities, identities_found, identities_in_the_vault
from annotation.releases.storage import MANIFEST, Folder, ReleaseUnreadable, open_folder
from annotation.workers.models import WorkerIdentity

# A file with a fault in every line is described by its first ones.
MOST_PROBLEMS_A_FILE = 5


def verify(
    location: str | Path,
    *,
    manifest_sha256: str = "",
    identities: Identities | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[str]:
    """All that is wrong with the release at a location; an empty list when nothing is.

    Whatever was done to it is a problem to tell, and keeps nothing else from being looked at.
    `manifest_sha256`: what the manifest's hash must be, where its row is at hand.
    """
    tell = progress or (lambda step: None)
    try:
        folder = open_folder(location)
        manifest, names = manifest_of(folder), set(folder.names())
    except ReleaseUnreadable as fault:
        return [_of_a_release(fault, location)]
    problems: list[str] = []
    statistics = _statistics(folder, problems)
    steps: dict[str, Callable[[], Iterator[str]]] = {
        "files": lambda: _files(folder, names, manifest, manifest_sha256),
        "rows": lambda: _rows(folder, names, manifest, statistics),
        "records": lambda: _records(folder, names, statistics),
        "identities": lambda: iter(identities_found(folder, identities or _known_identities())),
    }
    for step, check in steps.items():
        tell(step)
        try:
            for problem in check():
                problems.append(problem)  # one by one: those before a fault are kept
        except ReleaseUnreadable as fault:
            problems.append(str(fault))
    return list(dict.fromkeys(problems))


def _of_a_release(fault: ReleaseUnreadable, location: str | Path) -> str:
    said = str(fault)
    return said if str(location) in said else f"{said}: {location} holds no release, or a broken one"


def _statistics(folder: Folder, problems: list[str]) -> Statistics | None:
    try:
        return statistics_of(folder)
    except ReleaseUnreadable as fault:
        problems.append(str(fault))
        return None


def verify_release(release: Release, progress: Callable[[str], None] | None = None) -> list[str]:
    """The same, with the manifest's hash as this project's database knows it."""
    return verify(release.location, manifest_sha256=release.manifest_sha256, progress=progress)


def rebuild(release: Release) -> list[str]:
    """Builds a release again, aside, and compares. Only while nothing happened in its project since."""
    from annotation.releases.building import write  # brings 40 MB of Arrow into the process

    project = release.project
    now = position_of(project)
    # A release from before events were counted tells their newest alone.
    if (release.log_position, release.log_events or now.events) != (now.event, now.events):
        return [
            f"can't be built again: it is of position {release.log_position} in the log of {project.slug}"
            f"{_counted(release.log_events)}, which is at {now.event} now{_counted(now.events)}"
        ]
    try:
        stored = open_folder(release.location)
        with tempfile.TemporaryDirectory(prefix="crowdwright-rebuild-") as folder:
            built = write(
                project,
                Path(folder),
                version=release.version,
                previous=_predecessor(release, manifest_of(stored)),
                notes=release.notes,
            )
            if built.manifest_sha256 == release.manifest_sha256:
                return []
            return list(_manifest_differences(stored, open_folder(folder)))
    except (ReleaseUnreadable, ReleaseRefused) as fault:
        return [f"can't be built again: {fault}"]


def _counted(events: int | None) -> str:
    return "" if events is None else f" ({events:,} events)"


def _predecessor(release: Release, manifest: Manifest) -> str | None:
    """Where the release lies that this one was compared with: its own manifest says which. Raises ReleaseUnreadable."""
    if manifest.previous is None:
        return None
    before = release_called(release.project, manifest.previous.version)
    if before is None or before.manifest_sha256 != manifest.previous.manifest_sha256:
        raise ReleaseUnreadable(f"{manifest.previous.version}, the release before it, is here no more")
    return before.location


def _manifest_differences(stored: Folder, again: Folder) -> Iterator[str]:
    old, new = _json(stored, MANIFEST), _json(again, MANIFEST)
    for name in sorted(old.keys() | new.keys()):
        if name == "files":
            changed = [
                file
                for file in sorted(old[name].keys() | new[name].keys())
                if old[name].get(file) != new[name].get(file)
            ]
            yield from (f"built again, {file} has other bytes" for file in changed)
        elif old.get(name) != new.get(name):
            yield f"built again, {name} of the manifest is {new.get(name)!r}, was {old.get(name)!r}"


def _known_identities() -> Identities:
    """The vault of this installation; none where a release is checked away from home."""
    if WorkerIdentity._meta.db_table in connection.introspection.table_names():
        return identities_in_the_vault()
    return Identities()


# --- Files ----------------------------------------------------------------------------------------


def _json(folder: Folder, name: str) -> Any:
    with folder.open(name) as handle:
        try:
            return json.load(handle)
        except ValueError as fault:
            raise ReleaseUnreadable(f"{name} is not JSON: {fault}") from None


def _files(folder: Folder, names: set[str], manifest: Manifest, manifest_sha256: str) -> Iterator[str]:
    if manifest_sha256 and _sha256(folder, MANIFEST) != manifest_sha256:
        yield f"{MANIFEST} is not the one that was built: its SHA-256 differs from the release's row"
    there = names - {MANIFEST}
    for name, facts in sorted(manifest.files.items()):
        if name not in there:
            yield f"{name} is missing"
        elif folder.size(name) != facts.bytes:
            yield f"{name} has {folder.size(name):,} bytes, expected {facts.bytes:,}"
        elif _sha256(folder, name) != facts.sha256:
            yield f"{name} was changed: its SHA-256 is not the manifest's"
    for name in sorted(there - manifest.files.keys()):
        yield f"{name} is not in the manifest"


def _sha256(folder: Folder, name: str) -> str:
    with folder.open(name) as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


# --- Lines ----------------------------------------------------------------------------------------


def _rows(folder: Folder, names: set[str], manifest: Manifest, statistics: Statistics | None) -> Iterator[str]:
    """The published rows: shape, count, ids, and the same content in Parquet."""
    if statistics and statistics.splits != manifest.splits:
        yield f"{STATISTICS} counts rows as {statistics.splits}, {MANIFEST} as {manifest.splits}"
    seen: dict[str, str] = {}
    for split, count in sorted(manifest.splits.items()):
        name = f"data/{split}.jsonl"
        if name not in names:
            continue
        reader = _Lines(folder, name, "row")
        for row in reader:
            key = str(row.get(manifest.id_field))
            if key in seen:
                reader.object(f"{manifest.id_field} {key!r} stands in {seen[key]} already")
            seen[key] = name
        yield from reader.problems
        if reader.count != count:
            yield f"{name} has {reader.count:,} rows, expected {count:,}"
        yield from _parquet(folder, split, names)


def _parquet(folder: Folder, split: str, names: set[str]) -> Iterator[str]:
    import pyarrow.parquet  # 40 MB, which the pages that only list releases do without

    name, lines = f"data/{split}.parquet", f"data/{split}.jsonl"
    if name not in names:
        return
    with folder.open(name) as handle, folder.open(lines) as source:
        try:
            batches = pyarrow.parquet.ParquetFile(handle).iter_batches(batch_size=2_000)
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, line in enumerate(source, start=1):
                if _without_nothing(next(rows, None)) != _without_nothing(read_line(line)):
                    yield f"{name} differs from {lines} in row {number:,}"
                    return
            if next(rows, None) is not None:
                yield f"{name} has more rows than {lines}"
        except (pyarrow.ArrowException, ValueError, OSError) as fault:
            yield f"{name} can't be compared with {lines}: {fault}"


def _without_nothing(value: Any) -> Any:
    """What a row says: a field left out and a field without a value are the same."""
    if isinstance(value, dict):
        return {name: _without_nothing(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nothing(inner) for inner in value]
    return value


def _records(folder: Folder, names: set[str], statistics: Statistics | None) -> Iterator[str]:
    """The lines under `raw/`: shape, and the counts that the statistics state."""
    workers: set[str] = set()
    for kind in RAW | WITH_SOLVERS:
        name = f"raw/{kind}.jsonl"
        if name not in names:
            continue
        reader = _Lines(folder, name, kind)
        for record in reader:
            if kind == "judgements":
                workers.add(str(record.get("worker")))
        yield from reader.problems
        if statistics and reader.count != statistics.counts.get(kind):
            yield f"{name} has {reader.count:,} lines, {STATISTICS} says {statistics.counts.get(kind)}"
    told = statistics.counts.get("workers") if statistics else None
    if statistics and "raw/judgements.jsonl" in names and len(workers) != told:
        yield f"raw/judgements.jsonl names {len(workers):,} workers, {STATISTICS} says {told}"


class _Lines:
    """The lines of a file that are records of a kind; what is wrong with the others stands in `problems`.

    Where the kind's own schema can't be read, every object passes.
    """

    def __init__(self, folder: Folder, name: str, kind: str):
        self._folder, self._name = folder, name
        self._objections = 0
        self.problems: list[str] = []
        self.count = 0
        self._schema = self._read_schema(f"schema/{kind}.json")

    def _read_schema(self, name: str) -> Draft202012Validator:
        try:
            schema = _json(self._folder, name)
            Draft202012Validator.check_schema(schema)
        except ReleaseUnreadable as fault:
            self.problems.append(str(fault))
            return Draft202012Validator(True)
        except SchemaError as fault:
            self.problems.append(f"{name} is no JSON Schema: {fault.message[:200]}")
            return Draft202012Validator(True)
        # A registry of its own: nothing is fetched that a schema may refer to.
        return Draft202012Validator(schema, registry=Registry())

    def object(self, fault: str) -> None:
        self._objections += 1
        if self._objections <= MOST_PROBLEMS_A_FILE:
            self.problems.append(f"{self._name}:{self.count}: {fault}")
        elif self._objections == MOST_PROBLEMS_A_FILE + 1:
            self.problems.append(f"{self._name}: more lines have faults")

    def __iter__(self) -> Iterator[dict]:
        with self._folder.open(self._name) as handle:
            for line in handle:
                self.count += 1
                try:
                    record = read_line(line)
                except ValueError as fault:
                    self.object(f"is not JSON: {fault}")
                    continue
                if fault := self._fault(record):
                    self.object(fault)
                else:
                    yield record

    def _fault(self, record: Any) -> str:
        try:
            if not self._schema.is_valid(record):
                fault = best_match(self._schema.iter_errors(record))
                return f"{fault.json_path}: {fault.message[:200]}"
        except Unresolvable as fault:
            return f"its schema leads nowhere: {fault}"
        return "" if isinstance(record, dict) else "is no object"
