"""Access keys whose secret is nowhere in the database.

A signature can only be checked by someone who knows the secret. So the secret is derived from the
site's own key and a random salt: the row holds the salt and a hash, the secret is shown once and
worked out again when a signature has to be checked. A stolen database signs nothing.
"""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass

from django.conf import settings

from annotation.marketplace import clock
from annotation.marketplace.models import AccessKey, Account


@dataclass(frozen=True)
class NewKey:
    """A key as shown once to its owner."""

    access_key_id: str
    secret_access_key: str


def _derived(key_id: str, salt: str) -> str:
    digest = hmac.new(settings.SECRET_KEY.encode(), f"access-key:{key_id}:{salt}".encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()[:40]


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def create_key(*, account: Account) -> NewKey:
    """Give a requester a new key."""
    key = AccessKey(account=account, salt=secrets.token_hex(16))
    secret = _derived(key.key_id, key.salt)
    key.secret_hash = _hash(secret)
    key.save()
    return NewKey(key.key_id, secret)


def revoke_key(*, key: AccessKey) -> None:
    """Make a key useless."""
    key.revoked_at = clock.now()
    key.save(update_fields=["revoked_at"])


def secret_of(key: AccessKey) -> str | None:
    """The secret of a stored key; none when the site's own key has changed since."""
    secret = _derived(key.key_id, key.salt)
    return secret if hmac.compare_digest(_hash(secret), key.secret_hash) else None
