"""What a publisher confirms."""

from __future__ import annotations

from typing import Any

from django import forms


class Confirmation(forms.Form):
    """What a publisher agrees to: the quote as it was shown, its amount to the cent and its very HITs."""

    confirmed_cents = forms.IntegerField(min_value=0, max_value=10**12, widget=forms.HiddenInput)
    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    typed_dollars = forms.CharField(required=False, max_length=20, label="Type the total to confirm")
    below_floor_ok = forms.BooleanField(required=False, label="Publish although the expected pay is below the floor")

    def __init__(self, *args: Any, must_type: bool, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.must_type = must_type
        if not must_type:
            del self.fields["typed_dollars"]

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.must_type:
            wanted = f"{self.cleaned_data.get('confirmed_cents', 0) / 100:.2f}"
            typed = self.cleaned_data.get("typed_dollars", "").replace("$", "").replace(",", "").strip()
            if typed != wanted:
                self.add_error("typed_dollars", f"Expected {wanted}, found {typed or 'nothing'}.")
        return self.cleaned_data
