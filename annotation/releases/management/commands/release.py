"""Builds, checks, compares and lists releases."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.core.management.base import CommandError, CommandParser

from annotation.events.commanding import ActingCommand
from annotation.projects.commanding import find_project
from annotation.releases import actions, comparison, queries, verification
from annotation.releases.comparison import Difference
from annotation.releases.models import Release
from annotation.releases.results import ReleaseRefused
from annotation.releases.storage import ReleaseUnreadable

SHOWN = 20


class Command(ActingCommand):
    help = "Build, verify, compare and list releases. A release is named by its folder, or as PROJECT@VERSION."
    example = (
        "./crowdwright release build demo\n"
        "  ./crowdwright release verify demo@1.0.0\n"
        "  ./crowdwright release diff demo@1.0.0 demo@1.1.0 --json"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="build|verify|diff|list")
        build = verbs.add_parser("build", help="Build a release of a project's accepted items.")
        build.add_argument("project", help="The project's slug.")
        build.add_argument("--release-version", help="Three numbers; without it, what changed decides.")
        build.add_argument("--notes", default="", help="What people should know; stands in the change log.")
        verify = verbs.add_parser("verify", help="Check a release: files, schemas, counts, identities.")
        verify.add_argument("release", help="A folder, an s3:// address, or PROJECT@VERSION.")
        verify.add_argument("--rebuild", action="store_true", help="Build it again too, and compare hashes.")
        diff = verbs.add_parser("diff", help="What changed from one release to another.")
        diff.add_argument("a", help="The earlier release.")
        diff.add_argument("b", help="The later release.")
        listing = verbs.add_parser("list", help="A project's releases, newest first.")
        listing.add_argument("project", help="The project's slug.")

    def handle(self, *, verb: str, **options: Any) -> None:
        try:
            getattr(self, verb)(**options)
        except (BotoCoreError, ClientError, OSError) as fault:
            raise CommandError(f"the place of a release can't be reached: {fault}") from fault

    def build(self, *, project: str, release_version: str | None, notes: str, **options: Any) -> None:
        try:
            release = actions.build(
                project=find_project(project),
                version=release_version,
                notes=notes,
                created_by="command:release",
                progress=self._tell,
            )
        except ReleaseRefused as refused:
            raise CommandError(str(refused)) from None
        counts = release.counts
        splits = ", ".join(f"{split} {rows:,}" for split, rows in counts["splits"].items())
        self.report(
            _facts(release),
            f"Release {release.version} of {project}: {counts['rows']:,} rows ({splits}), "
            f"{counts['judgements']:,} judgements.\n{release.location}",
        )

    def verify(self, *, release: str, rebuild: bool, **options: Any) -> None:
        row = queries.find_release(release) if "@" in release else None
        if rebuild and row is None:
            raise CommandError("--rebuild needs a release of a project here, as PROJECT@VERSION")
        location = row.location if row else _location(release)
        tell = lambda step: self._tell(f"checking {step}", None)  # noqa: E731
        problems = verification.verify_release(row, tell) if row else verification.verify(location, progress=tell)
        if rebuild and row:
            self._tell("building again", None)
            problems += verification.rebuild(row)
        text = "\n".join(problems) or f"{location}: everything is as the manifest says."
        self.report({"location": location, "problems": problems}, text)
        if problems:
            raise CommandError(f"{len(problems)} problem{'s' if len(problems) > 1 else ''} found in {release}")

    def diff(self, *, a: str, b: str, **options: Any) -> None:
        try:
            found = comparison.diff(_location(a), _location(b))
        except ReleaseUnreadable as fault:
            raise CommandError(str(fault)) from None
        self.report({**asdict(found), "kind": found.kind}, "\n".join(_words(found)))

    def list(self, *, project: str, **options: Any) -> None:
        releases = queries.releases_of(find_project(project))
        lines = [
            f"{release.version:10}  {release.created_at:%Y-%m-%d}  {rows:>7,} rows  {release.location}"
            for release in releases
            for rows in [release.counts["rows"]]
        ]
        self.report([_facts(release) for release in releases], "\n".join(lines) or f"{project} has no release yet.")

    def _tell(self, step: str, percent: int | None) -> None:
        self.sign(f"{step} …" if percent is None else f"{percent:3}%  {step} …")


def _location(name: str) -> str:
    """Where a release lies that is named by place or as project@version."""
    if "@" not in name or name.startswith("s3://") or "/" in name:
        return name
    release = queries.find_release(name)
    if release is None:
        raise CommandError(f"no finished release {name}; `release list {name.partition('@')[0]}` shows what there is")
    return release.location


def _facts(release: Release) -> dict:
    names = ("version", "state", "log_position", "location", "manifest_sha256", "counts", "notes")
    facts = {name: getattr(release, name) for name in names}
    return {"project": release.project.slug, **facts, "created_at": release.created_at.isoformat()}


def _words(found: Difference):
    yield f"{found.before} → {found.after}: a {found.kind} change"
    for word in ("removed", "moved", "changed", "added"):
        entries = getattr(found, word)
        if entries:
            yield f"{len(entries):,} {word}:"
            yield from (f"  {_entry(word, entry)}" for entry in entries[:SHOWN])
            if len(entries) > SHOWN:
                yield f"  … and {len(entries) - SHOWN:,} more (--json shows all)"
    for change in found.statistics:
        yield f"{change['table']} | {change['row']} | {change['column']}: {change['before']} → {change['after']}"


def _entry(word: str, entry: dict) -> str:
    if word == "moved":
        return f"{entry['id']}: {entry['from']} → {entry['to']}"
    if word != "changed":
        return f"{entry['id']} ({entry['split']})"
    return f"{entry['id']}: " + "; ".join(f"{name} {_field(change)}" for name, change in entry["fields"].items())


def _field(change: dict) -> str:
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    if "words" in change:
        return "".join(marks[step].format(words) for step, words in change["words"])
    parts = [f"-{entry!r}" for entry in change.get("removed", [])] + [
        f"+{entry!r}" for entry in change.get("added", [])
    ]
    if "reordered" in change:
        return "reordered"
    return " ".join(parts) or f"{change.get('before')!r} → {change.get('after')!r}"
