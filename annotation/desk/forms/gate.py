"""Who may take a HIT, as three fields of a form: a stage's and a test's are asked for alike."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotation.desk import requirements
from annotation.desk.forms.fields import within
from annotation.workers.requirements import APPROVAL_RATE, BOUNDS

MOST_HITS = 1_000_000


class GateFields(forms.Form):
    """The requirements that the desk knows; others (set through the API) are kept as they are."""

    approval_rate = within(BOUNDS[APPROVAL_RATE], label="Least share of approved work, in percent", required=False)
    approved_count = within((0, MOST_HITS), label="Least number of approved HITs", required=False)
    countries = forms.CharField(
        required=False, max_length=400, help_text="Two-letter codes, such as US, GB, CA. Empty: anywhere."
    )

    def __init__(self, *args: Any, gate: list[dict], initial: dict[str, Any], **kwargs: Any):
        """`gate`: the QualificationRequirements as they are, or would be."""
        self.parts = requirements.take_apart(gate)
        stands = {
            "approval_rate": self.parts["approval_rate"],
            "approved_count": self.parts["approved_count"],
            "countries": ", ".join(self.parts["countries"]),
        }
        super().__init__(*args, initial=initial | stands, **kwargs)

    def clean_countries(self) -> list[str]:
        try:
            return requirements.read_countries(self.cleaned_data["countries"])
        except ValueError as problem:
            raise ValidationError(str(problem)) from None

    @property
    def kept_requirements(self) -> list[str]:
        """Requirements set elsewhere that this form leaves as they are."""
        return [requirements.sentence(requirement) for requirement in self.parts["others"]]

    def gate(self) -> list[dict]:
        """The QualificationRequirements as a clean form says."""
        return requirements.build(
            approval_rate=self.cleaned_data["approval_rate"],
            approved_count=self.cleaned_data["approved_count"],
            countries=self.cleaned_data["countries"],
            others=self.parts["others"],
        )
