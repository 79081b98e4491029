"""Pages of a list, made so that both habits of clients in the wild work.

Some read `NextToken` after every non-empty page and stop at the first empty one, others stop when there
is no token. So every page with rows has a token, and the last page is empty and has none. The cursor is
the last row's id, not an offset: rows that vanish between two pages make nobody skip others.
"""

from django.core import signing
from django.db.models import QuerySet

from annotation.marketplace.errors import OutOfRange

DEFAULT_SIZE = 10
signer = signing.Signer(salt="marketplace.next-token")


def page(rows: QuerySet, params: dict, scope: str, *, newest_first: bool = False) -> tuple[list, dict]:
    """The rows of the wanted page, and the members that every list response has."""
    size = params.get("MaxResults", DEFAULT_SIZE)
    if token := params.get("NextToken"):
        last = _read(token, scope)
        rows = rows.filter(id__lt=last) if newest_first else rows.filter(id__gt=last)
    found = list(rows.order_by("-id" if newest_first else "id")[:size])
    response: dict = {"NumResults": len(found)}
    if found:
        response["NextToken"] = signer.sign(f"{scope}:{found[-1].pk}")
    return found, response


def _read(token: str, scope: str) -> int:
    try:
        named, _, last = signer.unsign(token).rpartition(":")
    except signing.BadSignature as error:
        raise OutOfRange("The value of NextToken is invalid: this service did not make it.") from error
    if named != scope:
        raise OutOfRange("The value of NextToken is invalid: it belongs to another list.")
    return int(last)
