"""Whether what projects search is where it should be: asked by `manage.py check` and when `up` starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

from annotation.launch.checks import finding, has_remote_redis


@register()
def refuse_a_search_server_that_is_none(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """SEARCH_URL is an address, or nothing."""
    if settings.SITE != "main" or not settings.SEARCH_URL:
        return []
    parts = urlsplit(settings.SEARCH_URL)
    if parts.scheme in ("http", "https") and parts.hostname:
        return []
    return [
        finding(
            Error,
            160,
            f"SEARCH_URL is no address of a server (found the scheme {parts.scheme!r}).",
            "Set it to http(s)://USER:PASSWORD@HOST:9200, or unset it for the embedded index.",
        )
    ]


@register(Tags.database, deploy=True)
def refuse_corpora_that_can_not_be_searched(
    app_configs: Any, databases: list[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Asked with `--database default` only, as Django's own checks of a database are."""
    return list(problems()) if databases and settings.SITE == "main" else []


def problems() -> Iterator[CheckMessage]:
    """What stands between the open projects' workers and their texts."""
    from annotation.corpus import queries
    from annotation.corpus.models import Corpus
    from annotation.projects.models import Project, Stage
    from tasks import registry

    standing = Project.objects.exclude(state=Project.State.CLOSED)
    used = list(Corpus.objects.filter(projects__in=standing).distinct())
    for corpus in used:
        if not queries.is_searchable(corpus):
            slugs = ", ".join(standing.filter(corpus=corpus).order_by("slug").values_list("slug", flat=True))
            yield finding(
                Error,
                161,
                f"The index of corpus {corpus} is missing or its server does not answer ({corpus.backend}): workers "
                f"of {slugs} can't search.",
                f"Import its files again: ./crowdwright corpus import {corpus.name} {' '.join(corpus.files[:3])}",
            )
    if has_remote_redis() and any(corpus.backend == Corpus.Backend.EMBEDDED for corpus in used):
        yield finding(
            Warning,
            162,
            f"Corpora are in the folder {settings.CORPORA}, and the broker is on another machine: only machines that "
            "have this folder can answer searches.",
            "Share the folder, or set SEARCH_URL and import the corpora again.",
        )
    searching = [name for name, kind in registry.task_types().items() if kind.searches_corpus]
    without = Stage.objects.filter(project__in=standing, project__corpus=None, task_type__in=searching)
    if slugs := sorted(set(without.values_list("project__slug", flat=True))):
        yield finding(
            Warning,
            163,
            f"Pages of {', '.join(slugs[:5])} search a corpus, and the project has none.",
            f"Give it one: ./crowdwright corpus use {slugs[0]} NAME",
        )
