"""How the review page tells items and answers that are more than a few short texts."""

import pytest

from annotation.review.actions import decide, settle
from annotation.review.models import Outcome
from annotation.review.page import page_of
from tasks import registry
from tests.factories import make_answered_item, make_item, make_project, make_stage, make_user

pytestmark = pytest.mark.django_db
KIND = registry.task_type("r4c.derivation")
EXAMPLE = KIND.examples()[0]


@pytest.fixture
def project():
    stage = {"name": "derivation", "task_type": "r4c.derivation", "review": "all"}
    project = make_project("bells", pipeline="r4c", stage=stage)
    make_answered_item(project, *[EXAMPLE.answer] * 3, payload=EXAMPLE.item, key="cw-1")
    settle(project=project)
    return project


def test_a_task_type_tells_its_items_in_its_own_words(project):
    page = page_of(Outcome.objects.get(), is_blind=False)
    facts = {fact.label: fact.text for fact in page.source}
    assert facts["Answer"] == "Torwich"
    assert "*2. She built the Red Mill and three bridges over the Lune." in facts["Articles"].splitlines()


def test_steps_of_an_answer_are_told_one_by_one_and_its_choice_beside_them(project):
    page = page_of(Outcome.objects.get(), is_blind=False)
    choice, steps = page.answers[0].said
    assert list(choice.texts) == ["Torwich"]
    assert steps.texts[0] == "Ada Bell · built · the Red Mill (Ada Bell, 2)"
    assert page.votes == []


def test_an_earlier_stage_s_derivations_come_without_ids_of_answers(project):
    kind = registry.task_type("r4c.derivability")
    stage = make_stage(project, name="derivability", task_type=kind.name, crowd=False)
    origin = Outcome.objects.get()
    item = make_item(project, stage=stage, payload=kind.examples()[0].item, origin_id=origin.pk)
    settle(project=project)
    (ancestor,) = page_of(Outcome.objects.get(item=item), is_blind=False).ancestors
    (told,) = ancestor.outcome
    assert told.text.startswith("Derivation 1\nAda Bell · built")
    assert "answers" not in told.text


def test_steps_and_answers_to_them_are_told_by_number():
    kind = registry.task_type("strategyqa.verifying")
    project = make_project("steps", stage={"name": "verification", "task_type": kind.name, "review": "all"})
    example = kind.examples()[1]
    make_answered_item(project, example.answer, payload=example.item)
    settle(project=project)
    page = page_of(Outcome.objects.get(), is_blind=False)
    verdict, answers = page.fields
    assert (verdict.value, verdict.template) == ("incomplete", "review/fields/choice.html")
    assert answers.value == [
        "#1: 4.3 metres",
        "#2: cannot be answered (how high a bus is today)",
        "#3: cannot be answered",
    ]
    assert list(page.answers[0].said[0].texts) == answers.value
    facts = {fact.label: fact.text for fact in page.source}
    assert "Double-decker bus-3: The first double-deckers were drawn by horses" in facts["Steps"]


def test_what_an_earlier_stage_came_to_is_hidden_from_who_may_decide_it_blindly(project):
    kind = registry.task_type("r4c.derivability")
    stage = make_stage(project, name="derivability", task_type=kind.name, crowd=False)
    first, second = make_user(project=project), make_user(project=project)
    origin = Outcome.objects.get()
    decide(outcome=origin, reviewer=first, decision="accept", version=origin.version, confirmed=True)
    Outcome.objects.filter(pk=origin.pk).update(wants_blind_review=True)
    item = make_item(project, stage=stage, payload=kind.examples()[0].item, origin_id=origin.pk)
    settle(project=project)
    for reader, is_hidden in [(first, False), (second, True)]:
        (ancestor,) = page_of(Outcome.objects.get(item=item), is_blind=False, reader=reader).ancestors
        assert (ancestor.is_hidden, bool(ancestor.outcome), bool(ancestor.facts)) == (is_hidden, not is_hidden, True)
