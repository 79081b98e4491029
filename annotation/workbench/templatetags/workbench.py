"""`{% field "answers" %}`: the widget of one field of the answer, for the item that is being rendered."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.utils.safestring import SafeString

from annotation.workbench import widgets

register = template.Library()


@register.simple_tag(takes_context=True)
def field(context: template.Context, name: str, **extras: object) -> SafeString:
    """The field's label, control and place for findings. `extras` are handed to the widget's template."""
    kind = context["kind"]
    if source := getattr(kind.fields.get(name), "options_from", ""):
        extras["given"] = context["item"][source]
    return widgets.widget(kind, name, context["key"], **extras)


@register.simple_tag
def solver_patience() -> str:
    """Seconds after which a question may be handed in though no solver has answered."""
    return f"{settings.SOLVER_PATIENCE:g}"


@register.filter
def dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


@register.filter
def minutes(number: int) -> str:
    """60 as "1 hour", 90 as "1 hour 30 minutes"."""
    hours, rest = divmod(int(number), 60)
    parts = [f"{hours} hour{'s' * (hours != 1)}"] if hours else []
    if rest or not hours:
        parts.append(f"{rest} minute{'s' * (rest != 1)}")
    return " ".join(parts)
