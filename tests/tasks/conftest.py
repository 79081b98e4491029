"""Where the published data lie, beside the project; tests that read them skip where they don't."""

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not SHARED_DATA.is_dir():
        pytest.skip(f"the published data are not at {SHARED_DATA}")
    return SHARED_DATA
