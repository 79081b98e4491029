"""A process with its own Django beside the site: makes what a browser test needs, and looks at what came of it.

Reads one JSON call a line, `["make_hit", {…}]`, and answers with one JSON line. The tests can't touch the
site's database themselves: it is a real one, in another place than the test database.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def make_hit(questions: list[str], **fields: Any) -> dict:
    from tests.factories import QUESTION, make_hit, make_item, make_project

    project = make_project(contact="crowd@example.org")
    items = [make_item(project, payload={**QUESTION, "question": question}) for question in questions]
    hit = make_hit(project, *items, **fields)
    return {"token": hit.token, "remote_id": hit.remote_id, "items": [item.pk for item in items]}


def make_hit_of(
    task_type: str,
    payloads: list[dict],
    is_prepared: bool = False,
    corpus: str = "",
    settings: dict | None = None,
    lessons: list[list[str]] | None = None,
) -> dict:
    """A HIT of any task type. `is_prepared`: what the job works out of its items is there already.

    `corpus`: the paragraphs that its page searches, a file. `lessons`: what its solvers learn, each with its answer.
    """
    from annotation.checking import preparing
    from annotation.corpus.actions import import_corpus
    from annotation.projects.actions import use_corpus
    from annotation.solving.training import give_lessons
    from tasks import registry
    from tasks.solvers.base import Lesson
    from tests.factories import make_hit, make_item, make_project

    project = make_project(
        contact="crowd@example.org",
        stage={"name": task_type.partition(".")[2], "task_type": task_type, "settings": settings or {}},
    )
    if lessons:
        give_lessons(stage=project.stages.get(), lessons=[Lesson(*each) for each in lessons])
    if corpus:
        use_corpus(project=project, corpus=import_corpus(name="browsed", paths=[corpus]).corpus)
    items = [make_item(project, payload=payload, state="offered") for payload in payloads]
    if is_prepared:
        for item in items:
            preparing.prepare(item=item, kind=registry.task_type(task_type), read=preparing.model())
    hit = make_hit(project, *items)
    return {"token": hit.token, "remote_id": hit.remote_id, "items": [item.pk for item in items]}


def assignment(token: str) -> dict:
    """The newest assignment of a HIT: its state, draft, and answers by item."""
    from annotation.hits.models import Assignment

    row = Assignment.objects.filter(hit__token=token).order_by("-pk").first()
    if row is None:
        return {}
    return {
        "state": row.state,
        "draft": row.draft,
        "revision": row.draft_revision,
        "receipt": row.receipt,
        "comment": row.comment,
        "answers": {str(item): data for item, data in row.answers.values_list("item_id", "data")},
        "count": Assignment.objects.filter(hit__token=token).count(),
    }


def tire_checks(token: str) -> None:
    """As if so many drafts of a HIT's newest assignment had been checked that the checks rest."""
    from annotation.checking.models import LiveCheck

    LiveCheck.objects.filter(assignment__hit__token=token).update(count=30)


CALLS = {"tire_checks": tire_checks, "make_hit": make_hit, "make_hit_of": make_hit_of, "assignment": assignment}


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    django.setup()
    for line in sys.stdin:
        name, arguments = json.loads(line)
        print(json.dumps(CALLS[name](**arguments)), flush=True)


if __name__ == "__main__":
    main()
