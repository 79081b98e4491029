"""`manage.py check --deploy`: each dangerous mixture is refused, and neither home nor a sound production is."""

import os
import subprocess
import sys

import pytest
from django.core import checks
from django.core.checks.registry import registry

from annotation.launch import checks as ours
from tests.services import ROOT

SOUND = {
    "EMBEDDED": False,
    "DEBUG": False,
    "ALLOWED_HOSTS": ["crowd.example.org"],
    "REDIS_URL": "redis://redis.example.org:6379/0",
    "TASK_URL": "https://crowd.example.org",
    "MTURK_ENDPOINT_URL": "https://market.example.org",
    "MTURK_ACCESS_KEY_ID": "KEY",
    "RELEASE_STORAGE": "s3://releases/crowd",
    "MARKETPLACE_VERIFY_SIGNATURES": True,
    "MARKETPLACE_SIGN_UP": "invitation",
    "CELERY_TASK_ALWAYS_EAGER": False,
    "SITE": "main",
}
HOME = {
    "EMBEDDED": True,
    "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"],
    "on_sqlite": True,
    "REDIS_URL": "",
    "TASK_URL": "http://localhost:8000",
    "MTURK_ENDPOINT_URL": "http://127.0.0.1:8001",
    "MTURK_ACCESS_KEY_ID": "",
    "RELEASE_STORAGE": "/var/releases",
    "MARKETPLACE_VERIFY_SIGNATURES": False,
    "MARKETPLACE_SIGN_UP": "open",
}
SECRETS = {"SECRET_KEY": "s" * 60, "PSEUDONYM_KEY": "p" * 60}
READ_FROM_THE_ENVIRONMENT = [*SECRETS, "SQLITE_SYNCHRONOUS", "DATABASE_URL", "MARKETPLACE_DATABASE_URL"]


@pytest.fixture
def found(settings, monkeypatch):
    """The ids of our findings for a configuration that differs from a sound production in what is given."""

    def check(
        environment: dict | None = None, databases: list[str] | None = None, on_sqlite: bool = False, **changes
    ) -> set[str]:
        # The database that the tests run on is what it is.
        monkeypatch.setattr(ours, "on_sqlite", lambda: on_sqlite)
        for name in READ_FROM_THE_ENVIRONMENT:
            monkeypatch.delenv(name, raising=False)
        for name, value in (SECRETS if environment is None else environment).items():
            monkeypatch.setenv(name, value)
        for name, value in {**SOUND, **changes}.items():
            setattr(settings, name, value)
        functions = [
            function
            for function in registry.get_checks(include_deployment_checks=True)
            if function.__module__ == ours.__name__
        ]
        messages = [message for function in functions for message in function(app_configs=None, databases=databases)]
        assert all(message.hint for message in messages)
        return {message.id for message in messages}

    return check


def test_a_sound_production_passes(found):
    assert found() == set()
    assert found(SITE="marketplace") == set()


def test_the_embedded_set_up_at_home_passes(found):
    assert found(**HOME, environment={}) == set()
    assert found(**HOME, environment={}, SITE="marketplace") == set()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"CELERY_TASK_ALWAYS_EAGER": True, "TESTING": False}, "crowdwright.E101"),
        (
            {"MTURK_ENDPOINT_URL": "https://mturk-requester.us-east-1.amazonaws.com"},
            "crowdwright.E102",
        ),
        ({"DEBUG": True}, "crowdwright.E110"),
        ({"ALLOWED_HOSTS": ["*"]}, "crowdwright.E111"),
        ({"environment": {"PSEUDONYM_KEY": "p"}}, "crowdwright.E112"),
        ({"environment": {"SECRET_KEY": "s"}}, "crowdwright.E113"),
        ({"on_sqlite": True}, "crowdwright.E120"),
        ({"on_sqlite": True, "EMBEDDED": True, "REDIS_URL": ""}, "crowdwright.W121"),
        ({"REDIS_URL": ""}, "crowdwright.E122"),
        ({"RELEASE_STORAGE": "/var/releases"}, "crowdwright.W123"),
        ({"TASK_URL": "http://crowd.example.org", "ALLOW_REAL_MONEY": True}, "crowdwright.E130"),
        ({"TASK_URL": "http://crowd.example.org"}, "crowdwright.W131"),
        ({"MTURK_ENDPOINT_URL": "https://crowd.example.org/market"}, "crowdwright.W132"),
        ({"MTURK_ACCESS_KEY_ID": ""}, "crowdwright.W133"),
        ({"SITE": "marketplace", "MARKETPLACE_VERIFY_SIGNATURES": False}, "crowdwright.E140"),
        ({"SITE": "marketplace", "MARKETPLACE_SIGN_UP": "open"}, "crowdwright.W141"),
    ],
)
def test_one_change_for_the_worse_is_found_by_its_name(found, changes, expected):
    assert found(**changes) == {expected}


def test_both_sites_in_one_database_are_refused(found):
    same = {"DATABASE_URL": "postgres://db/crowd", "MARKETPLACE_DATABASE_URL": "postgres://db/crowd"}
    assert found(environment=SECRETS | same) == {"crowdwright.E103"}
    other = {**same, "MARKETPLACE_DATABASE_URL": "postgres://db/market"}
    assert found(environment=SECRETS | other) == set()


def test_less_careful_writing_is_a_warning_at_home_and_an_error_where_strangers_come(found):
    careless = {"SQLITE_SYNCHRONOUS": "NORMAL"}
    assert found(**HOME, environment=careless) == {"crowdwright.W124"}
    public = {**HOME, "ALLOWED_HOSTS": ["crowd.example.org"], "TASK_URL": "https://crowd.example.org"}
    assert "crowdwright.E124" in found(**public, environment=SECRETS | careless)


@pytest.mark.django_db
def test_accounts_of_the_demo_are_found_where_strangers_come(found, django_user_model):
    django_user_model.objects.create_user("expert", password="known-to-some")
    assert found(databases=["default"]) == {"crowdwright.W150"}
    assert found(databases=None) == set()
    assert found(databases=["default"], **HOME, environment={}) == set()


@pytest.mark.django_db
def test_accounts_with_other_names_or_locked_ones_are_not_found(found, django_user_model):
    django_user_model.objects.create_user("ada", password="known-to-none")
    django_user_model.objects.create_user("owner", password="known-to-some", is_active=False)
    assert found(databases=["default"]) == set()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "changes", "expected"),
    [
        ("open", {}, {"crowdwright.E151"}),
        ("open", {"ALLOW_REAL_MONEY": True}, set()),
        (
            "open",
            {"ALLOW_REAL_MONEY": True, "TASK_URL": "http://crowd.example.org"},
            {"crowdwright.E130", "crowdwright.E152"},
        ),
        ("closed", {}, set()),
    ],
)
def test_projects_that_pay_real_money_need_the_switch_and_https(found, state, changes, expected):
    from annotation.projects.models import Project

    Project.objects.create(slug="paid", name="Paid", pipeline="arc_da", environment="mturk_production", state=state)
    assert found(databases=["default"], **changes) == expected


def test_check_deploy_runs_ours_and_plain_check_only_those_that_hold_everywhere():
    everywhere = set(registry.get_checks())
    deployed = set(registry.get_checks(include_deployment_checks=True))
    assert ours.refuse_a_mixed_up_configuration in everywhere
    assert ours.refuse_careless_publishing in deployed - everywhere


def test_messages_are_shown_by_the_command(settings):
    settings.CELERY_TASK_ALWAYS_EAGER, settings.TESTING = True, False
    assert "crowdwright.E101" in [message.id for message in checks.run_checks()]


def test_the_command_itself_refuses_a_dangerous_mixture_in_words(tmp_path):
    """SQLite here, the broker elsewhere, DEBUG before strangers, jobs in requests: none of it may start."""
    dangerous = {
        "CROWDWRIGHT_HOME": str(tmp_path),
        "REDIS_URL": "redis://redis.example.org:6379/0",
        "ALLOWED_HOSTS": "crowd.example.org",
        "DEBUG": "1",
        "CELERY_EAGER": "1",
    }
    here = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    ran = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"],
        cwd=ROOT,
        env=here | dangerous,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    for number in ("E101", "E110", "E112", "E113", "E120"):
        assert f"crowdwright.{number}" in ran.stderr
    assert "Set DATABASE_URL" in ran.stderr
