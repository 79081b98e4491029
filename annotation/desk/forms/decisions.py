"""A person's decisions on work: its pay, its worker, its place."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotation.desk.forms.fields import Money, Words
from annotation.hits import paying, quarantine


class WithReason(forms.Form):
    """A decision that needs a reason and nothing else."""

    reason = Words(label="Reason", max_length=1_000, help_text="Stays here, in the log of this project.")


class Rejection(forms.Form):
    """Why work is not paid, in words that its worker reads."""

    reason = Words(label="Reason", max_length=paying.MOST_WORDS, help_text="The worker reads it.")


class Override(forms.Form):
    """A word to a worker whose rejected work is paid after all."""

    feedback = Words(
        label="A word to the worker",
        max_length=paying.MOST_WORDS,
        help_text="They were told otherwise before.",
        initial="We were wrong. Sorry!",
    )


class BonusForm(forms.Form):
    """A bonus: how much, what for, and the words that its worker reads."""

    cents = Money(label="Amount in dollars")
    reason = Words(label="Reason", max_length=paying.MOST_BONUS_WORDS, help_text="The worker reads it.")
    purpose = forms.RegexField(
        regex=rf"^{paying.PURPOSE.pattern}\Z",
        max_length=40,
        initial="care",
        help_text="A short name, such as care or extra-time. One bonus is paid for each.",
        error_messages={"invalid": "Expected small letters, digits and hyphens, such as extra-time."},
    )

    def clean_cents(self) -> int:
        cents = self.cleaned_data["cents"]
        if not cents:
            raise ValidationError("A bonus is at least one cent.")
        return cents


class Settlement(forms.Form):
    """What becomes of the pay for work in quarantine."""

    how = forms.ChoiceField(
        label="How it was settled", choices=list(quarantine.SETTLEMENTS.items()), widget=forms.RadioSelect
    )
    reason = Words(
        label="Reason", max_length=quarantine.MOST_REASON, help_text="When and how it was paid, or why nothing is owed."
    )

    def __init__(self, *args: Any, without_bonus: bool = False, **more: Any):
        super().__init__(*args, **more)
        if without_bonus:
            self.fields["how"].choices = [pair for pair in self.fields["how"].choices if pair[0] != "bonus"]
