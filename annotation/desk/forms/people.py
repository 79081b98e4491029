"""Who is in a project."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import UsernameField
from django.core.exceptions import ValidationError

from annotation.desk.accounts import account_called
from annotation.projects.models import Membership


class NewMember(forms.Form):
    """A person and their role."""

    username = UsernameField(label="User name", max_length=150)
    role = forms.ChoiceField(choices=Membership.Role.choices, widget=forms.RadioSelect, initial="reviewer")
    make_account = forms.BooleanField(
        required=False,
        label="Make an account if there is none of this name",
        help_text="You will see its first password once, to hand over.",
    )

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        user = account_called(name) if name else None
        if name and user is None and not self.cleaned_data.get("make_account"):
            self.add_error("username", "There is no account of this name. Tick the box below to make one.")
        if name and user is None:
            try:
                get_user_model().username_validator(name)
            except ValidationError as problem:
                self.add_error("username", problem)
        self.cleaned_data["user"] = user
        return self.cleaned_data
