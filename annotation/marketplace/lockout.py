"""After ten wrong passwords for a name from one address, that door stays shut for a quarter of an hour.

Counted by name and address together, as on the main site: nobody can shut out somebody else. The count lies
in the database, so all processes of the site agree on it.
"""

import hashlib
import unicodedata
from datetime import timedelta

from django.db.models import F

from annotation.marketplace import clock
from annotation.marketplace.models import WrongPasswords

MOST, COOL_OFF = 10, timedelta(minutes=15)


def _hash(name: str, address: str) -> str:
    # As the account will be looked up: spelled another way it is the same name.
    plain = unicodedata.normalize("NFKC", name.strip()).casefold()
    return hashlib.sha256(f"{address}\n{plain}".encode(errors="replace")).hexdigest()


def _recent(name: str, address: str):
    return WrongPasswords.objects.filter(name_hash=_hash(name, address), since__gt=clock.now() - COOL_OFF)


def is_shut(name: str, address: str) -> bool:
    """Whether too many passwords for this name were wrong."""
    return _recent(name, address).filter(times__gte=MOST).exists()


def note_wrong(name: str, address: str) -> None:
    """Count one wrong password; what is too old to count is forgotten."""
    WrongPasswords.objects.filter(since__lte=clock.now() - COOL_OFF).delete()
    WrongPasswords.objects.get_or_create(name_hash=_hash(name, address))
    _recent(name, address).update(times=F("times") + 1)


def forget(name: str, address: str) -> None:
    """The right password came."""
    WrongPasswords.objects.filter(name_hash=_hash(name, address)).delete()
