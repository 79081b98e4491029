"""Writes a release's folder from a snapshot: the same snapshot, version and code give the same bytes."""

from __future__ import annotations

import functools
import hashlib
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pyarrow
from django.conf import settings as site
from pydantic import BaseModel, ValidationError

from annotation.projects.models import Project
from annotation.releases import croissant, documents, versions
from annotation.releases.comparison import Contents, Difference, compare, contents_of
from annotation.releases.corpora import Cited, paragraphs_cited
from annotation.releases.documents import Description, Split
from annotation.releases.formats import json_document, rounded, row_line
from annotation.releases.licences import licence_named
from annotation.releases.manifest import SPLIT_NAME, STATISTICS
from annotation.releases.parquet import arrow_schema, write_parquet
from annotation.releases.records import RAW, WITH_SOLVERS
from annotation.releases.results import Built, Progress, ReleaseRefused
from annotation.releases.scanning import Identities, identities_found, identities_in_the_vault
from annotation.releases.snapshot import Snapshot, take
from annotation.releases.storage import MANIFEST, LocalFolder, ReleaseUnreadable
from tasks import registry
from tasks.base import Pipeline, Rejected, ReleaseProblem, problems_of

FORMAT = 1


@dataclass(frozen=True)
class _Data:
    """The published rows, as written."""

    splits: list[Split]
    schema: pyarrow.Schema
    statistics: dict
    published: list[str]


def write(
    project: Project,
    folder: Path,
    *,
    version: str | None = None,
    previous: str | None = None,
    notes: str = "",
    progress: Progress | None = None,
    settle_version: Callable[[str], None] | None = None,
    identities: Identities | None = None,
) -> Built:
    """Writes the whole release into an empty folder. `previous` is the location of the release before.

    `settle_version` is called with the version as soon as it is decided, and may refuse it.
    Raises ReleaseRefused where nothing is accepted, the pipeline's rows are faulty, or someone's
    identity would be published.
    """
    tell = progress or (lambda step, percent: None)
    tell("reading", 5)
    scratch = folder / ".scratch"
    snapshot = take(project, folder, scratch)
    if not len(snapshot.accepted):
        raise ReleaseRefused(f"nothing to release: no item of {project.slug} is accepted at its released stage yet")
    pipeline = registry.pipeline(snapshot.pipeline)
    tell("writing rows", 40)
    data = _write_data(folder, snapshot, pipeline, project)
    tell("comparing", 65)
    before, difference = _compared(previous, _contents(folder, data))
    version = version or _next_version(before, difference)
    if settle_version:
        settle_version(version)
    if difference:
        difference = replace(difference, after=version)
    about = Description(
        version=version,
        snapshot=snapshot,
        pipeline=pipeline,
        licence=licence_named(pipeline.licence),
        splits=data.splits,
        schema=data.schema,
        statistics=data.statistics,
        published=data.published,
    )
    tell("describing", 75)
    _write_descriptions(folder, about, difference, notes, _earlier_changes(before))
    shutil.rmtree(scratch)
    files = _facts_of(folder)
    _put(folder, "croissant.json", json_document(croissant.metadata(about, files)))
    manifest = json_document(_manifest(about, before, files | _facts_of(folder, ["croissant.json"])))
    _put(folder, MANIFEST, manifest)
    tell("looking for identities", 85)
    _refuse_identities(folder, identities or identities_in_the_vault())
    tell("moving into place", 95)
    return Built(
        version=version,
        position=snapshot.position,
        manifest_sha256=hashlib.sha256(manifest).hexdigest(),
        figures=data.statistics["figures"],
        counts=_counts(about),
        difference=difference,
    )


def _compared(previous: str | None, contents: Contents) -> tuple[Contents | None, Difference | None]:
    """The release before, and what changed since."""
    if previous is None:
        return None, None
    try:
        before = contents_of(previous)
        return before, compare(before, contents)
    except ReleaseUnreadable as fault:
        raise ReleaseRefused(f"the release before this one can't be compared with it: {fault}") from None


def _next_version(before: Contents | None, difference: Difference | None) -> str:
    if before is None:
        return versions.FIRST
    try:
        return versions.after(before.name, difference.kind)
    except ValueError as fault:
        raise ReleaseRefused(f"no version follows {before.name} by itself; name one ({fault})") from None


def _refuse_identities(folder: Path, identities: Identities) -> None:
    if problems := identities_found(LocalFolder(folder), identities):
        raise ReleaseRefused(
            "the release would give people away: "
            + "; ".join(problems)
            + ". Take these answers out of the count, or reword the outcome in review, and build again."
        )


# --- Data -----------------------------------------------------------------------------------------


def _write_data(folder: Path, snapshot: Snapshot, pipeline: Pipeline, project: Project) -> _Data:
    settings = pipeline.Settings.model_validate(snapshot.settings)
    try:
        rows = pipeline.release_rows(snapshot.accepted, settings)
        if pipeline.released_rejections:
            rejected = (Rejected(**one) for one in snapshot.rejections)
            rows |= pipeline.rejected_rows(rejected, snapshot.accepted, settings)
    except ReleaseProblem as problem:
        raise ReleaseRefused(str(problem)) from None
    rows = {split: entries for split, entries in rows.items() if entries}
    if not rows:
        reason = pipeline.held_back(snapshot.accepted, settings) or "they make no row"
        raise ReleaseRefused(f"nothing to release of {len(snapshot.accepted):,} accepted items: {reason}")
    schema = arrow_schema(pipeline.Row)
    _refuse_faulty(rows, pipeline.Row, schema.names[0])
    (folder / "data").mkdir()
    splits = [_write_split(folder, name, entries, schema) for name, entries in rows.items()]
    used = [corpus for stage in snapshot.stages for corpus in stage.corpora]
    cited = paragraphs_cited(project, used, pipeline.cited(rows))
    published = pipeline.published_files(rows) | (pipeline.published_paragraphs(cited.found) if cited.found else {})
    for name, value in published.items():
        _put(folder, f"published/{name}", row_line(value))
    figures = [rounded(asdict(figure)) for figure in pipeline.statistics(rows, snapshot.accepted, settings)]
    return _Data(splits, schema, _statistics(snapshot, figures, splits, cited), sorted(published))


def _refuse_faulty(rows: dict[str, list[dict]], shape: type[BaseModel], id_field: str) -> None:
    """Puts every row into its declared shape, in place, or says which one has a fault."""
    seen: dict[str, str] = {}
    for split, entries in rows.items():
        if not re.fullmatch(SPLIT_NAME, split):
            raise ReleaseRefused(f"a split is named by small letters, digits, - and _ (20 at most), found {split!r}")
        for place, row in enumerate(entries):
            try:
                valid = shape.model_validate(row)
            except ValidationError as error:
                raise ReleaseRefused(f"row {place + 1} of {split} is faulty: {problems_of(error)}") from None
            entries[place] = valid.model_dump(mode="json", by_alias=True, exclude_unset=True)
            key = str(entries[place].get(id_field))
            if key in seen:
                raise ReleaseRefused(f"{id_field} {key!r} stands twice: in {seen[key]} and in {split}")
            seen[key] = split


def _write_split(folder: Path, name: str, rows: list[dict], schema: pyarrow.Schema) -> Split:
    lines, parquet = folder / "data" / f"{name}.jsonl", folder / "data" / f"{name}.parquet"
    with lines.open("wb", buffering=1 << 20) as handle:
        handle.writelines(row_line(row) for row in rows)
    memory = write_parquet(parquet, rows, schema)
    return Split(name, len(rows), lines.stat().st_size, parquet.stat().st_size, memory)


def _statistics(snapshot: Snapshot, figures: list[dict], splits: list[Split], cited: Cited) -> dict:
    paragraphs = {"cited": cited.wanted, "missing": cited.missing, "differing": len(cited.differing)}
    return ({"paragraphs": paragraphs} if cited.wanted else {}) | {
        "splits": {split.name: split.rows for split in splits},
        "counts": snapshot.counts | {"workers": snapshot.workers, "reviewers": snapshot.reviewers},
        "figures": figures,
        "funnel": snapshot.funnel,
        "rejected_by_code": snapshot.rejected_by_code,
        "excluded_by_phrase": snapshot.excluded_by_phrase,
        "agreement": rounded([*(ratings.alpha() for ratings in snapshot.ratings), *snapshot.experts]),
        "qualifications": rounded(snapshot.qualifications),
        "stages": {
            stage.name: rounded({"times": stage.times, "pay": stage.pay, "agreement": stage.agreement})
            for stage in snapshot.stages
        },
    }


def _contents(folder: Path, data: _Data) -> Contents:
    names = [split.name for split in data.splits]
    return Contents("", LocalFolder(folder), names, data.schema.names[0], data.statistics["figures"])


def _counts(about: Description) -> dict:
    """What a list of releases shows of one."""
    splits = {split.name: split.rows for split in about.splits}
    return {"rows": about.rows, "splits": splits, **about.statistics["counts"]}


# --- Descriptions ---------------------------------------------------------------------------------


def _write_descriptions(
    folder: Path, about: Description, difference: Difference | None, notes: str, earlier: str
) -> None:
    _put(folder, STATISTICS, json_document(about.statistics))
    for ratings in about.snapshot.ratings:
        (folder / "agreement").mkdir(exist_ok=True)
        ratings.path.rename(folder / "agreement" / ratings.name)
    for name, schema in _schemas(about):
        _put(folder, f"schema/{name}.json", json_document(schema))
    for stage in about.snapshot.stages:
        for name, text in stage.instructions.items():
            _put(folder, f"instructions/{stage.name}/{name}", text.encode())
    _put(folder, "README.md", documents.card(about).encode())
    _put(folder, "datasheet.md", documents.datasheet(about).encode())
    _put(folder, "LICENSE", documents.licence_file(about).encode())
    _put(folder, "CITATION.cff", documents.citation_file(about).encode())
    _put(folder, "CHANGELOG.md", documents.changelog(about, difference, notes, earlier).encode())


def _schemas(about: Description) -> Iterator[tuple[str, dict]]:
    yield "row", about.pipeline.Row.model_json_schema(by_alias=True)
    for name, shape in (RAW | WITH_SOLVERS).items():
        if name in about.snapshot.counts:
            yield name, shape.model_json_schema()
    for stage in about.snapshot.stages:
        for name, schema in stage.shapes.items():
            yield f"{stage.name}.{name}", schema


def _earlier_changes(before: Contents | None) -> str:
    if before is None or "CHANGELOG.md" not in before.folder.names():
        return ""
    with before.folder.open("CHANGELOG.md") as handle:
        return handle.read().decode().removeprefix(documents.CHANGELOG_TITLE)


def _put(folder: Path, name: str, content: bytes) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# --- Manifest -------------------------------------------------------------------------------------


def _manifest(about: Description, before: Contents | None, files: dict[str, dict]) -> dict:
    snapshot = about.snapshot
    return {
        "format": FORMAT,
        "project": snapshot.slug,
        "pipeline": snapshot.pipeline,
        "pipeline_settings": snapshot.settings,
        "version": about.version,
        "date": about.date,
        "log_position": snapshot.position.event,
        "log_events": snapshot.position.events,
        "previous": _previous(before),
        "code": {"crowdwright": code_version(), "pyarrow": pyarrow.__version__},
        "id_field": about.id_field,
        "splits": {split.name: split.rows for split in about.splits},
        "stages": [_stage(asdict(stage)) for stage in snapshot.stages],
        "files": files,
    }


def _previous(before: Contents | None) -> dict | None:
    if before is None:
        return None
    with before.folder.open(MANIFEST) as handle:
        return {"version": before.name, "manifest_sha256": hashlib.file_digest(handle, "sha256").hexdigest()}


def _stage(stage: dict) -> dict:
    """A stage's facts, the long ones by their hash."""
    instructions = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in stage["instructions"].items()}
    left_out = ("shapes", "times", "pay", "agreement", "description")
    if not stage["corpora"]:
        left_out += ("corpora",)
    return {name: value for name, value in stage.items() if name not in left_out} | {"instructions": instructions}


def _facts_of(folder: Path, names: Iterable[str] | None = None) -> dict[str, dict]:
    """SHA-256 and size of files, by name."""
    return {name: _facts(folder / name) for name in (names or LocalFolder(folder).names())}


def _facts(path: Path) -> dict:
    with path.open("rb") as handle:
        return {"sha256": hashlib.file_digest(handle, "sha256").hexdigest(), "bytes": path.stat().st_size}


@functools.cache
def code_version() -> str:
    """The commit that this code is at (`-changed` where files differ from it), or what CODE_VERSION says."""
    if site.CODE_VERSION:
        return site.CODE_VERSION
    try:
        commit = _git("rev-parse", "HEAD")
        return f"{commit}-changed" if _git("status", "--porcelain", "--untracked-files=no") else commit
    except (OSError, subprocess.SubprocessError):  # no git here, no commit, or none in time
        return "unknown"


def _git(*arguments: str) -> str:
    done = subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        cwd=site.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
        timeout=10,
    )
    return done.stdout.strip()
