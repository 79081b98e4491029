import functools
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tests.factories import make_item, make_project, make_user


@pytest.fixture(autouse=True)
def nothing_remembered():
    cache.clear()


@pytest.fixture
def project(db):
    return make_project("forces", name="Forces", budget_cap_cents=100_000)


@pytest.fixture
def people(project):
    """An owner, a researcher and a reviewer of the project, and a stranger who owns another one."""
    stranger = make_user("stranger")
    make_user("somebody", project=make_project("elsewhere"), role="owner")
    return SimpleNamespace(
        owner=make_user("owner", project=project, role="owner"),
        researcher=make_user("researcher", project=project, role="researcher"),
        reviewer=make_user("reviewer", project=project, role="reviewer"),
        stranger=stranger,
    )


@pytest.fixture
def browse(people):
    """A browser session of a person: `browse("owner").get(…)`."""

    @functools.cache
    def session(name: str) -> Client:
        client = Client()
        client.force_login(getattr(people, name))
        return client

    return session


@pytest.fixture
def call(people):
    """An API client with a person's token: `call("owner").get(…)`."""

    @functools.cache
    def client(name: str) -> APIClient:
        api = APIClient()
        token, _ = Token.objects.get_or_create(user=getattr(people, name))
        api.credentials(HTTP_AUTHORIZATION=f"Token {token.key}")
        return api

    return client


@pytest.fixture
def items(project):
    return [make_item(project, f"question-{number}") for number in range(1, 8)]
