"""How many of a HIT's items the page calls done when it is opened again."""

import re

import pytest

from tasks import registry
from tests.annotation.workbench.conftest import Page
from tests.factories import make_hit, make_item, make_project

pytestmark = pytest.mark.django_db


def done(task_type: str, stage: str, **values: str) -> int:
    kind = registry.task_type(task_type)
    project = make_project(pipeline=task_type.partition(".")[0], stage={"name": stage, "task_type": task_type})
    item = make_item(project, payload=kind.examples()[0].item)
    page = Page(make_hit(project, item), assignment_id=f"3ASSIGNMENT{item.pk}")
    page.open()
    page.save({f"{item.pk}.{name}": [text] for name, text in values.items()})
    return int(re.search(r"<b data-progress>(\d+)</b>", page.open().content.decode())[1])


def test_an_item_is_done_when_all_that_is_asked_has_something_in_it():
    assert done("arc_da.direct_answer", "direct_answer", answers="gravity") == 0
    assert done("arc_da.direct_answer", "direct_answer", answers="gravity", category="single") == 1


@pytest.mark.parametrize(
    ("task_type", "stage", "field", "value"),
    [
        ("r4c.derivation", "derivation", "choice", "neither"),
        ("strategyqa.decomposing", "decomposition", "flags", "answer_incorrect"),
    ],
)
def test_an_answer_that_ends_the_work_leaves_nothing_to_do(task_type, stage, field, value):
    assert done(task_type, stage, **{field: value}) == 1
