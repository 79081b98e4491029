"""The demo projects: items of our own, published, with some work done so that no page is empty."""

import time
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model

from annotation.corpus.actions import import_corpus
from annotation.events.actions import acting_as
from annotation.hits.models import HIT
from annotation.hits.publishing import publish, quote
from annotation.launch import accounts
from annotation.pipeline import advance
from annotation.projects.actions import add_member, change_stage, create_project, use_corpus
from annotation.projects.importing import import_items
from annotation.projects.models import Membership, Project
from annotation.simulation.crowd import Crowd, Report
from annotation.simulation.run import Wanted
from tasks.simulation import demos, simulation_of

# Five know the answers, each in words of their own; the others are what every requester meets.
CROWD = 8
# Other people than those of `simulate`, which sign in with passwords of their own.
SEED = 0
SECONDS_FOR_OFFERS = 60.0


class NotOffered(Exception):
    """The marketplace did not take the demo's HITs."""


def make_project(dataset: str = "arc_da") -> Project:
    """A dataset's demo project with its people and questions. What is there already stays."""
    demo = demos()[dataset]
    users = get_user_model().objects.in_bulk(accounts.STAFF, field_name="username")
    with acting_as("demo"):
        project = Project.objects.filter(slug=demo.slug).first() or _new_project(dataset, users.get(accounts.OWNER))
        for name, role in [(accounts.RESEARCHER, "researcher"), (accounts.EXPERT, "reviewer")]:
            if name in users and not Membership.objects.filter(project=project, user=users[name]).exists():
                add_member(project=project, user=users[name], role=role)
        import_items(project=project, paths=demo.sources)
        if demo.corpus and project.corpus is None:
            use_corpus(project=project, corpus=import_corpus(name=demo.slug, paths=demo.corpus).corpus)
    return project


def _new_project(dataset: str, owner: Any) -> Project:
    demo = demos()[dataset]
    project = create_project(
        pipeline=dataset,
        name=demo.name,
        slug=demo.slug,
        owner=owner,
        settings=demo.settings,
        budget_cap_cents=demo.budget_cap_cents,
        contact="This is a demo; nobody reads messages here.",
    )
    for stage in project.stages.filter(name__in=demo.stages):
        change_stage(stage=stage, **demo.stages[stage.name])
    return project


def offer(project: Project) -> int:
    """Publish all that is open and wait until the marketplace has it; gives the number of HITs offered."""
    stage = project.stages.get(position=0)
    with acting_as("demo"):
        offer = quote(stage)
        if offer.planned:
            publish(stage=stage, confirmed_cents=offer.total_cents)
    deadline = time.monotonic() + SECONDS_FOR_OFFERS
    while project.hits.filter(state=HIT.State.PLANNED).exists():
        # The clock's own run may be at it; either will do.
        advance(project)
        if time.monotonic() > deadline:
            raise NotOffered(_reasons(project))
        time.sleep(0.1)
    return project.hits.filter(state=HIT.State.OFFERED).count()


def _reasons(project: Project) -> str:
    waiting = project.hits.filter(state=HIT.State.PLANNED).count()
    return (
        f"{waiting} HITs were not taken by the marketplace at {settings.MTURK_ENDPOINT_URL} within "
        f"{SECONDS_FOR_OFFERS:g} seconds; what it said stands in the log of the workers."
    )


def let_a_crowd_work(project: Project, assignments: int, done: Any = lambda: None) -> Report:
    """Simulated workers do so many assignments over HTTP; what they did is collected and added up."""
    simulation = simulation_of(project.pipeline)
    others = HIT.objects.filter(state=HIT.State.OFFERED).exclude(project=project)
    crowd = Crowd(
        endpoint=settings.MTURK_ENDPOINT_URL,
        workers=CROWD,
        seed=SEED,
        simulation=simulation,
        knowledge=simulation.knowledge(),
        password=lambda name: accounts.demo_password(),
        # To look at every HIT before taking it takes time: only where there are others.
        wanted=Wanted(project) if others.exists() else None,
    )
    try:
        crowd.enter()
        report = crowd.work(assignments=assignments, done=done)
    finally:
        crowd.close()
    advance(project, everything=True)
    return report
