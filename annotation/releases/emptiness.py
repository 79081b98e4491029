"""Whether a release would hold anything, told before it is ordered."""

from __future__ import annotations

from annotation.projects.models import Item, Project
from annotation.projects.queries import pipeline_of, settings_of
from annotation.releases.gathering import Gatherer
from annotation.releases.lines import accepted_of
from annotation.releases.queries import released_stage
from tasks.base import Accepted, Pipeline


def nothing_to_release(project: Project) -> str:
    """Why a release of now would be empty; an empty text where it would hold something.

    Looks at accepted items up to the first that makes a row: where there is one, that is soon.
    """
    stage, pipeline = released_stage(project), pipeline_of(project)
    if not stage.items.filter(state=Item.State.ACCEPTED, outcome__isnull=False).exists():
        return f"no item of {project.slug} is accepted at its released stage yet"
    if type(pipeline).held_back is Pipeline.held_back:
        return ""
    settings, gatherer = settings_of(project), Gatherer(project)
    held: list[Accepted] = []
    for items in gatherer.chunks(stage):
        for lineage, followers in gatherer.with_lineages(items):
            accepted = accepted_of(lineage, followers)
            if not pipeline.held_back([accepted], settings):
                return ""
            held.append(accepted)
    return pipeline.held_back(held, settings)
