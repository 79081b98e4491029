"""How people come to have accounts: signing up, invited or not."""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import transaction

from annotation.marketplace import clock, requirements
from annotation.marketplace.errors import Refusal
from annotation.marketplace.models import Account, Invitation, SystemValue


def sign_up(*, username: str, password: str, country: str = "", invitation: str = "") -> Account:
    """Make an account in the role of the invitation, using it up, or a worker's where there is none."""
    username = Account.normalize_username(username)
    hashed = make_password(password)  # takes long on purpose, and so must not while the database is held
    return _sign_up(username, hashed, country, invitation)


@transaction.atomic
def _sign_up(username: str, hashed: str, country: str, invitation: str) -> Account:
    invited = Invitation.objects.select_for_update().filter(code=invitation, used_by__isnull=True).first()
    if invitation and invited is None:  # somebody was quicker with the same code
        raise Refusal("This invitation code is not known or was used.", "PermissionDenied")
    role = invited.role if invited else "worker"
    account = Account.objects.create(
        username=username,
        display_name=username,
        password=hashed,
        is_worker=role == "worker",
        is_requester=role == "requester",
        consented_at=clock.now(),
    )
    if invited:
        invited.used_by = account
        invited.save(update_fields=["used_by"])
    if country:
        SystemValue.objects.create(worker=account, qualification_type_id=requirements.LOCALE, country=country.upper())
    return account


def invite(*, role: str = "worker", note: str = "") -> Invitation:
    """Make a code that lets one person sign up."""
    return Invitation.objects.create(code=secrets.token_urlsafe(12), role=role, note=note)
