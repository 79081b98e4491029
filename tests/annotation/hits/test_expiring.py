"""HITs are taken off the market, those too that are just on their way to it."""

import pytest

from annotation.hits.expiring import close, expire_hit
from annotation.hits.models import HIT
from annotation.hits.publishing import absorb_offers, publish, quote
from annotation.providers.models import Intent
from tests.factories import make_hit, make_item, make_project


@pytest.fixture
def project(db):
    made = make_project("forces", wage_floor_cents=0)
    make_item(made)
    return made


@pytest.fixture
def hit(project) -> HIT:
    stage = project.stages.get()
    [planned] = publish(stage=stage, confirmed_cents=quote(stage).total_cents)
    return planned


def reach(state: str, **fields) -> None:
    Intent.objects.filter(kind="create_hit").update(state=state, **fields)


@pytest.mark.parametrize("state", ["sending", "unknown", "confirmed"])
def test_a_hit_that_is_just_being_sent_goes_off_the_market_as_soon_as_it_is_there(project, hit, state) -> None:
    reach(state)
    assert close(project=project) == 1
    assert not Intent.objects.filter(kind="expire_hit").exists()

    reach("confirmed", result={"hit_id": "REMOTE1", "expires_at": None})
    absorb_offers(project=project)

    hit.refresh_from_db()
    assert hit.state == HIT.State.OFFERED
    assert Intent.objects.get(kind="expire_hit").request == {"hit_id": "REMOTE1"}


def test_a_hit_that_nobody_wants_away_stays_on_offer(project, hit) -> None:
    reach("confirmed", result={"hit_id": "REMOTE1", "expires_at": None})
    absorb_offers(project=project)
    assert not Intent.objects.filter(kind="expire_hit").exists()


@pytest.mark.parametrize(("state", "counted"), [("planned", 1), ("sending", 1), ("refused", 0), ("absent", 0)])
def test_only_what_is_taken_off_is_counted(project, hit, state, counted) -> None:
    reach(state)
    assert close(project=project) == counted


def test_what_is_on_its_way_off_is_counted_once(project, hit) -> None:
    reach("sending")
    offered = make_hit(project, make_item(project))
    assert close(project=project) == 2
    assert close(project=project) == 0
    assert expire_hit(hit=offered) is False
