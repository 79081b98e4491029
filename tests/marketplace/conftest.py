"""The marketplace over real HTTP, with unmodified boto3 as requester and a plain HTTP client as worker."""

import os

import pytest
from django.conf import settings

from tests.marketplace.people import Requester, Worker, client_for

# These tests are for the marketplace's own site; the main site's run passes them by.
# Not `localhost`, which is the task pages' site.
os.environ.setdefault("DJANGO_LIVE_TEST_SERVER_ADDRESS", "127.0.0.1")
collect_ignore_glob = [] if settings.SITE == "marketplace" else ["*"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """A file instead of memory, so that the server's threads have connections of their own."""
    from django.db import connection

    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(settings.HOME / f"test-marketplace-{os.getpid()}.sqlite3")


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _as_at_home(settings):
    """The same rules whatever database the tests run on; a test that is about the rules of production sets them."""
    settings.MARKETPLACE_VERIFY_SIGNATURES = False
    settings.MARKETPLACE_SIGN_UP = "open"


@pytest.fixture(autouse=True)
def clock():
    """The marketplace's clock, back at the present after each test."""
    from annotation.marketplace import clock

    yield clock
    clock.reset()


@pytest.fixture
def site(live_server, settings):
    """The address of a running marketplace."""
    settings.MARKETPLACE_PUBLIC_URL = live_server.url
    return live_server.url


@pytest.fixture
def make_requester(site):
    """Makes requesters with $100.00."""

    def make(name: str = "lab", cents: int = 10_000) -> Requester:
        from annotation.marketplace import keys, ledger
        from annotation.marketplace.models import Account

        account = Account.objects.create_user(name, "secret-password", is_requester=True)
        if cents:
            ledger.prepay(requester=account, cents=cents)
        key = keys.create_key(account=account)
        return Requester(account, key, client_for(site, key), site)

    return make


@pytest.fixture
def requester(make_requester):
    """A requester with $100.00."""
    return make_requester()


@pytest.fixture
def make_worker(site):
    """Makes signed-in workers."""

    def make(username: str = "anna", **fields: object) -> Worker:
        from annotation.marketplace.models import Account

        account = Account.objects.create_user(username, "secret-password", is_worker=True, **fields)
        worker = Worker(site, username, account)
        worker.get("/sign-in/")
        worker.post("/sign-in/", username=username, password="secret-password")
        return worker

    return make


@pytest.fixture
def worker(make_worker):
    """A signed-in worker."""
    return make_worker()


@pytest.fixture
def submitted(requester, worker):
    """A HIT of one assignment that was handed in: (HITId, AssignmentId)."""
    hit = requester.hit()
    return hit["HITId"], worker.do(hit["HITId"])
