"""Which HIT of a group a worker gets next."""

import pytest

from annotation.marketplace import finding, ledger, publishing, working
from annotation.marketplace.models import Account
from tests.marketplace.people import EXTERNAL

pytestmark = pytest.mark.django_db


@pytest.fixture
def hits():
    requester = Account.objects.create_user("lab", is_requester=True)
    ledger.prepay(requester=requester, cents=20_000)
    values = publishing.TypeValues("t", "d", "", 10, 600, 86_400, [])
    kind = publishing.register_type(requester=requester, values=values)
    return [
        publishing.create_hit(requester=requester, hit_type=kind, question=EXTERNAL, lifetime=86_400, max_assignments=1)
        for _ in range(2)
    ]


def test_what_a_worker_gave_back_comes_last_for_them_and_first_for_others(hits):
    worker, other = (Account.objects.create_user(name, is_worker=True) for name in ("ann", "bob"))
    first, second = hits
    assert finding.next_hit(worker, first.hit_type) == first
    working.give_back(worker=worker, assignment=working.accept(worker=worker, hit=first))
    assert finding.next_hit(worker, first.hit_type) == second
    assert finding.next_hit(other, first.hit_type) == first
    working.accept(worker=other, hit=second)
    assert finding.next_hit(worker, first.hit_type) == first
