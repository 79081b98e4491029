"""Brings source files into a project: all of them, or nothing and what is wrong with each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction

from annotation.events.actions import record
from annotation.projects import queries
from annotation.projects.actions import Refused
from annotation.projects.items import in_chunks, new_item
from annotation.projects.models import Item, Project, Stage
from tasks import registry
from tasks.base import SourceItem, SourceProblem

# Below what a row holds: later stages and later attempts put something behind a key (`/3/1`, `~2`).
MOST_KEY = Item._meta.get_field("key").max_length - 20
MOST_SPLIT = Item._meta.get_field("split").max_length


@dataclass
class ImportReport:
    """What an import did: items added, known before (same key and payload), excluded by the filter; or its problems."""

    added: int = 0
    known: int = 0
    excluded: int = 0
    problems: list[SourceProblem] = field(default_factory=list)


class ImportRefused(Refused):
    """Source files with faults: nothing was imported. `report.problems` has file, line and reason of each."""

    def __init__(self, report: ImportReport):
        self.report = report
        shown = "; ".join(str(problem) for problem in report.problems[:5])
        more = f" (and {len(report.problems) - 5} more)" if len(report.problems) > 5 else ""
        super().__init__(f"nothing was imported: {shown}{more}")


def import_items(
    *,
    project: Project,
    paths: Iterable[Path | str],
    options: Mapping[str, str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Brings the items of source files into the pipeline's first stage: all of them, or none.

    The same item again adds nothing; the same key with another payload is a problem, for an item may
    have answers already. Items that the pipeline's filter excludes come in with the reason.
    Raises ImportRefused with the report when any line has a problem.
    """
    report = ImportReport()
    sources = _read(project, paths, options or {}, report)
    stage = project.stages.first()
    with transaction.atomic():
        # Two imports meet here: the second waits, then finds what the first has brought.
        Project.objects.select_for_update().get(pk=project.pk)
        fresh = _fresh_items(project, stage, sources, report)
        for chunk in in_chunks(fresh):
            Item.objects.bulk_create(chunk)
            report.added += len(chunk)
            if progress:
                progress(report.added)
        if fresh:
            record(
                "items.imported",
                subject=stage,
                project_id=project.pk,
                added=report.added,
                known=report.known,
                excluded=report.excluded,
                files=[Path(path).name for path in paths],
            )
    return report


def _read(
    project: Project, paths: Iterable[Path | str], options: Mapping, report: ImportReport
) -> dict[str, SourceItem]:
    kind, settings = registry.pipeline(project.pipeline), queries.settings_of(project)
    known = [option.name for option in kind.read_options]
    if strange := sorted(set(options) - set(known)):
        raise Refused(
            f"the reader of {kind.name}'s files knows no option {', '.join(strange)}; "
            f"expected {', '.join(known) or 'none at all'}"
        )
    sources: dict[str, SourceItem] = {}
    for path in map(Path, paths):
        for entry in kind.read(path, options):
            if isinstance(entry, SourceProblem):
                report.problems.append(entry)
                continue
            for one in kind.spread(entry, settings):
                if fault := _why_not_stored(one):
                    report.problems.append(SourceProblem(path.name, 0, fault))
                elif (earlier := sources.get(one.key)) and earlier.payload != one.payload:
                    report.problems.append(SourceProblem(path.name, 0, f"{one.key} stands twice, with other content"))
                else:
                    sources[one.key] = one
    if report.problems:
        raise ImportRefused(report)
    return sources


def _why_not_stored(source: SourceItem) -> str:
    for what, text, most in (("key", source.key, MOST_KEY), ("split", source.split, MOST_SPLIT)):
        if len(text) > most:
            return f"{text[:60]}…: a {what} has at most {most} characters, found {len(text)}"
    return ""


def _fresh_items(project: Project, stage: Stage, sources: dict[str, SourceItem], report: ImportReport) -> list[Item]:
    kind, settings = registry.pipeline(project.pipeline), queries.settings_of(project)
    known = dict(stage.items.values_list("key", "payload"))
    drawn = queries.task_type_of(stage).draws
    fresh = []
    for key, source in sources.items():
        if key not in known:
            fresh.append(new_item(stage, source, kind.screen(source.payload, settings)))
        elif not _is_same(known[key], source.payload, drawn):
            report.problems.append(SourceProblem(key, 0, "is in the project already, with other content"))
        else:
            report.known += 1
    if report.problems:
        raise ImportRefused(report)
    report.excluded = sum(item.state == Item.State.EXCLUDED for item in fresh)
    return fresh


def _is_same(stored: Mapping, given: Mapping, drawn: str) -> bool:
    """Whether a file gives what is stored; a field that was drawn since may be missing or empty there."""
    left_out = {drawn} if drawn and not given.get(drawn) else set()
    return {k: v for k, v in stored.items() if k not in left_out} == {
        k: v for k, v in given.items() if k not in left_out
    }
