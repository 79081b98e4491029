"""What is done before the children start: databases, files, the marketplace's side."""

import os
import subprocess
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.hits.models import HIT
from annotation.launch import accounts
from annotation.launch.accounts import CommandFailed
from annotation.projects.models import Project
from tasks.simulation import demos


def forget_a_lost_marketplace() -> None:
    """Where the marketplace's file was deleted for a fresh start, what was noted of it is no longer true."""
    if not os.environ.get("MARKETPLACE_DATABASE_URL") and not (settings.HOME / "marketplace.sqlite3").exists():
        for path in (accounts.requester_file(), accounts.workers_mark(), marketplace_mark()):
            path.unlink(missing_ok=True)


def migrate_both(environment: dict[str, str], *, own_marketplace: bool) -> None:
    """Bring the tables of both sites up to date. Raises CommandFailed with the marketplace's own words."""
    needed = own_marketplace and not _marketplace_is_up_to_date()
    other = _start_marketplace_migration(environment) if needed else None
    try:
        migrate_main()
    finally:
        said = other.communicate()[0] if other else ""
    if other and other.returncode:
        raise CommandFailed(f"the marketplace's tables could not be made:\n{said.strip()}")
    if other:
        marketplace_mark().write_text(_marketplace_tables())


def marketplace_mark() -> Path:
    """Says up to which migrations the marketplace's embedded database was brought; gone when that is gone."""
    return settings.HOME / "run" / "marketplace-tables"


def _marketplace_is_up_to_date() -> bool:
    """Asked of a file: a process with the marketplace's settings takes a second to say so."""
    if os.environ.get("MARKETPLACE_DATABASE_URL"):
        return False
    mark = marketplace_mark()
    return mark.exists() and mark.read_text() == _marketplace_tables()


def _marketplace_tables() -> str:
    migrations = (settings.BASE_DIR / "annotation" / "marketplace" / "migrations").glob("[0-9]*.py")
    return "\n".join([django.__version__, *sorted(path.name for path in migrations)])


def migrate_main() -> None:
    """Migrate this site; nothing to do costs only a look."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


def _start_marketplace_migration(environment: dict[str, str]) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--verbosity", "0", "--no-input"],
        env={**os.environ, **environment, "CROWDWRIGHT_SITE": "marketplace"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def demo_is_wanted() -> bool:
    """Whether there is nothing here yet, or demos that were not finished."""
    slugs = {demo.slug for demo in demos().values()}
    offered = set(HIT.objects.order_by().values_list("project__slug", flat=True).distinct())
    return not Project.objects.exclude(slug__in=slugs).exists() and offered != slugs


def collect_static(environment: dict[str, str], *, own_marketplace: bool) -> None:
    """Copy the static files where a production configuration serves them from; the embedded one needs no copy."""
    if settings.WHITENOISE_USE_FINDERS:
        return
    for site in ["main", *(["marketplace"] if own_marketplace else [])]:
        subprocess.run(
            [sys.executable, str(settings.BASE_DIR / "manage.py"), "collectstatic", "--no-input", "--verbosity", "0"],
            env={**os.environ, **environment, "CROWDWRIGHT_SITE": site},
            check=True,
        )
