"""An expert may rewrite a list of short texts, one a line: the facts of a question."""

import pytest

from annotation.review import operations
from annotation.review.actions import decide
from annotation.review.operations import BadOperation
from annotation.review.settling import settle
from tasks.registry import task_type
from tests.factories import make_answer, make_hit, make_item, make_project, make_user

SHAPE = task_type("strategyqa.question").Outcome
VALUE = {"term": "Mill", "description": "", "question": "Is it?", "answer": True, "facts": ["One.", "Two."]}


def test_relisting_replaces_all_lines():
    changed = operations.apply(SHAPE, VALUE, [{"op": "relist", "field": "facts", "lines": ["One.", " Two  more. "]}])
    assert changed == VALUE | {"facts": ["One.", "Two more."]}


@pytest.mark.parametrize("lines", [None, "One.", [""], [1], ["x" * 1_001], ["x"] * 21, ["a\0b"]])
def test_what_is_no_list_of_lines_is_refused(lines):
    with pytest.raises(BadOperation, match="relist"):
        operations.apply(SHAPE, VALUE, [{"op": "relist", "field": "facts", "lines": lines}])


@pytest.fixture
def outcome(db):
    stage = {"name": "question", "task_type": "strategyqa.question", "settings": {"groups": []}}
    project = make_project(stage=stage)
    item = make_item(project, payload={"term": "Mill", "expected": "yes"}, state="answered")
    make_hit(project, item)
    make_answer(item, {"question": "Is it?", "facts": ["One.", "Two."]})
    settle(project=project)
    return item.outcome


def test_the_page_shows_the_facts_a_line_each_and_takes_them_back(outcome, client):
    client.force_login(make_user(project=outcome.project, role="reviewer"))
    page = client.get(f"/admin/review/outcome/{outcome.pk}/change/").content.decode()
    assert "One.\nTwo.</textarea>" in page
    assert "Expected answer" in page


def test_a_decision_with_other_facts_keeps_what_the_writer_said(outcome):
    reviewer = make_user(project=outcome.project, role="reviewer")
    change = [{"op": "relist", "field": "facts", "lines": ["One.", "Two.", "Three."]}]
    decide(outcome=outcome, reviewer=reviewer, decision="accept", operations=change, version=outcome.version)
    outcome.refresh_from_db()
    assert outcome.final["facts"] == ["One.", "Two.", "Three."]
    assert outcome.value["facts"] == ["One.", "Two."]
