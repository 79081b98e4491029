"""The table of assignments and the page of one: what they show, to whom, and that they stay cheap."""

import pytest
from django.utils import timezone

from annotation.checking.models import CheckResult
from annotation.events.actions import record
from annotation.hits.models import Assignment
from annotation.workers.actions import bar_worker
from annotation.workers.queries import release_pseudonym
from tests.factories import make_answer, make_assignment, make_hit, make_item, make_project, make_stage, make_worker

PLACE = "/projects/forces/assignments/"
EVIL = {"answers": ["<script>alert(1)</script>"], "category": "single"}


@pytest.fixture
def work(project) -> Assignment:
    item = make_item(project, "first")
    assignment = make_assignment(make_hit(project, item, make_item(project, "second")), comment="Nice \u202etask")
    make_answer(item, EVIL, assignment=assignment)
    CheckResult.objects.create(
        assignment=assignment, item=item, check_name="copies_the_question", version=1, level="warn", message="Hm"
    )
    return assignment


@pytest.fixture
def table(browse):
    """The numbers of the assignments that the table shows under a query, and the slice."""

    def shown(query=""):
        slice_ = browse("owner").get(f"{PLACE}?{query}").context["slice"]
        return [row.assignment.pk for row in slice_.rows], slice_

    return shown


def test_a_row_tells_who_what_how_long_and_what_the_checks_said(project, work, browse):
    shown = browse("researcher").get(PLACE).content.decode()
    for text in (release_pseudonym(project, work.worker.pseudonym), "5 min", "$0.50", "1 finding", "RLO", "2<span"):
        assert text in shown
    assert "\u202e" not in shown and work.worker.pseudonym not in shown and work.assignment_id not in shown


def test_the_table_filters_by_state_stage_and_worker(project, work, table):
    rated = make_assignment(make_hit(project, make_item(project, stage=make_stage(project, name="rating"))))
    again = make_assignment(work.hit, state="approved", worker=rated.worker)
    assert table()[0] == [again.pk, rated.pk, work.pk]
    assert table("state=approved")[0] == [again.pk]
    assert table("stage=rating")[0] == [rated.pk]
    assert table("stage=direct_answer&state=submitted")[0] == [work.pk]
    assert table(f"worker={release_pseudonym(project, rated.worker.pseudonym)}")[0] == [again.pk, rated.pk]
    assert table(f"worker={rated.worker.pseudonym}")[0] == [], "the internal pseudonym is nobody's name here"


def test_the_table_pages_from_new_to_old_and_back(project, work, table):
    Assignment.objects.bulk_create(
        [Assignment(hit=work.hit, worker=work.worker, assignment_id=f"A{n}", state="approved") for n in range(119)]
    )
    pks = list(Assignment.objects.order_by("-pk").values_list("pk", flat=True))
    first, slice_ = table()
    assert first == pks[:50] and slice_.before is None
    second, slice_ = table(f"after={slice_.after}")
    assert second == pks[50:100]
    third, last = table(f"after={slice_.after}")
    assert third == pks[100:] and last.after is None
    assert table(f"before={last.before}")[0] == second
    back, start = table(f"before={slice_.before}")
    assert back == first and start.before is None


def test_a_long_table_takes_as_many_queries_as_a_short_one(project, work, browse, django_assert_max_num_queries):
    Assignment.objects.bulk_create(
        [Assignment(hit=work.hit, worker=make_worker(), assignment_id=f"A{n}", state="approved") for n in range(60)]
    )
    browse("owner")
    with django_assert_max_num_queries(18):
        browse("owner").get(PLACE)


def test_other_projects_work_is_not_there(project, work, browse, table):
    other = make_project("mine")
    foreign = make_assignment(make_hit(other, make_item(other)))
    assert table()[0] == [work.pk]
    assert browse("owner").get(f"{PLACE}{foreign.pk}/").status_code == 404


def test_the_page_of_one_shows_answers_findings_comment_and_history(project, work, browse):
    record("assignment.submitted", subject=work, project_id=project.pk, worker=work.worker.pseudonym)
    bar_worker(worker=work.worker, reason="The same word.", project_id=project.pk)
    bar_worker(worker=make_worker(), reason="Somebody else.", project_id=project.pk)
    shown = browse("owner").get(f"{PLACE}{work.pk}/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown and "<script>alert" not in shown
    assert "copies the question" in shown and "Hm" in shown
    assert "RLO" in shown and "\u202e" not in shown
    assert "1 answer to 2 items" in shown and "No answer." in shown
    assert "was confirmed to have submitted" in shown
    assert "barred a worker" in shown and "The same word." in shown and "Somebody else." not in shown
    assert work.worker.pseudonym not in shown and work.assignment_id not in shown


@pytest.mark.parametrize("state", Assignment.State.values)
def test_every_state_has_a_page_and_a_row(work, browse, state):
    Assignment.objects.update(state=state)
    assert browse("owner").get(f"{PLACE}{work.pk}/").status_code == 200
    assert browse("owner").get(f"{PLACE}?state={state}").context["slice"].rows


def test_the_api_lists_assignments_page_by_page_and_one_by_one(project, work, call):
    Assignment.objects.bulk_create(
        [Assignment(hit=work.hit, worker=work.worker, assignment_id=f"A{n}", state="approved") for n in range(6)]
    )
    client, seen, address = call("researcher"), [], "/api/v1/projects/forces/assignments?page_size=3"
    while address:
        page = client.get(address).json()
        seen += [one["id"] for one in page["results"]]
        address = page["next"]
    assert seen == list(Assignment.objects.order_by("pk").values_list("pk", flat=True))
    name = release_pseudonym(project, work.worker.pseudonym)
    one = client.get(f"/api/v1/projects/forces/assignments?state=submitted&worker={name}").json()["results"]
    assert [(row["id"], row["worker"], row["items"], row["findings"]) for row in one] == [(work.pk, name, 2, 1)]
    whole = client.get(f"/api/v1/projects/forces/assignments/{work.pk}").json()
    assert [(given["key"], given["answer"]) for given in whole["answers"]] == [("first", EVIL), ("second", None)]
    assert whole["why_not_rejected"].startswith("the stage's time to look is over")
    for query in ("state=lost", "worker=w-nobody", "worker=%00", "cursor=x", "colour=red"):
        assert client.get(f"/api/v1/projects/forces/assignments?{query}").status_code in (400, 404), query


def test_nothing_that_is_shown_leads_to_the_marketplaces_worker(project, work, browse, call):
    identity = work.worker.identity.provider_id
    Assignment.objects.update(state="approved", decided_at=timezone.now())
    pages = [browse("owner").get(address).content.decode() for address in (PLACE, f"{PLACE}{work.pk}/")]
    pages.append(call("owner").get(f"/api/v1/projects/forces/assignments/{work.pk}").content.decode())
    assert all(identity not in page and work.assignment_id not in page for page in pages)
