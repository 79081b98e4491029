"""A quote that a person confirms to the cent, be it of a stage's items or of a test: then it is published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from annotation.desk import queries
from annotation.desk.access import Access
from annotation.desk.forms.publishing import Confirmation
from annotation.desk.views.frame import posted
from annotation.hits.models import HIT
from annotation.hits.publishing import Quote
from annotation.projects.actions import Refused

# From here on a typing error costs enough that the total has to be typed.
TYPE_FROM_CENTS = 1_000_00


@dataclass(frozen=True)
class Confirming:
    """What came of showing a quote: the HITs where it was confirmed (None: not yet), else the form to confirm it."""

    hits: list[HIT] | None
    form: Confirmation
    errors: list[str]
    must_type: bool

    @property
    def context(self) -> dict[str, Any]:
        return {"form": self.form, "errors": self.errors, "must_type": self.must_type}

    @property
    def status(self) -> int:
        return 422 if self.errors else 200


def confirm_and_publish(
    request: HttpRequest, access: Access, offer: Quote, publish: Callable[..., list[HIT]]
) -> Confirming:
    """Publishes a quote that was confirmed as it is. `publish` takes `confirmed_cents`, `digest`, `below_floor_ok`."""
    must_type = queries.is_real_money(access.project) or offer.total_cents >= TYPE_FROM_CENTS
    agreed = {"confirmed_cents": offer.total_cents, "digest": offer.digest}
    form = Confirmation(posted(request), initial=agreed, must_type=must_type)
    if form.is_valid():
        names = (*agreed, "below_floor_ok")
        try:
            return Confirming(publish(**{name: form.cleaned_data[name] for name in names}), form, [], must_type)
        except Refused as refusal:
            form.add_error(None, f"Nothing was published: {refusal}.")
    errors = [error for several in form.errors.values() for error in several]
    # The quote may have moved: what is confirmed next is what is shown now.
    fresh = Confirmation(initial=agreed, must_type=must_type) if errors else form
    return Confirming(None, fresh, errors, must_type)
