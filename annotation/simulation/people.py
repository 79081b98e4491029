"""Accounts of simulated people: passwords that nobody else can know, and experts who may review one project."""

from __future__ import annotations

import secrets

from django.contrib.auth import get_user_model
from django.utils.crypto import salted_hmac

from annotation.projects.actions import add_member
from annotation.projects.models import Membership, Project


def worker_password(name: str) -> str:
    """The same for a name whenever this installation simulates it, so that it can sign in again."""
    return salted_hmac("annotation.simulation.worker", name, algorithm="sha256").hexdigest()[:32]


def hire_expert(*, project: Project, name: str) -> str:
    """A reviewer's account for one run: gives its new password. `let_go` closes it again."""
    user, _ = get_user_model().objects.get_or_create(username=name, defaults={"is_staff": True})
    password = secrets.token_urlsafe(24)
    user.set_password(password)
    user.is_active = user.is_staff = True
    user.save()
    add_member(project=project, user=user, role=Membership.Role.REVIEWER)
    return password


def let_go(*, name: str) -> None:
    """Nobody can sign in by this name any more; what it reviewed stays."""
    user = get_user_model().objects.get(username=name)
    user.set_unusable_password()
    user.is_active = False
    user.save()
