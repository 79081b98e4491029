"""What `manage.py check` refuses of a configuration, most of it with `--deploy` only.

An error (E) is a mixture that loses work, money or secrets; a warning (W) is one that somebody may
want knowingly. Each says what was found, and its hint what to set instead.
"""

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from annotation.launch.accounts import STAFF, WORKERS

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "::1", ".localhost"}
AMAZON = "amazonaws.com"


def finding(kind: type[CheckMessage], number: int, message: str, hint: str) -> CheckMessage:
    letter = "E" if kind is Error else "W"
    return kind(message, hint=hint, id=f"crowdwright.{letter}{number}")


# --- What kind of installation this is ---


def public_hosts() -> list[str]:
    """The hosts that somebody outside this machine could call us by."""
    return [host for host in settings.ALLOWED_HOSTS if host not in LOCAL_HOSTS]


def is_production() -> bool:
    """A database of its own, or a name that the world can call: strangers will come."""
    return not settings.EMBEDDED or bool(public_hosts())


def has_remote_redis() -> bool:
    return bool(settings.REDIS_URL) and urlsplit(settings.REDIS_URL).hostname not in (*LOCAL_HOSTS, None)


def on_sqlite() -> bool:
    return settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"


def spends_real_money() -> bool:
    return settings.ALLOW_REAL_MONEY or urlsplit(settings.MTURK_ENDPOINT_URL).hostname in _amazon_hosts()


def _amazon_hosts() -> set[str | None]:
    return {urlsplit(place["endpoint"]).hostname for name, place in settings.MARKETPLACES.items() if name != "own"}


# --- Refused everywhere ---


@register()
def refuse_a_mixed_up_configuration(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Mistakes that are dangerous on any machine."""
    return list(_mixed_up())


def _mixed_up() -> Iterator[CheckMessage]:
    if settings.CELERY_TASK_ALWAYS_EAGER and not settings.TESTING:
        yield finding(
            Error,
            101,
            "CELERY_EAGER is on: every job would run inside a request, without a time limit.",
            "Unset CELERY_EAGER; `./crowdwright up` brings a broker and workers with it.",
        )
    if (urlsplit(settings.MTURK_ENDPOINT_URL).hostname or "").endswith(AMAZON):
        yield finding(
            Error,
            102,
            f"MTURK_ENDPOINT_URL is Amazon's ({settings.MTURK_ENDPOINT_URL}), but it is the address of the own "
            "marketplace, which counts as play money.",
            "Unset it, and give the project the environment mturk_sandbox or mturk_production.",
        )
    main, marketplace = os.environ.get("DATABASE_URL"), os.environ.get("MARKETPLACE_DATABASE_URL")
    if main and main == marketplace:
        yield finding(
            Error,
            103,
            "DATABASE_URL and MARKETPLACE_DATABASE_URL name the same database; the two sites have accounts of "
            "different kinds under the same table names.",
            "Give the marketplace a database of its own.",
        )


# --- Refused where strangers come ---


@register(Tags.security, deploy=True)
def refuse_secrets_and_debugging(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Keys that are not shared between machines, and pages that tell too much."""
    return list(_secrets_and_debugging())


def _secrets_and_debugging() -> Iterator[CheckMessage]:
    if settings.DEBUG and public_hosts():
        yield finding(
            Error,
            110,
            f"DEBUG is on and ALLOWED_HOSTS names {', '.join(public_hosts())}: error pages would show settings "
            "and answers to anybody.",
            "Unset DEBUG.",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield finding(Error, 111, "ALLOWED_HOSTS is *: any host name is believed.", "Name the hosts, with commas.")
    if not is_production():
        return
    for number, name, loss in [
        (112, "SECRET_KEY", "sessions and task links made by one machine are refused by the next"),
        (113, "PSEUDONYM_KEY", "the same worker gets another pseudonym on each machine"),
    ]:
        if not os.environ.get(name):
            yield finding(
                Error,
                number,
                f"{name} is the one made in {settings.HOME}/secrets: {loss}, and all is lost with that folder.",
                f"Set {name} to a long random text, the same on every machine, and keep a copy of it.",
            )


@register(Tags.database, deploy=True)
def refuse_stores_that_do_not_fit(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Database, broker and files must be reachable from every machine that is to use them."""
    return list(_stores())


def _stores() -> Iterator[CheckMessage]:
    if on_sqlite() and has_remote_redis():
        yield finding(
            Error,
            120,
            "The broker is on another machine (REDIS_URL), the database is an SQLite file on this one: workers "
            "elsewhere would find none of the work.",
            "Set DATABASE_URL (for the marketplace MARKETPLACE_DATABASE_URL) to a PostgreSQL database.",
        )
    elif on_sqlite() and is_production():
        yield finding(
            Warning,
            121,
            "The database is an SQLite file, but strangers can reach this site: one machine, one writer at a time.",
            "Set DATABASE_URL (for the marketplace MARKETPLACE_DATABASE_URL) to a PostgreSQL database.",
        )
    if settings.SITE == "main" and not settings.EMBEDDED and not settings.REDIS_URL:
        yield finding(
            Error,
            122,
            "DATABASE_URL is set and REDIS_URL is not: jobs would go to an embedded broker that only this machine has.",
            "Set REDIS_URL.",
        )
    if has_remote_redis() and not settings.RELEASE_STORAGE.startswith("s3://"):
        yield finding(
            Warning,
            123,
            f"RELEASE_STORAGE is the folder {settings.RELEASE_STORAGE}, and the broker is on another machine: a "
            "release that one machine builds is not seen by the others unless they share this folder.",
            "Set RELEASE_STORAGE to s3://BUCKET/PREFIX, or share the folder.",
        )
    if on_sqlite() and os.environ.get("SQLITE_SYNCHRONOUS", "FULL").upper() not in ("FULL", "EXTRA", "2", "3"):
        yield finding(
            Error if is_production() else Warning,
            124,
            "SQLITE_SYNCHRONOUS is less than FULL: work that a page calls saved can be lost in a power cut.",
            "Unset SQLITE_SYNCHRONOUS.",
        )


@register(Tags.security, deploy=True)
def refuse_careless_publishing(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """What workers and their money meet."""
    return list(_publishing())


def _publishing() -> Iterator[CheckMessage]:
    if settings.SITE != "main":
        return
    https = settings.TASK_URL.startswith("https://")
    if not https and spends_real_money():
        yield finding(
            Error,
            130,
            f"TASK_URL is {settings.TASK_URL}: Amazon takes only task pages with https, and browsers show no others.",
            "Set TASK_URL to the https address of the task pages, and HTTPS=true.",
        )
    elif not https and is_production():
        yield finding(
            Warning,
            131,
            f"TASK_URL is {settings.TASK_URL}: answers and sign-ins would travel readable for all on the way.",
            "Set TASK_URL to an https address, and HTTPS=true.",
        )
    task_host, market_host = urlsplit(settings.TASK_URL).hostname, urlsplit(settings.MTURK_ENDPOINT_URL).hostname
    if task_host == market_host:
        yield finding(
            Warning,
            132,
            f"The task pages and the marketplace are both at {task_host}: what a task page runs could act as the "
            "signed-in worker, and faults with cookies stay hidden.",
            "Give each a host name of its own (at home: localhost and 127.0.0.1).",
        )
    if is_production() and not settings.MTURK_ACCESS_KEY_ID:
        yield finding(
            Warning,
            133,
            "MTURK_ACCESS_KEY_ID is not set: nothing can be published.",
            "Make a key with `./crowdwright create_requester NAME` and set both parts of it.",
        )


@register(Tags.security, deploy=True)
def refuse_an_open_marketplace(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """The marketplace on its own: who may call it, who may join."""
    return list(_marketplace())


def _marketplace() -> Iterator[CheckMessage]:
    if settings.SITE != "marketplace" or not is_production():
        return
    if not settings.MARKETPLACE_VERIFY_SIGNATURES:
        yield finding(
            Error,
            140,
            "MARKETPLACE_VERIFY_SIGNATURES is off: whoever knows a key's public half can spend its money.",
            "Unset MARKETPLACE_VERIFY_SIGNATURES.",
        )
    if settings.MARKETPLACE_SIGN_UP == "open":
        yield finding(
            Warning,
            141,
            "MARKETPLACE_SIGN_UP is open: anybody can make any number of worker accounts.",
            "Set MARKETPLACE_SIGN_UP=invitation.",
        )


# --- Refused for what stands in the database ---


@register(Tags.database, deploy=True)
def refuse_what_the_database_holds(
    app_configs: Any, databases: list[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Asked with `--database default` only, as Django's own checks of a database are."""
    if not databases:
        return []
    return [*_demo_people(), *_real_money_projects()]


def _demo_people() -> Iterator[CheckMessage]:
    names = WORKERS if settings.SITE == "marketplace" else STAFF
    found = get_user_model().objects.filter(username__in=names, is_active=True)
    if is_production() and found.exists():
        listed = ", ".join(found.order_by("username").values_list("username", flat=True))
        yield finding(
            Warning,
            150,
            f"Accounts with the demo's names are here ({listed}), and strangers can reach this site.",
            "Delete them, or give them names and passwords of their own.",
        )


def _real_money_projects() -> Iterator[CheckMessage]:
    if settings.SITE != "main":
        return
    paid = [name for name, place in settings.MARKETPLACES.items() if place["real_money"]]
    projects = apps.get_model("projects", "Project").objects.filter(environment__in=paid).exclude(state="closed")
    slugs = ", ".join(projects.order_by("slug").values_list("slug", flat=True)[:5])
    if slugs and not settings.ALLOW_REAL_MONEY:
        yield finding(
            Error,
            151,
            f"Projects that pay real money ({slugs}) could neither publish nor pay: ALLOW_REAL_MONEY is off.",
            "Set ALLOW_REAL_MONEY=true once their quotes are right, or close them.",
        )
    if slugs and not settings.TASK_URL.startswith("https://"):
        yield finding(
            Error,
            152,
            f"Projects on Amazon's marketplace ({slugs}) have task pages at {settings.TASK_URL}; only https is shown.",
            "Set TASK_URL to the https address of the task pages, and HTTPS=true.",
        )
