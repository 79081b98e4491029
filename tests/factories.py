"""Rows to test with: small functions, each makes one thing and what it hangs on, with sensible values.

They write tables directly, so that a test of one room does not wait for the actions of the rooms
below. Payloads and answers default to those of the ARC-DA pipeline.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from annotation.hits.models import HIT, Answer, Assignment, HITItem
from annotation.projects.models import Item, Membership, Project, Stage
from annotation.review.models import Outcome
from annotation.workers.models import Worker, WorkerIdentity

_numbers = itertools.count(1)
# Hashing a password is slow on purpose; one hash serves a whole run.
_hash_of = functools.cache(make_password)

QUESTION = {
    "question": "What force pulls a dropped ball to the ground?",
    "choices": [
        {"label": "A", "text": "friction"},
        {"label": "B", "text": "magnetism"},
        {"label": "C", "text": "gravity"},
        {"label": "D", "text": "electricity"},
    ],
    "answer_key": "C",
}


def make_user(name: str = "", *, project: Project | None = None, role: str = "", **fields: Any) -> Any:
    """A person who may sign in (password "secret"), staff unless said otherwise; with `project`, a member in `role`."""
    fields = {"is_staff": True} | fields
    user = get_user_model().objects.create(
        username=name or f"person{next(_numbers)}", password=_hash_of("secret"), **fields
    )
    if project is not None:
        Membership.objects.create(project=project, user=user, role=role or Membership.Role.REVIEWER)
    return user


def make_project(slug: str = "", *, stage: dict | None = None, **fields: Any) -> Project:
    """A project of ARC-DA with its one stage, `direct_answer` (fields of it in `stage`)."""
    slug = slug or f"project-{next(_numbers)}"
    fields = {"name": slug.replace("-", " ").capitalize(), "pipeline": "arc_da", "budget_cap_cents": 1_000_00} | fields
    project = Project.objects.create(slug=slug, **fields)
    make_stage(project, **(stage or {}))
    return project


def make_stage(project: Project, **fields: Any) -> Stage:
    fields = {
        "name": "direct_answer",
        "position": project.stages.count(),
        "task_type": "arc_da.direct_answer",
        "reward_cents": 50,
        "answers_per_item": 5,
        "items_per_hit": 5,
        "minutes_allowed": 60,
        "expected_seconds_per_item": 60,
        "lifetime_days": 14,
        "auto_approval_hours": 72,
        # The sample is drawn by a secret of the project's own: a test that wants it says so.
        "blind_share": 0,
    } | fields
    return Stage.objects.create(project=project, **fields)


def make_item(project: Project, key: str = "", *, stage: Stage | None = None, **fields: Any) -> Item:
    fields = {"payload": QUESTION, "split": "train"} | fields
    return Item.objects.create(
        project=project, stage=stage or project.stages.first(), key=key or f"ARCEZ_{next(_numbers)}", **fields
    )


def make_worker(provider_id: str = "", *, environment: str = "own") -> Worker:
    """A worker with an entry in the vault."""
    number = next(_numbers)
    worker = Worker.objects.create(environment=environment, pseudonym=f"w-test{number:06}")
    WorkerIdentity.objects.create(
        worker=worker, environment=environment, provider_id=provider_id or f"ATESTWORKER{number:04}"
    )
    return worker


def make_hit(project: Project, *items: Item, **fields: Any) -> HIT:
    """An offered HIT with these items."""
    stage = items[0].stage if items else project.stages.first()
    number = next(_numbers)
    fields = {
        "state": HIT.State.OFFERED,
        "environment": project.environment,
        "remote_id": f"HITTEST{number:06}",
        "max_assignments": stage.answers_per_item,
        "reward_cents": stage.reward_cents,
        "fee_cents": 10,
        "minutes_allowed": stage.minutes_allowed,
        "offered_at": timezone.now(),
    } | fields
    hit = HIT.objects.create(project=project, stage=stage, **fields)
    HITItem.objects.bulk_create(HITItem(hit=hit, item=item, position=place) for place, item in enumerate(items))
    return hit


def make_assignment(hit: HIT, worker: Worker | None = None, **fields: Any) -> Assignment:
    """A submitted assignment (confirmed by the marketplace), as yet without answers."""
    fields = {
        "assignment_id": f"ASSIGNMENTTEST{next(_numbers):06}",
        "state": Assignment.State.SUBMITTED,
        "handed_over_at": timezone.now(),
        "submitted_at": timezone.now(),
        "seconds_spent": 300,
    } | fields
    return Assignment.objects.create(hit=hit, worker=worker or make_worker(), **fields)


def make_answer(
    item: Item, data: dict, *, worker: Worker | None = None, assignment: Assignment | None = None, counts: bool = True
) -> Answer:
    """A confirmed answer to an item. Without `assignment`, in one of its own in the item's first HIT."""
    if assignment is None:
        hit = item.hits.first() or make_hit(item.project, item)
        assignment = make_assignment(hit, worker)
    return Answer.objects.create(assignment=assignment, item=item, data=data, counts=counts)


def make_answered_item(project: Project, *answers: dict, key: str = "", **fields: Any) -> Item:
    """An item that has all its answers, each by a worker of its own."""
    item = make_item(project, key, **{"state": Item.State.ANSWERED} | fields)
    for data in answers:
        make_answer(item, data)
    return item


def make_outcome(item: Item, value: dict, **fields: Any) -> Outcome:
    """What an item's answers add up to, pending; the item is settled."""
    fields = {"final": value, "contributors": list(item.answers.values_list("pk", flat=True))} | fields
    Item.objects.filter(pk=item.pk).update(state=Item.State.SETTLED)
    item.refresh_from_db()
    return Outcome.objects.create(project=item.project, stage=item.stage, item=item, value=value, **fields)
