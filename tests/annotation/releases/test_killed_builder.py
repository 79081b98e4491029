"""A builder that dies, wherever, leaves no half release listed, and nothing in the way of the next."""

import pytest

from tests.annotation.releases.test_same_bytes import run


@pytest.mark.timeout(600)
def test_no_half_release_is_ever_listed(tmp_path):
    run(tmp_path, "fill", "3")
    left = run(tmp_path, "kill", "17")
    assert left["deaths"] >= 20, "the builder did little that could be cut off"
    assert left["problems"] == []
    assert left["unlisted"] == []
    assert left["workspaces_left"] == []
    assert "building" not in left["states"], "an ordered release was forgotten"
