import threading

import pytest
from django.db import connection, connections, transaction

from annotation.events.actions import acting_as, record
from annotation.events.models import Event
from annotation.workers.queries import release_pseudonym
from tests.factories import make_project, make_worker

FEED = "/api/v1/projects/forces/events"


def test_the_feed_is_followed_by_its_position_without_gaps_or_doubles(project, call):
    client = call("researcher")
    for number in range(3):
        record("stage.changed", project_id=project.pk, number=number)
    first = client.get(FEED).json()
    assert [event["data"]["number"] for event in first["events"]] == [0, 1, 2]
    assert client.get(f"{FEED}?after={first['position']}").json()["events"] == []
    record("stage.changed", project_id=project.pk, number=3)
    next_ = client.get(f"{FEED}?after={first['position']}").json()
    assert [event["data"]["number"] for event in next_["events"]] == [3]


def test_a_long_feed_comes_in_parts(project, call):
    Event.objects.bulk_create(
        Event(verb="stage.changed", actor="clock", project_id=project.pk, data={"number": number})
        for number in range(1_100)
    )
    numbers, position = [], 0
    for _ in range(3):
        part = call("researcher").get(f"{FEED}?after={position}").json()
        numbers += [event["data"]["number"] for event in part["events"]]
        position = part["position"]
    assert numbers == list(range(1_100))


def test_the_feed_tells_nothing_of_other_projects(project, call):
    record("project.opened", project_id=make_project("other").pk)
    assert call("researcher").get(FEED).json()["events"] == []


def test_the_feed_filters_by_verb(project, call):
    record("project.opened", project_id=project.pk)
    record("project.paused", project_id=project.pk)
    events = call("researcher").get(f"{FEED}?verb=project.paused").json()["events"]
    assert [event["verb"] for event in events] == ["project.paused"]


def test_workers_bear_the_pseudonyms_of_releases(project, call):
    worker = make_worker()
    with acting_as(f"worker:{worker.pseudonym}"):
        record("assignment.opened", project_id=project.pk, worker=worker.pseudonym)
    event = call("researcher").get(FEED).json()["events"][0]
    name = release_pseudonym(project, worker.pseudonym)
    assert (event["actor"], event["data"]) == (f"worker:{name}", {"worker": name})


def test_other_words_that_begin_like_a_pseudonym_stay_as_they_are(project, call):
    record("grant.revoked", project_id=project.pk, reason="w-shaped answers", error="worker:w-1 is gone")
    assert call("researcher").get(FEED).json()["events"][0]["data"] == {
        "reason": "w-shaped answers",
        "error": "worker:w-1 is gone",
    }


def test_a_feed_of_one_verb_passes_over_what_was_read_with_others(project, call):
    record("project.paused", project_id=project.pk)
    for _ in range(3):
        record("project.opened", project_id=project.pk)
    position = call("researcher").get(f"{FEED}?verb=project.paused").json()["position"]
    assert position == Event.objects.latest("id").pk
    assert call("researcher").get(f"{FEED}?verb=project.paused&after={position}").json() == {
        "events": [],
        "position": position,
    }


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["", "stage.changed"])
def test_an_event_whose_transaction_ends_late_is_not_passed_over(project, call, verb):
    recorded, go_on = threading.Event(), threading.Event()

    def write_slowly() -> None:
        with transaction.atomic():
            record("stage.changed", project_id=project.pk, number=1)
            recorded.set()
            go_on.wait(20)
        connections.close_all()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    recorded.wait(20)
    record("stage.changed", project_id=project.pk, number=2)
    early = call("researcher").get(f"{FEED}?verb={verb}").json()
    go_on.set()
    writer.join()
    later = call("researcher").get(f"{FEED}?verb={verb}&after={early['position']}").json()

    assert early["events"] == []
    assert [event["data"]["number"] for event in later["events"]] == [1, 2]
