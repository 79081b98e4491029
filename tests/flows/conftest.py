from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.conftest import chromium  # noqa: F401 - a fixture
from tests.flows.service import Service, running


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Broker, marketplace, web, jobs and clock, started as `up` starts them. They end with this folder's tests: their
    clock carries every project on each second, which other tests had better not wait for."""
    with running(tmp_path_factory.mktemp("flow")) as started:
        yield started
