"""Ids in the shapes that MTurk's clients expect: unguessable, upper case, of a known length."""

import secrets
import string

ALPHABET = string.ascii_uppercase + string.digits


def entity_id() -> str:
    """30 characters for a HIT, assignment, HIT type, group, qualification type or request."""
    return "3" + "".join(secrets.choice(ALPHABET) for _ in range(29))


def customer_id() -> str:
    """14 characters starting with A for a worker or requester."""
    return "A" + "".join(secrets.choice(ALPHABET) for _ in range(13))


def access_key_id() -> str:
    """20 characters that name a requester's key; the prefix lets logs redact it."""
    return "CW" + "".join(secrets.choice(ALPHABET) for _ in range(18))
