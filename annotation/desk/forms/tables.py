"""Which rows a table shows."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.desk import words
from annotation.projects.models import Stage


class ItemFilter(forms.Form):
    """Which items a table shows."""

    stage = forms.ChoiceField(required=False)
    state = forms.ChoiceField(required=False)
    split = forms.CharField(required=False, max_length=20)
    text = forms.CharField(required=False, max_length=200, label="Text or key")

    def __init__(self, *args: Any, stages: list[Stage], states: list[str], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["stage"].choices = [("", "All stages")] + [(stage.name, stage.name) for stage in stages]
        states = [(state, words.state_of_item(state)[0]) for state in states]
        self.fields["state"].choices = [("", "All states"), *states]


class AssignmentFilter(forms.Form):
    """Which assignments a table shows."""

    stage = forms.ChoiceField(required=False)
    state = forms.ChoiceField(required=False)
    worker = forms.CharField(required=False, max_length=40, label="Worker's pseudonym")

    def __init__(self, *args: Any, stages: list[Stage], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["stage"].choices = [("", "All stages")] + [
            (stage.name, words.spaced(stage.name)) for stage in stages
        ]
        self.fields["state"].choices = [("", "All states"), *words.ASSIGNMENT_STATES.items()]
