"""Reads all that a release says from the database, as of one moment, and lays it down on disk.

One read transaction sees one state of the database while people go on working. Item by item the
lines of `raw/` are written as they are read; only counts and names stay in memory. Nothing here
depends on row ids, collation or the database in use: order is by stage, key and pseudonym.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from annotation.projects.models import Membership, Project
from annotation.projects.queries import pipeline_of, task_type_of
from annotation.releases.agreement import Ratings
from annotation.releases.frozen import no_search_for_cycles, one_state_of_the_database
from annotation.releases.gathering import Gatherer
from annotation.releases.lines import LineWriter
from annotation.releases.queries import Position, position_of, released_stage
from annotation.releases.stage_facts import StageFacts, collected_in, expert_agreement_of, facts_of, qualifications_of
from annotation.review import figures
from tasks.base import Accepted


@dataclass
class Snapshot:
    """All of a project that its release says. The long lists are on disk."""

    slug: str
    name: str
    pipeline: str
    settings: dict
    contact_people: list[str]
    position: Position
    collected: tuple[date, date] | None
    stages: list[StageFacts]
    funnel: list[dict]
    experts: list[dict]
    accepted: Sequence[Accepted]
    workers: int
    reviewers: int
    counts: dict[str, int] = field(default_factory=dict)
    rejected_by_code: dict[str, int] = field(default_factory=dict)
    excluded_by_phrase: dict[str, int] = field(default_factory=dict)
    ratings: list[Ratings] = field(default_factory=list)
    qualifications: list[dict] = field(default_factory=list)
    rejections: Sequence[dict] = ()


def take(project: Project, folder: Path, scratch: Path) -> Snapshot:
    """Reads a project into a Snapshot. Lines for people go under `folder/raw`, our own under `scratch`."""
    with one_state_of_the_database():
        return _read(Project.objects.get(pk=project.pk), folder, scratch)


def _read(project: Project, folder: Path, scratch: Path) -> Snapshot:
    gatherer = Gatherer(project)
    rejections = pipeline_of(project).released_rejections
    writer = LineWriter(
        folder,
        scratch,
        {stage.name: task_type_of(stage) for stage in gatherer.stages},
        released_rejections=rejections,
        with_solvers=gatherer.was_challenged,
    )
    with no_search_for_cycles():
        _write_items(gatherer, writer, released=released_stage(project).name, rejections=rejections)
    writer.close()
    position = position_of(project)
    return Snapshot(
        slug=project.slug,
        name=project.name,
        pipeline=project.pipeline,
        settings=project.settings,
        contact_people=_owners(project),
        position=position,
        collected=collected_in(project),
        stages=[facts_of(stage) for stage in gatherer.stages],
        funnel=[asdict(step) for step in figures.funnel(project)],
        experts=expert_agreement_of(project),
        accepted=writer.accepted,
        workers=writer.workers,
        reviewers=writer.reviewers,
        counts=writer.counts,
        rejected_by_code=writer.rejected_by_code,
        excluded_by_phrase=writer.excluded_by_phrase,
        ratings=writer.ratings,
        qualifications=qualifications_of(project),
        rejections=writer.rejections,
    )


def _write_items(gatherer: Gatherer, writer: LineWriter, *, released: str, rejections: str) -> None:
    """Stage by stage. `rejections`: the stage whose rejected items are released, too, if any is."""
    if rejections:
        for question, payload in gatherer.tried(rejections):
            writer.write_tried(question, payload)
    for stage in gatherer.stages:
        for items in gatherer.chunks(stage):
            for item in items:
                writer.write(item)
            if stage.name == released:
                for lineage, followers in gatherer.with_lineages(items):
                    writer.write_accepted(lineage, followers)


def _owners(project: Project) -> list[str]:
    """Names that people gave for themselves; account names may be addresses and stay out."""
    owners = Membership.objects.filter(project=project, role=Membership.Role.OWNER).select_related("user")
    return sorted(name for owner in owners if (name := owner.user.get_full_name().strip()) and "@" not in name)
