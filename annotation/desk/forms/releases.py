"""The form that orders a release."""

from __future__ import annotations

from django import forms


class NewRelease(forms.Form):
    """A release's version and what its reader should know."""

    version = forms.RegexField(
        regex=r"^\d+\.\d+\.\d+$",
        required=False,
        max_length=20,
        help_text="Three numbers, such as 1.0.0. Empty: the next one, by what changed.",
        error_messages={"invalid": "Expected three numbers with dots, such as 1.0.0."},
    )
    notes = forms.CharField(
        required=False, max_length=5_000, widget=forms.Textarea(attrs={"rows": 4}), help_text="Goes into its card."
    )
