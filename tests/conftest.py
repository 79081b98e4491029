"""What tests of several rooms share: real services, started once a session and only where asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

if os.environ.get("CROWDWRIGHT_SITE", "main") == "main":
    from annotation.providers import mturk
    from tests.services import Marketplace, Wire


# These folders share services that take seconds to start: each stays in one process where several run the tests.
KEPT_TOGETHER = ("flows", "browser")
SLOW = ("flows", "browser", "launch")
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """For `-n` of pytest-xdist: what must run in one process (a file, or a whole folder), and what had better begin."""
    if not config.getoption("numprocesses", None) and not os.environ.get("PYTEST_XDIST_WORKER"):
        return
    here = Path(__file__).parent
    folder_of = {item: item.path.relative_to(here).parts[0] for item in items}
    for item, folder in folder_of.items():
        group = folder if folder in KEPT_TOGETHER else item.path.relative_to(here).as_posix()
        item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: SLOW.index(folder_of[item]) if folder_of[item] in SLOW else len(SLOW))


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
