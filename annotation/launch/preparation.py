"""What is done before the children start: databases, files, the marketplace's side."""

import os
import subprocess
import sys

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotation.hits.models import HIT
from annotation.launch.accounts import CommandFailed
from annotation.projects.models import Project

DEMO_SLUG = "demo"


def migrate_both(environment: dict[str, str], *, own_marketplace: bool) -> None:
    """Bring the tables of both sites up to date. Raises CommandFailed with the marketplace's own words."""
    other = _start_marketplace_migration(environment) if own_marketplace else None
    try:
        migrate_main()
    finally:
        said = other.communicate()[0] if other else ""
    if other and other.returncode:
        raise CommandFailed(f"the marketplace's tables could not be made:\n{said.strip()}")


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
    """Whether there is nothing here yet, or a demo that was not finished."""
    return not Project.objects.exclude(slug=DEMO_SLUG).exists() and not HIT.objects.exists()


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
