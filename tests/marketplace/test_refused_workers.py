"""Who may discover, preview and accept, and what a refused worker is told."""

import pytest
from botocore.exceptions import ClientError

from annotation.marketplace import messaging, requirements

APPROVED, PERCENT, LOCALE = requirements.APPROVED, requirements.PERCENT, requirements.LOCALE


@pytest.mark.parametrize(
    ("comparator", "wanted", "met", "unmet"),
    [
        ("LessThan", [5], 4, 5),
        ("LessThanOrEqualTo", [5], 5, 6),
        ("GreaterThan", [5], 6, 5),
        ("GreaterThanOrEqualTo", [5], 5, 4),
        ("EqualTo", [5], 5, 4),
        ("NotEqualTo", [5], 4, 5),
        ("In", [1, 5], 5, 2),
        ("NotIn", [1, 5], 2, 5),
        ("Exists", [], 0, None),
        ("DoesNotExist", [], None, 0),
        ("NotEqualTo", [5], 0, None),
        ("NotIn", [5], 0, None),
    ],
)
def test_a_number_is_compared(comparator, wanted, met, unmet):
    given = {"QualificationTypeId": "3X", "Comparator": comparator, "IntegerValues": wanted}
    requirement = requirements.read([given])[0]
    assert requirements.is_met(requirement, met)
    assert not requirements.is_met(requirement, unmet)


@pytest.mark.parametrize(
    ("comparator", "places", "met", "unmet"),
    [
        ("EqualTo", [{"Country": "US"}], ("US", "CA"), ("GB", "")),
        ("EqualTo", [{"Country": "US", "Subdivision": "CA"}], ("US", "CA"), ("US", "NY")),
        ("NotEqualTo", [{"Country": "US"}], ("GB", ""), ("US", "NY")),
        ("In", [{"Country": "US"}, {"Country": "GB"}], ("GB", ""), ("DE", "")),
        ("NotIn", [{"Country": "US"}, {"Country": "GB"}], ("DE", ""), ("GB", "")),
        ("In", [{"Country": "US"}], ("US", ""), None),
    ],
)
def test_a_place_is_compared(comparator, places, met, unmet):
    given = {"QualificationTypeId": LOCALE, "Comparator": comparator, "LocaleValues": places}
    requirement = requirements.read([given])[0]
    assert requirements.is_met(requirement, met)
    assert not requirements.is_met(requirement, unmet)


def asking(requester, guard):
    asked = {
        "QualificationTypeId": APPROVED,
        "Comparator": "GreaterThanOrEqualTo",
        "IntegerValues": [100],
        "ActionsGuarded": guard,
    }
    return requester.hit(QualificationRequirements=[asked])


@pytest.mark.parametrize(
    ("guard", "found", "previewed"),
    [("Accept", True, True), ("PreviewAndAccept", True, False), ("DiscoverPreviewAndAccept", False, False)],
)
def test_each_guard_stops_as_much_as_it_says(requester, worker, guard, found, previewed):
    hit = asking(requester, guard)
    assert (f'data-group="{hit["HITGroupId"]}"' in worker.get("/hits/").text) == found
    preview = worker.get(f"/groups/{hit['HITGroupId']}/preview")
    assert (preview.status_code == 200) == previewed
    assert worker.accept(hit["HITId"]).status_code == 409


def test_a_refused_worker_reads_which_requirement_failed_and_how_to_meet_it(requester, worker):
    text = worker.accept(asking(requester, "Accept")["HITId"]).text
    assert f'data-unmet="{APPROVED}"' in text
    assert "Number of HITs approved at least 100" in text
    assert "(yours: 0)" in text
    assert "It grows with each HIT that is approved." in text


def test_a_qualification_that_can_be_asked_for_is_linked(requester, worker):
    kind = requester.client.create_qualification_type(
        Name="Readers", Description="d", QualificationTypeStatus="Active", AutoGranted=True
    )["QualificationType"]["QualificationTypeId"]
    hit = requester.hit(QualificationRequirements=[{"QualificationTypeId": kind, "Comparator": "Exists"}])
    assert f'href="/qualifications/{kind}/"' in worker.get("/hits/").text
    worker.post(f"/qualifications/{kind}/ask")
    worker.do(hit["HITId"])


def test_work_approved_counts(requester, worker, clock):
    from annotation.marketplace import standing

    for _ in range(2):
        worker.do(requester.hit(AutoApprovalDelayInSeconds=0)["HITId"])
    values = standing.of(worker.account).values
    assert values[APPROVED] == 2
    assert values[PERCENT] == 100


def test_a_value_set_by_the_operator_wins_over_the_count(requester, worker):
    from annotation.marketplace.models import SystemValue

    SystemValue.objects.create(worker=worker.account, qualification_type_id=APPROVED, integer_value=500)
    assert worker.accept(asking(requester, "Accept")["HITId"]).status_code == 200


def test_a_blocked_worker_is_told_so_and_an_unblocked_one_works(requester, worker):
    hit_id = requester.hit()["HITId"]
    requester.client.create_worker_block(WorkerId=worker.worker_id, Reason="Copied answers")
    blocks = requester.client.list_worker_blocks()["WorkerBlocks"]
    assert blocks == [{"WorkerId": worker.worker_id, "Reason": "Copied answers"}]
    refused = worker.accept(hit_id)
    assert "does not want to have work from you" in refused.text
    assert "data-group=" not in worker.get("/hits/").text
    requester.client.delete_worker_block(WorkerId=worker.worker_id)
    requester.client.delete_worker_block(WorkerId=worker.worker_id, Reason="again")
    worker.do(hit_id)


def test_messages_reach_only_workers_with_decided_work(requester, make_worker, worker, submitted):
    requester.client.approve_assignment(AssignmentId=submitted[1])
    stranger = make_worker("ben")
    answer = requester.client.notify_workers(
        Subject="New batch",
        MessageText="Come back",
        WorkerIds=[worker.worker_id, stranger.worker_id, "A00000000000000"],
    )
    failed = {row["WorkerId"]: row["NotifyWorkersFailureCode"] for row in answer["NotifyWorkersFailureStatuses"]}
    assert failed == {stranger.worker_id: "HardFailure", "A00000000000000": "HardFailure"}
    assert "Come back" in worker.get("/messages/").text


def test_blocks_come_to_an_end(requester, make_worker, monkeypatch):
    monkeypatch.setattr(messaging, "MOST_BLOCKS", 1)
    first, second = make_worker("anna"), make_worker("bob")
    for _ in range(2):  # the same one again is no more
        requester.client.create_worker_block(WorkerId=first.worker_id, Reason="r")
    with pytest.raises(ClientError, match="at most 1"):
        requester.client.create_worker_block(WorkerId=second.worker_id, Reason="r")
