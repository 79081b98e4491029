"""What tests of several rooms share: real services, started once a session and only where asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as drawing

if os.environ.get("CROWDWRIGHT_SITE", "main") == "main":
    from annotation.providers import mturk
    from tests.services import Marketplace, Wire


# How fast cases are drawn and tried says how busy the machine is, and nothing of what is tested.
drawing.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
drawing.load_profile("unhurried")

# These folders share services that take seconds to start: each stays in one process where several run the tests.
KEPT_TOGETHER = ("flows", "browser")
SLOW = ("flows", "browser", "launch")
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def folder_of(path: str) -> str:
    """The folder of a test's file below `tests/`; the file itself where it lies in none."""
    return path.partition("tests/")[2].partition("/")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """For `-n` of pytest-xdist: what runs in one process is a file's tests, or a whole folder's."""
    from xdist.scheduler import LoadScopeScheduling

    class TogetherScheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return folder_of(file) if folder_of(file) in KEPT_TOGETHER else file

    return TogetherScheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest had better begin, where several processes run the tests."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        place = {folder: number for number, folder in enumerate(SLOW)}
        items.sort(key=lambda item: place.get(folder_of(item.nodeid), len(SLOW)))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The published datasets, where they lie beside the project."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"the published data are not at {SHARED_DATA}")
    return SHARED_DATA


@pytest.fixture(scope="session")
def marketplace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Marketplace]:
    """The real marketplace, in a process and a folder of its own."""
    service = Marketplace(tmp_path_factory.mktemp("marketplace"))
    yield service
    service.stop()


@pytest.fixture
def wire(marketplace: Marketplace) -> Iterator[Wire]:
    """A wire to the marketplace that can be made to break."""
    proxy = Wire(marketplace.endpoint)
    yield proxy
    proxy.stop()


@pytest.fixture
def own_market(settings, marketplace: Marketplace, wire: Wire) -> Iterator[Marketplace]:
    """The environment "own" leads through `wire` to the real marketplace."""
    settings.MARKETPLACES = {
        **settings.MARKETPLACES,
        "own": {"endpoint": wire.endpoint, "submit_hosts": [marketplace.endpoint], "real_money": False},
    }
    settings.MTURK_ACCESS_KEY_ID = marketplace.access_key_id
    settings.MTURK_SECRET_ACCESS_KEY = marketplace.secret_access_key
    settings.MTURK_READ_TIMEOUT = 1
    mturk.connect.cache_clear()
    yield marketplace
    mturk.connect.cache_clear()
