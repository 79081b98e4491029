"""Lists, as both kinds of clients in the wild read them."""

import pytest
from botocore.exceptions import ClientError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.marketplace.api import hits as operations


@pytest.fixture
def hits(requester):
    return [requester.hit(RequesterAnnotation=str(number))["HITId"] for number in range(5)]


def test_the_paginator_of_boto3_finds_every_hit_once(requester, hits):
    pages = requester.client.get_paginator("list_hits").paginate(PaginationConfig={"PageSize": 2})
    found = [hit["HITId"] for page in pages for hit in page["HITs"]]
    assert found == hits[::-1]


def test_a_client_that_always_reads_next_token_stops_at_the_empty_page(requester, hits):
    found, page = [], requester.client.list_hits(MaxResults=5)
    while page["HITs"]:
        found += page["HITs"]
        page = requester.client.list_hits(MaxResults=5, NextToken=page["NextToken"])
    assert len(found) == 5
    assert page["NumResults"] == 0
    assert "NextToken" not in page


def test_hits_deleted_between_two_pages_make_nobody_skip_others(requester, hits):
    page = requester.client.list_hits(MaxResults=2)
    for hit in page["HITs"]:
        requester.client.update_expiration_for_hit(HITId=hit["HITId"], ExpireAt=0)
        requester.client.delete_hit(HITId=hit["HITId"])
    rest = requester.client.list_hits(MaxResults=10, NextToken=page["NextToken"])
    assert [hit["HITId"] for hit in rest["HITs"]] == hits[2::-1]


def test_a_page_holds_ten_rows_unless_told_otherwise(requester, hits):
    for _ in range(7):
        requester.hit()
    assert requester.client.list_hits()["NumResults"] == 10


def test_a_token_of_another_list_is_refused(requester, hits):
    token = requester.client.list_hits(MaxResults=1)["NextToken"]
    with pytest.raises(ClientError) as caught:
        requester.client.list_reviewable_hits(NextToken=token)
    assert caught.value.response["Error"]["Code"] == "ParameterValidationError"


def test_each_list_answers_with_its_key_even_when_empty(requester, submitted):
    hit_id, assignment_id = submitted
    client = requester.client
    kind = client.create_qualification_type(Name="A", Description="a", QualificationTypeStatus="Active")
    type_id = kind["QualificationType"]["QualificationTypeId"]
    assert client.list_reviewable_hits(Status="Reviewing")["HITs"] == []
    assert client.list_assignments_for_hit(HITId=hit_id, AssignmentStatuses=["Rejected"])["Assignments"] == []
    assert client.list_bonus_payments(AssignmentId=assignment_id)["BonusPayments"] == []
    assert client.list_qualification_requests()["QualificationRequests"] == []
    assert client.list_workers_with_qualification_type(QualificationTypeId=type_id)["Qualifications"] == []
    assert client.list_hits_for_qualification_type(QualificationTypeId=type_id)["HITs"] == []
    assert client.list_worker_blocks()["WorkerBlocks"] == []
    assert client.list_qualification_types(Query="nothing", MustBeRequestable=True)["QualificationTypes"] == []


def test_lists_show_only_the_callers_own(requester, make_requester, hits):
    assert make_requester("other").client.list_hits()["HITs"] == []


def test_a_list_of_work_does_not_read_its_question_with_each_row(requester, make_worker):
    hit_id = requester.hit(MaxAssignments=3)["HITId"]
    for name in ("ann", "bob", "cleo"):
        make_worker(name).do(hit_id)
    call = operations.Call(requester.account, {"HITId": hit_id}, "x")
    with CaptureQueriesContext(connection) as asked:
        assert len(operations.list_assignments(call)["Assignments"]) == 3
    assert sum('"question"' in query["sql"] for query in asked) == 1
    assert len(asked) == 2
