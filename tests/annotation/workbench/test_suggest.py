"""What a field offers while somebody types: for the page's own HIT, and for nobody without its context."""

import json

import pytest

from annotation.checking import preparing
from tasks import registry
from tests.factories import make_hit, make_item, make_project

pytestmark = pytest.mark.django_db
PAYLOAD = registry.task_type("r4c.derivation").examples()[0].item


@pytest.fixture
def hit():
    project = make_project("bells", stage={"name": "derivation", "task_type": "r4c.derivation"})
    return make_hit(project, make_item(project, payload=PAYLOAD))


@pytest.fixture
def opened(hit, client):
    preparing._kept.clear()

    def page(worker="AWORKER00001"):
        parameters = {"assignmentId": f"AN{worker}", "hitId": hit.remote_id, "workerId": worker}
        return client.get(f"/t/{hit.token}/", parameters).content.decode()

    return page


@pytest.fixture
def suggest(hit, opened, client):
    text = opened()
    data = text.partition('id="page-data">')[2].partition("</script>")[0]
    context = json.loads(data)["context"]

    def asked(**query):
        query = {"item": hit.items.get().pk, "field": "steps"} | query
        return client.get(f"/t/{hit.token}/suggest", query, headers={"X-Context": query.pop("context", context)})

    return asked


def texts(response):
    return [text for text, _ in response.json()["suggestions"]]


def test_what_is_typed_comes_back_completed_from_the_articles(suggest):
    found = suggest(part="head", typed="ada", title="Ada Bell", sentence="1")
    assert texts(found)[0] == "Ada Bell"
    assert found.json()["with_model"] is False


def test_relations_are_offered_as_relations(suggest):
    assert "built" in texts(suggest(part="relation", typed="bui", title="Ada Bell", sentence="1"))
    assert "in" in texts(suggest(part="relation", typed="in"))


def test_the_chosen_sentence_comes_first(suggest):
    assert texts(suggest(part="tail", typed="the r", title="Ada Bell", sentence="1"))[0] == "the Red Mill"


@pytest.mark.parametrize(
    "query",
    [
        {"item": "1"},
        {"field": "choice"},
        {"part": "elsewhere"},
        {"sentence": "²"},
        {"sentence": "99999999999"},
        {"typed": "\0"},
    ],
)
def test_a_strange_question_is_answered_all_the_same(suggest, query):
    assert suggest(**{"part": "head", "typed": "a"} | query).status_code in (200, 400)


def test_another_hits_item_is_refused(suggest):
    project = make_project()
    assert suggest(part="head", item=make_item(project).pk).status_code == 400


def test_without_the_page_s_context_nothing_is_said(suggest):
    assert suggest(part="head", context="forged").status_code == 403


def test_workers_meet_the_candidates_in_orders_of_their_own_that_stay(opened):
    from bs4 import BeautifulSoup

    def order(worker):
        soup = BeautifulSoup(opened(worker), "html.parser")
        return tuple(option["value"] for option in soup.select("fieldset.choice input"))

    orders = {order(f"AWORKER0000{number}") for number in range(8)}
    assert len(orders) > 1
    assert {frozenset(found) for found in orders} == {frozenset([*PAYLOAD["candidates"], "neither"])}
    assert all(found[-1] == "neither" for found in orders)
    assert order("AWORKER00001") == order("AWORKER00001")
