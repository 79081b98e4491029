"""Accounts for researchers and experts. Django's own table: no room of ours keeps people."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.utils.crypto import get_random_string

# Without letters and digits that look alike.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def make_account(*, username: str) -> tuple[Any, str]:
    """An account with a first password, to be handed over and changed. Staff, so that the expert's pages open;
    what it may see there is decided by its roles in projects alone."""
    password = "-".join(get_random_string(5, ALPHABET) for _ in range(4))
    user = get_user_model().objects.create_user(username, password=password, is_staff=True)
    return user, password
