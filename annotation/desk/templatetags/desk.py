"""How the desk's templates write money, times and states."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.timezone import now

from annotation.desk import showing, words
from annotation.marks import visible
from annotation.policies import without_worker_ids
from annotation.review.models import Feedback

register = template.Library()

STATES = {
    "item": words.ITEM_STATES,
    "project": words.PROJECT_STATES,
    "release": words.RELEASE_STATES,
    "assignment": words.ASSIGNMENT_TAGS,
    "trial": words.TRIAL_STATES,
}

register.simple_tag(visible, name="visible")
register.simple_tag(showing.value, name="value")
register.simple_tag(showing.answer, name="answer")
register.simple_tag(showing.change, name="change")
register.filter("operation", showing.operation)
register.filter("dollars", words.dollars)
register.filter("span", words.span)
register.filter("marketplace", words.marketplace)


@register.filter
def thousands(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


register.filter("number", words.number)
register.filter("without_ids", without_worker_ids)


@register.filter
def hours(number: float) -> str:
    """A number of hours as a span of time."""
    return words.span(number * 3600)


@register.filter
def assignment_state(state: str) -> str:
    return words.ASSIGNMENT_STATES.get(state, state)


@register.filter
def percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.0%}"


@register.filter
def many(count: int, names: str) -> str:
    """`3|many:"item"` is "3 items"; an irregular plural stands after a comma."""
    return words.plural(count, *names.split(","))


@register.filter
def spaced(name: str) -> str:
    return str(name).replace("_", " ")


@register.filter
def effect(name: str) -> str:
    """What feedback did, in a word or two."""
    return words.effect(name)


@register.filter
def came_of_it(feedback: Feedback) -> str:
    """What a piece of feedback did, as a sentence."""
    return words.came_of_it(feedback.effect or feedback.state)


@register.simple_tag
def state(kind: str, name: str) -> str:
    """A state as a tag with a word in it: `{% state "item" item.state %}`."""
    word, tone = STATES[kind].get(name, (name, ""))
    return format_html('<span class="tag {}">{}</span>', tone, word)


@register.simple_tag
def when(moment: datetime | None) -> str:
    """A moment as "3 min ago", with the full date at hand (script writes it in the reader's own time zone)."""
    if moment is None:
        return "never"
    seconds = (now() - moment).total_seconds()
    text = "just now" if 0 <= seconds < 20 else f"{words.span(seconds)} ago"
    if seconds < 0:
        text = f"in {words.span(-seconds)}"
    stamp = moment.strftime("%-d %B %Y, %H:%M UTC")
    return format_html('<time datetime="{}" title="{}">{}</time>', moment.isoformat(), stamp, text)


@register.simple_tag(takes_context=True)
def with_query(context: dict, **changes: Any) -> str:
    """This page's query string with some parameters changed (an empty value drops one)."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value not in ("", None):
            query[name] = value
    return f"?{query.urlencode()}" if query else "?"
