"""A HIT with five questions, and a worker's way to its page: the four parameters of a marketplace."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest
from django.test import Client

from annotation.hits.models import HIT, Assignment
from annotation.workbench import views
from tests.factories import QUESTION, make_hit, make_item, make_project

QUESTIONS = [
    "What force pulls a dropped ball to the ground?",
    "Name a part of a plant that people eat.",
    "What happens to a puddle on a sunny day?",
    "Which gas do people breathe out?",
    "A red apple looks red in sunlight because the apple",
]
HOST = "http://127.0.0.1:8001"


@pytest.fixture
def hit(db) -> HIT:
    project = make_project(contact="crowd@example.org")
    items = [make_item(project, payload={**QUESTION, "question": text}) for text in QUESTIONS]
    return make_hit(project, *items)


@dataclass
class Page:
    """A worker's browser tab on a HIT's page, without script. Cookies are never sent."""

    hit: HIT
    assignment_id: str = "3ASSIGNMENT1"
    worker_id: str = "AWORKER1"
    client: Client = field(default_factory=lambda: Client(enforce_csrf_checks=True))
    context: str = ""

    @property
    def address(self) -> str:
        query = {
            "assignmentId": self.assignment_id,
            "hitId": self.hit.remote_id,
            "workerId": self.worker_id,
            "turkSubmitTo": HOST,
        }
        return f"/t/{self.hit.token}/?{urlencode(query)}"

    def open(self):
        self.client.cookies.clear()
        response = self.client.get(self.address)
        if found := re.search(r'name="context" value="([^"]+)"', response.content.decode()):
            self.context = found.group(1)
        return response

    def save(self, values: dict, base_revision: int = 0, context: str | None = None, **more):
        return self.client.post(
            f"/t/{self.hit.token}/draft",
            json.dumps({"base_revision": base_revision, "values": values, **more}),
            content_type="application/json",
            headers={"X-Context": self.context if context is None else context},
        )

    def submit(self, form: dict, **more):
        return self.client.post(self.address, {"context": self.context, **form, **more})

    def submit_by_script(self, form: dict, **more):
        return self.client.post(
            self.address, {**form, **more}, headers={"X-Context": self.context, "Accept": "application/json"}
        )

    @property
    def assignment(self) -> Assignment:
        return Assignment.objects.get(assignment_id=self.assignment_id, worker__identity__provider_id=self.worker_id)


@pytest.fixture(autouse=True)
def patient_gate():
    """Numbers of assignments come again with each test."""
    views.PACE.forget()


@pytest.fixture
def page(hit) -> Page:
    return Page(hit)


def answers_to(hit: HIT, text: str = "gravity", category: str = "single") -> dict[str, str]:
    """A form with the same good answer to every question."""
    form = {}
    for item in hit.items.all():
        form[f"{item.pk}.answers"] = text
        form[f"{item.pk}.category"] = category
    return form
