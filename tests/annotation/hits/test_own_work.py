"""Nobody judges what they made themselves."""

import pytest

from annotation.hits.working import Refused, open_assignment
from tests.factories import make_answer, make_hit, make_item, make_project, make_worker

pytestmark = pytest.mark.django_db
WORDS = {"answers": ["gravity"], "category": "single"}


def test_the_worker_of_an_answer_gets_no_item_that_was_made_of_it():
    project = make_project()
    author, other = make_worker("ANAUTHOR0001"), make_worker("ANOTHER00002")
    answer = make_answer(make_item(project), WORDS, worker=author)
    make_answer(make_item(project), WORDS, worker=other)
    hit = make_hit(project, make_item(project, origin_answers=[answer.pk]))
    with pytest.raises(Refused) as refused:
        open_assignment(hit=hit, assignment_id="AN1", provider_worker_id="ANAUTHOR0001")
    assert refused.value.reason == "own_work"
    assert open_assignment(hit=hit, assignment_id="AN2", provider_worker_id="ANOTHER00002").pk


def test_the_page_says_why(client):
    project = make_project()
    author = make_worker("ANAUTHOR0001")
    answer = make_answer(make_item(project), WORDS, worker=author)
    hit = make_hit(project, make_item(project, origin_answers=[answer.pk]))
    parameters = {"assignmentId": "AN1", "hitId": hit.remote_id, "workerId": "ANAUTHOR0001"}
    page = client.get(f"/t/{hit.token}/", parameters)
    assert page.status_code == 403
    assert "your own work" in page.content.decode()
