"""Why an expert rejects: each task type offers reasons of its own."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from annotation.projects.models import Item
from annotation.review.models import Outcome
from tasks.base import Judgement
from tasks.registry import task_types
from tests.factories import make_project


@pytest.fixture
def owner(db, client):
    owner = get_user_model().objects.create_superuser("ada")
    client.force_login(owner)
    return owner


@pytest.mark.parametrize("kind", task_types().values(), ids=lambda kind: kind.name)
def test_a_page_offers_the_reasons_of_its_own_task_type(client, owner, kind):
    project = make_project("reasons")
    stage = project.stages.get()
    stage.task_type, stage.settings = kind.name, kind.Settings().model_dump(mode="json")
    stage.save()
    example = kind.examples()[0]
    item = Item.objects.create(project=project, stage=stage, key="one", payload=example.item, state="settled")
    given = kind.Item.model_validate(example.item)
    judged = [Judgement("w-1", kind.Answer.model_validate(example.answer), 1)]
    value = kind.aggregate(given, judged, kind.Settings()).value
    outcome = Outcome.objects.create(project=project, stage=stage, item=item, value=value, final=value)
    page = client.get(reverse("admin:review_outcome_change", args=[outcome.pk])).content.decode()
    others = {code for other in task_types().values() for code in other.reasons} - set(kind.reasons)
    assert [code for code in kind.reasons if f'name="reason" value="{code}"' not in page] == []
    assert [code for code in others if f'name="reason" value="{code}"' in page] == []
