"""Findings that concern one entry of a field, and those that name what is still to come while somebody types."""

import pytest

from annotation.checking import gate, jobs
from annotation.checking.models import LiveCheck
from annotation.hits import working
from annotation.hits.sheets import sheet_of
from tasks import registry
from tests.factories import make_assignment, make_hit, make_item, make_project

pytestmark = pytest.mark.django_db
KIND = registry.task_type("strategyqa.decomposing")
STEPS = "How tall is a fir? | Fir\nHow tall is a house? | House\nIs #1 more than #4?"


@pytest.fixture
def assignment():
    project = make_project("steps", stage={"name": "decomposition", "task_type": KIND.name})
    hit = make_hit(project, make_item(project, payload=KIND.examples()[0].item))
    return make_assignment(hit, state="open", handed_over_at=None, submitted_at=None)


@pytest.fixture
def values(assignment):
    return {f"{assignment.hit.items.get().pk}.steps": [STEPS]}


def told(findings):
    return {(each["check"], each.get("part"), each.get("may_wait", False)) for each in findings}


def test_a_live_finding_names_its_step_and_whether_it_may_wait(assignment, values):
    working.save_draft(assignment_pk=assignment.pk, worker_pk=assignment.worker_id, base_revision=0, values=values)
    jobs.check_draft(assignment.pk, 1)
    findings = LiveCheck.objects.get(assignment=assignment).findings
    assert told(findings) == {("refers_to_no_step", 3, False), ("is_never_used", 2, True)}


def test_at_the_gate_nothing_may_wait(assignment, values):
    verdict = gate.examine(sheet=sheet_of(assignment.hit.token), assignment=assignment, values=values)
    assert told(verdict.blocks) == {("refers_to_no_step", 3, False), ("is_never_used", 2, False)}
