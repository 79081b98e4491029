"""The marketplace over real HTTP, with unmodified boto3 as requester and a plain HTTP client as worker."""

import os

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.test import TransactionTestCase

from tests.marketplace.people import Requester, Worker, client_for, close_clients

# These tests are for the marketplace's own site; the main site's run passes them by.
# Not `localhost`, which is the task pages' site.
os.environ.setdefault("DJANGO_LIVE_TEST_SERVER_ADDRESS", "127.0.0.1")
collect_ignore_glob = [] if settings.SITE == "marketplace" else ["*"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """A file instead of memory, so that the server's threads have connections of their own."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(settings.HOME / f"test-marketplace-{os.getpid()}.sqlite3")


@pytest.fixture(autouse=True, scope="session")
def _nobody_left(django_db_setup, django_db_blocker):
    """PostgreSQL drops no database that somebody uses, as a thread of the server that is about to end may."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True, scope="session")
def _quick_emptying():
    """Empty the tables that were written to, instead of all of them and their files, after each test.

    The server's threads need committed rows, so these tests can't be rolled back.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda test: empty_tables())
        yield


def empty_tables() -> None:
    """Delete all rows that the migrations did not make. Foreign keys are checked at the end only."""
    models = apps.get_models(include_auto_created=True)
    tables = [model._meta.db_table for model in models if model not in (ContentType, Permission)]
    quoted = [connection.ops.quote_name(table) for table in tables]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {name})" for name in quoted))
        for name, filled in zip(quoted, cursor.fetchone(), strict=True):
            if filled:
                cursor.execute(f"DELETE FROM {name}")


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _as_at_home(settings):
    """The same rules whatever database the tests run on; a test that is about the rules of production sets them."""
    settings.MARKETPLACE_VERIFY_SIGNATURES = False
    settings.MARKETPLACE_SIGN_UP = "open"
    settings.MARKETPLACE_NOTIFY_INSIDE = True


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

    yield make
    close_clients()


@pytest.fixture
def requester(make_requester):
    """A requester with $100.00."""
    return make_requester()


@pytest.fixture
def make_worker(site):
    """Makes signed-in workers."""
    made: list[Worker] = []

    def make(username: str = "anna", **fields: object) -> Worker:
        from annotation.marketplace.models import Account

        account = Account.objects.create_user(username, "secret-password", is_worker=True, **fields)
        worker = Worker(site, username, account)
        worker.get("/sign-in/")
        worker.post("/sign-in/", username=username, password="secret-password")
        made.append(worker)
        return worker

    yield make
    for worker in made:
        worker.session.close()


@pytest.fixture
def worker(make_worker):
    """A signed-in worker."""
    return make_worker()


@pytest.fixture
def submitted(requester, worker):
    """A HIT of one assignment that was handed in: (HITId, AssignmentId)."""
    hit = requester.hit()
    return hit["HITId"], worker.do(hit["HITId"])
