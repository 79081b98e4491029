"""What the tests of releases share: a place for them, and a project that is filled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotation.projects.models import Project
from annotation.releases import actions
from annotation.releases.models import Release
from annotation.review.models import Outcome
from tests.annotation.releases.filling import fill


@pytest.fixture(autouse=True)
def storage(settings, tmp_path: Path) -> Path:
    """Releases lie in a folder of the test's own, and name a code version that no commit changes."""
    settings.RELEASE_STORAGE = str(tmp_path / "releases")
    settings.CODE_VERSION = "0" * 40
    return tmp_path / "releases"


@pytest.fixture(autouse=True)
def _one_code_version(storage) -> Iterator[None]:
    from annotation.releases import building

    building.code_version.cache_clear()
    yield
    building.code_version.cache_clear()


@pytest.fixture
def project(db) -> Project:
    return fill()


@pytest.fixture
def release(project: Project) -> Release:
    return actions.build(project=project, created_by="user:1")


@pytest.fixture
def reword() -> Callable[[Project, str], str]:
    """Rewords the question of one accepted item; gives its key."""

    def change(project: Project, text: str) -> str:
        outcome = Outcome.objects.filter(project=project, state="accepted").order_by("item__id").first()
        outcome.final = outcome.final | {"question": text}
        outcome.save(update_fields=["final"])
        return outcome.item.key

    return change


def lines(path: Path) -> Iterator[dict]:
    return map(json.loads, path.read_text("utf-8").splitlines())
