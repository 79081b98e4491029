"""Accounts for researchers and experts, and their places in projects. People are kept in Django's own table."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from annotation.projects.actions import Refused, add_member
from annotation.projects.models import Project

# Without letters and digits that look alike.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def account_called(username: str) -> Any:
    """The account of this name, if there is one, in whichever of Unicode's ways it is written."""
    users = get_user_model().objects
    return users.filter(username=users.model.normalize_username(username)).first()


@transaction.atomic
def add_person(*, project: Project, username: str, role: str) -> tuple[Any, str]:
    """Gives the person of this name a role in a project; makes their account where there is none.

    Gives the account, and the first password of a new one, to be handed over and changed. It is staff, so that
    the expert's pages open; what it may see there is decided by its roles in projects alone.
    """
    user, password = account_called(username), ""
    if user is None:
        password = "-".join(get_random_string(5, ALPHABET) for _ in range(4))
        user = _make_account(username, password)
    add_member(project=project, user=user, role=role)
    return user, password


def _make_account(username: str, password: str) -> Any:
    try:
        with transaction.atomic():
            return get_user_model().objects.create_user(username, password=password, is_staff=True)
    except IntegrityError:  # made by somebody else in this moment
        raise Refused(f"there is an account {username!r} by now: look again") from None
