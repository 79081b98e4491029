"""A stage without a crowd: its items go to the experts as they are, and nobody is paid for them."""

import pytest

from annotation.hits.publishing import publish, quote
from annotation.projects.actions import Refused
from annotation.projects.models import Item
from annotation.review.actions import decide, settle
from annotation.review.models import Outcome
from tests.factories import make_item, make_project, make_user

pytestmark = pytest.mark.django_db
KEEP = [{"op": "add", "field": "answers", "text": "gravity"}]


def test_open_items_wait_for_an_expert_and_not_for_answers():
    project = make_project(stage={"crowd": False})
    item = make_item(project)
    # Without answers the rule of this task type rejects: an expert may accept all the same.
    assert settle(project=project) == 1
    outcome = Outcome.objects.get(item=item)
    assert outcome.contributors == []
    reviewer = make_user(project=project)
    decide(
        outcome=outcome, reviewer=reviewer, decision="accept", operations=KEEP, version=outcome.version, confirmed=True
    )
    item.refresh_from_db()
    assert item.state == Item.State.ACCEPTED
    assert settle(project=project) == 0


def test_a_crowds_open_items_are_left_alone():
    project = make_project()
    make_item(project)
    assert settle(project=project) == 0
    assert not Outcome.objects.exists()


def test_an_experts_stage_is_never_published():
    project = make_project(stage={"crowd": False})
    make_item(project)
    stage = project.stages.get()
    assert not quote(stage).fits
    with pytest.raises(Refused, match="experts"):
        publish(stage=stage, confirmed_cents=quote(stage).total_cents)
