"""After ten wrong passwords for a name, its door stays shut for a quarter of an hour.

The count lies in the database, so all processes of the site agree on it.
"""

import hashlib
from datetime import timedelta

from django.db.models import F

from annotation.marketplace import clock
from annotation.marketplace.models import WrongPasswords

MOST, COOL_OFF = 10, timedelta(minutes=15)


def _hash(name: str) -> str:
    return hashlib.sha256(name.lower().encode(errors="replace")).hexdigest()


def _recent(name: str):
    return WrongPasswords.objects.filter(name_hash=_hash(name), since__gt=clock.now() - COOL_OFF)


def is_shut(name: str) -> bool:
    """Whether too many passwords for this name were wrong."""
    return _recent(name).filter(times__gte=MOST).exists()


def note_wrong(name: str) -> None:
    """Count one wrong password; what is too old to count is forgotten."""
    WrongPasswords.objects.filter(since__lte=clock.now() - COOL_OFF).delete()
    WrongPasswords.objects.get_or_create(name_hash=_hash(name))
    _recent(name).update(times=F("times") + 1)


def forget(name: str) -> None:
    """The right password came."""
    WrongPasswords.objects.filter(name_hash=_hash(name)).delete()
