"""How money and spans of time read on a page, and what its forms carry."""

import secrets

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.marketplace import formatted

register = template.Library()


@register.filter
def dollars(cents: int | None) -> str:
    """`$0.25`"""
    return f"${(cents or 0) / 100:,.2f}"


@register.filter
def duration(seconds: int | None) -> str:
    """`45 seconds`, `20 minutes`, `1 hour 30 minutes`, `3 days`."""
    if seconds is None:
        return ""
    units = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
    parts = []
    left = int(seconds)
    for size, name in units:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {name}{'s' if count != 1 else ''}")
        elif parts:
            break
    return " ".join(parts[:2]) or "0 seconds"


@register.simple_tag
def once() -> SafeString:
    """The hidden token of a form that moves money: sent twice, it moves it once (see `views.fields.token`)."""
    return format_html('<input type="hidden" name="token" value="{}">', secrets.token_urlsafe(24))


@register.filter
def entry_kind(kind: str) -> str:
    """What a movement of money was, as people say it."""
    return {"bonus_fee": "fee for a bonus", "payout": "pay-out"}.get(kind, kind)


@register.filter
def tone(status: str) -> str:
    """The colour of a status tag; the word always stands beside it."""
    return {"Approved": "good", "Granted": "good", "Rejected": "bad", "Revoked": "bad", "Abandoned": "warn"}.get(
        status, ""
    )


@register.filter
def formatted_content(text: str) -> SafeString:
    """A requester's formatted text without anything that can act."""
    return formatted.safe_html(text)


@register.filter
def look_up(mapping: dict, key: str) -> object:
    """A value of a dictionary by a key that is itself a variable."""
    return mapping.get(key, "") if mapping else ""
