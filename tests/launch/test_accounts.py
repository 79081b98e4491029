"""The demo's people: what an earlier start kept is used, and what it only began is made again."""

import json

import pytest

from annotation.launch import accounts


@pytest.fixture
def home(tmp_path, settings, monkeypatch):
    settings.HOME = tmp_path
    monkeypatch.delenv("MTURK_ACCESS_KEY_ID", raising=False)
    (tmp_path / "secrets").mkdir()
    return tmp_path


@pytest.fixture
def marketplace(monkeypatch):
    """The marketplace's commands, which print a new key each time."""
    asked = []

    def answer(environment, *arguments):
        asked.append(arguments)
        return json.dumps({"access_key_id": f"CW{len(asked)}", "secret_access_key": "secret"})

    monkeypatch.setattr(accounts, "on_marketplace", answer)
    return asked


def test_the_key_to_the_marketplace_is_made_once(home, marketplace):
    first = accounts.requester_key({})
    assert accounts.requester_key({}) == first
    assert len(marketplace) == 1
    assert accounts.requester_file().stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("left", ["", "{", '{"access_key_id": "CW0"}', "[]", "null"])
def test_a_key_that_an_earlier_start_did_not_finish_writing_is_made_again(home, marketplace, left):
    accounts.requester_file().write_text(left)
    assert accounts.requester_key({}).access_key_id == "CW1"
    assert accounts.requester_key({}).access_key_id == "CW1"


def test_so_is_the_demos_password(home):
    (home / "secrets" / "demo-password").touch()
    made = accounts.demo_password()
    assert len(made) == 14
    assert accounts.demo_password() == made


def test_a_marketplace_that_prints_no_key_is_told_of_in_words(home, monkeypatch):
    monkeypatch.setattr(accounts, "on_marketplace", lambda environment, *arguments: "Welcome!")
    with pytest.raises(accounts.CommandFailed, match="printed no key"):
        accounts.requester_key({})
