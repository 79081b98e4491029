"""What costs money is done once, however often a program sends it with one key, and is answered alike each time."""

import threading

import pytest
from django.db import connections

from annotation.desk.models import AnsweredRequest
from annotation.hits.models import HIT
from annotation.providers.models import Intent
from tests.factories import make_assignment, make_hit

API = "/api/v1/projects/forces"
PUBLISH = f"{API}/stages/direct_answer/publish"


def agreed(client) -> dict:
    quote = client.get(f"{API}/stages/direct_answer/quote").json()
    return {"confirmed_cents": quote["total_cents"], "digest": quote["digest"], "below_floor_ok": True}


def send(client, address, body, key="run-1"):
    return client.post(address, body, format="json", headers={"Idempotency-Key": key})


def test_the_same_request_again_is_answered_as_it_was(items, call):
    client = call("researcher")
    body = agreed(client)
    first, again = (send(client, PUBLISH, body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json() == {"hits": 2, "cents": 600}
    assert HIT.objects.count() == 2


def test_a_bonus_that_is_sent_twice_is_one_call(project, items, call):
    assignment = make_assignment(make_hit(project, items[0]), state="approved")
    body = {"cents": 10, "reason": "Careful work.", "purpose": "care"}
    first, again = (send(call("owner"), f"{API}/assignments/{assignment.pk}/bonus", body) for _ in range(2))
    assert again.json() == first.json()
    assert Intent.objects.filter(kind="bonus").count() == 1


def test_another_request_under_a_known_key_is_refused(items, call):
    client = call("researcher")
    body = agreed(client)
    send(client, PUBLISH, body)
    other = send(client, PUBLISH, body | {"limit": 1})
    assert (other.status_code, HIT.objects.count()) == (422, 2)
    assert "another request" in other.json()["detail"]


def test_what_was_refused_leaves_its_key_free(items, call):
    client = call("researcher")
    body = agreed(client)
    assert send(client, PUBLISH, body | {"confirmed_cents": 1}).status_code == 409
    assert not AnsweredRequest.objects.exists()
    assert send(client, PUBLISH, body).status_code == 201


def test_two_people_may_use_the_same_key(items, call):
    body = agreed(call("researcher"))
    assert send(call("researcher"), PUBLISH, body).status_code == 201
    assert send(call("owner"), PUBLISH, body).status_code == 409


@pytest.mark.parametrize("key", ["", "x" * 121, "caf\xe9"])
def test_a_key_that_is_none_is_refused(items, call, key):
    assert send(call("researcher"), PUBLISH, {}, key=key).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_the_same_request_ten_times_at_once_publishes_once(items, call):
    client = call("researcher")
    body, barrier, answers = agreed(client), threading.Barrier(10), []
    credentials = client._credentials

    def run() -> None:
        one = type(client)()
        one.credentials(**credentials)
        barrier.wait()
        try:
            answer = send(one, PUBLISH, body)
            answers.append((answer.status_code, answer.json()))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [(201, {"hits": 2, "cents": 600})] * 10
    assert HIT.objects.count() == 2
