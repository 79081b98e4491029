"""What settings make for themselves, and what holds of them on any machine."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings as given

from annotation import settings


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)
    return tmp_path


def test_a_secret_is_made_once_for_its_owner_alone(home):
    made = settings.secret_from_home("some-key")
    path = home / "secrets" / "some-key"
    assert path.read_text() == made
    assert len(made) >= 50
    assert path.stat().st_mode & 0o777 == 0o600
    assert settings.secret_from_home("some-key") == made


def test_a_start_that_was_cut_short_leaves_no_secret_that_stops_the_next(home):
    (home / "secrets").mkdir()
    (home / "secrets" / "some-key").touch()
    (home / "secrets" / "some-key.new").write_text("half")
    made = settings.secret_from_home("some-key")
    assert len(made) >= 50
    assert settings.secret_from_home("some-key") == made


def test_all_that_start_at_once_have_the_same_secret(home):
    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(settings.secret_from_home, ["some-key"] * 64))) == 1


def test_a_connection_that_was_closed_meanwhile_is_opened_anew():
    assert given.DATABASES["default"]["CONN_HEALTH_CHECKS"] is True
