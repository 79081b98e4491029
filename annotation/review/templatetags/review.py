"""How the review pages show text from strangers, agreement and decisions."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from annotation import marks
from annotation.review.diff import Change, words_changed
from annotation.review.reasons import in_words

register = template.Library()

register.filter("visible", lambda text: marks.visible(str(text or "")))
register.filter("in_words", in_words)
register.filter("hidden_characters", lambda text: marks.hidden_in(str(text or "")))


@register.filter
def percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.0%}"


@register.inclusion_tag("review/diff.html")
def word_diff(before: str, after: str) -> dict:
    return {"changes": _shown(words_changed(before, after))}


@register.inclusion_tag("review/diff.html")
def diff_of(changes: Sequence[Change]) -> dict:
    return {"changes": _shown(changes)}


def _shown(changes: Sequence[Change]) -> list[tuple[str, SafeString]]:
    return [(kind, marks.visible_run(text)) for kind, text in changes]


@register.inclusion_tag("review/agreement.html")
def agreement_bar(share: float | None) -> dict:
    return {"share": share, "width": round((share or 0) * 100)}


@register.filter
def share_of(part: int, total: int) -> int:
    """A part of a total in whole percent, for the length of a bar."""
    return round(100 * part / total) if total else 0
