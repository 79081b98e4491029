"""Kinds of fields that several forms have."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

MOST_FILES = 20
MOST_UPLOAD = 200_000_000


def within(least_and_most: tuple[int, int], **kwargs: Any) -> forms.IntegerField:
    """A whole number within the limits that the room's action has."""
    least, most = least_and_most
    return forms.IntegerField(min_value=least, max_value=most, **kwargs)


class Money(forms.DecimalField):
    """Dollars on the page, whole cents behind it."""

    def __init__(self, **kwargs: Any):
        widget = forms.NumberInput(attrs={"step": "0.01", "min": "0", "inputmode": "decimal", "class": "money"})
        super().__init__(min_value=0, max_digits=11, decimal_places=2, widget=widget, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return f"{value / 100:.2f}" if isinstance(value, int) else value

    def clean(self, value: Any) -> int | None:
        if self.disabled:
            return value  # what stands, in cents: nothing was typed
        amount = super().clean(value)
        return None if amount is None else int(amount * 100)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(None if initial is None else Decimal(initial) / 100, data)


class Words(forms.CharField):
    """A few lines for people to read; browsers send line breaks as two characters, one is kept."""

    widget = forms.Textarea(attrs={"rows": 4})

    def to_python(self, value: Any) -> str:
        return super().to_python(value).replace("\r\n", "\n")


class SeveralFiles(forms.FileInput):
    allow_multiple_selected = True


class Files(forms.FileField):
    """Several uploaded files, each checked as a single one is; no more than a request can carry in at once."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        files = [super(Files, self).clean(file, initial) for file in data or [None]]
        files = [file for file in files if file]
        if len(files) > MOST_FILES:
            raise ValidationError(f"At most {MOST_FILES} files at once, found {len(files)}.")
        total = sum(file.size for file in files)
        if total > MOST_UPLOAD:
            raise ValidationError(
                f"At most {MOST_UPLOAD // 1_000_000} MB at once, found {total // 1_000_000} MB. "
                "Use the command for larger files."
            )
        names = [file.name for file in files]
        if len(set(names)) != len(names):
            raise ValidationError("Two of the files have the same name. Please upload one of them at a time.")
        return files
