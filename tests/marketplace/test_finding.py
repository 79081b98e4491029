"""Which HIT of a group a worker gets next, and what is told of the group."""

from functools import partial

import pytest

from annotation.marketplace import finding, ledger, publishing, registering, requirements, standing, working
from annotation.marketplace.models import Account, QualificationType
from tests.marketplace.people import EXTERNAL

pytestmark = pytest.mark.django_db


@pytest.fixture
def publish():
    """Publishes one more HIT of the same group."""
    requester = Account.objects.create_user("lab", is_requester=True)
    ledger.prepay(requester=requester, cents=20_000)
    values = registering.TypeValues("t", "d", "", 10, 600, 86_400, [])
    kind = registering.register_type(requester=requester, values=values)
    return partial(
        publishing.create_hit,
        requester=requester,
        hit_type=kind,
        question=EXTERNAL,
        lifetime=86_400,
        max_assignments=1,
    )


def test_what_a_worker_gave_back_comes_last_for_them_and_first_for_others(publish):
    worker, other = (Account.objects.create_user(name, is_worker=True) for name in ("ann", "bob"))
    first, second = publish(), publish()
    assert finding.next_hit(worker, first.hit_type) == first
    working.give_back(worker=worker, assignment=working.accept(worker=worker, hit=first))
    assert finding.next_hit(worker, first.hit_type) == second
    assert finding.next_hit(other, first.hit_type) == first
    working.accept(worker=other, hit=second)
    assert finding.next_hit(worker, first.hit_type) == first


def take(hit, seconds, clock):
    worker = Account.objects.create_user(f"quick{hit.pk}", is_worker=True)
    turn = working.accept(worker=worker, hit=hit)
    clock.advance(seconds=seconds)
    working.submit(assignment=turn, answer="<QuestionFormAnswers/>")


@pytest.mark.parametrize(
    ("seconds", "hourly"),
    [([60] * 4, None), ([60] * 5, 600), ([1] * 5, None), ([1, 2, 5, 400, 500], 7200)],
)
def test_pay_an_hour_is_told_once_enough_people_took_a_believable_time(publish, clock, seconds, hourly):
    worker = Account.objects.create_user("ann", is_worker=True)
    for each in seconds:
        take(publish(), each, clock)
    publish()
    (group,) = finding.groups_for(standing.of(worker))
    assert group.hourly_cents == hourly


def test_the_list_asks_no_more_of_many_groups_than_of_a_few(client, publish, django_assert_max_num_queries):
    client.force_login(Account.objects.create_user("ann", is_worker=True))
    lab = publish().requester
    for number in range(30):
        kind = QualificationType.objects.create(requester=lab, name=f"q{number}", description="d")
        asked = requirements.read([{"QualificationTypeId": kind.type_id, "Comparator": "Exists"}])
        values = registering.TypeValues(f"Group {number}", "d", "", 10, 600, 86_400, asked)
        hit_type = registering.register_type(requester=lab, values=values)
        publishing.create_hit(requester=lab, hit_type=hit_type, question=EXTERNAL, lifetime=86_400)
    with django_assert_max_num_queries(14):
        text = client.get("/hits/").content.decode()
    assert "q29 granted" in text
