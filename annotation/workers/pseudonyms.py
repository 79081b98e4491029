"""Keyed names for workers: the same key and parts give the same name, and no name leads back without the key."""

import base64
import hashlib
import hmac


def pseudonym(key: str, *parts: str) -> str:
    """`w-` and ten characters (50 bits) of an HMAC-SHA256 over the parts."""
    digest = hmac.new(key.encode(), "\x1f".join(parts).encode(), hashlib.sha256).digest()
    return "w-" + base64.b32encode(digest)[:10].decode().lower()
