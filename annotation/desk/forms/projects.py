"""The forms of a project: a new one, and what can be changed of it later."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from annotation.desk import shapes, words
from annotation.desk.forms.fields import Money
from annotation.projects import queries
from annotation.projects.models import Project
from tasks.base import Pipeline


class NewProject(forms.Form):
    """A project of a pipeline: where it publishes, what it may spend, and the pipeline's own choices."""

    name = forms.CharField(max_length=120, help_text="As people will see it.")
    slug = forms.SlugField(
        label="Short name",
        max_length=60,
        help_text="Small letters, digits and hyphens; stands in addresses and commands, and stays.",
    )
    environment = forms.ChoiceField(label="Marketplace", widget=forms.RadioSelect)
    budget_cap_cents = Money(
        label="Budget in dollars", help_text="Rewards and fees together. Nothing is published beyond it."
    )
    wage_floor_cents = Money(
        label="Least pay an hour, in dollars",
        initial=1_000,
        help_text="Publishing below it, by measured times, takes a word of its own.",
    )
    contact = forms.CharField(
        required=False, max_length=200, help_text="Whom workers may ask: a name and an e-mail address."
    )

    def __init__(self, *args: Any, pipeline: Pipeline, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.pipeline = pipeline
        self.fields["environment"].choices = [(name, words.marketplace(name)) for name in settings.MARKETPLACES]
        self.fields["environment"].initial = "own"
        self.fields |= shapes.form_fields(pipeline.Settings, {})

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"].lower()
        if Project.objects.filter(slug=slug).exists():
            raise ValidationError("This short name is taken. Please choose another.")
        return slug

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.cleaned_data["settings"] = shapes.read_settings(self, self.pipeline.Settings, {})
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """What `create_project` takes."""
        return {name: self.cleaned_data[name] for name in (*self.base_fields, "settings")}

    @property
    def project_fields(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith(shapes.PREFIX)]

    @property
    def setting_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name.startswith(shapes.PREFIX)]


class ProjectSettings(forms.Form):
    """What can be changed of a project later. The money fields are the owner's."""

    name = forms.CharField(max_length=120)
    contact = forms.CharField(
        required=False, max_length=200, help_text="Whom workers may ask: a name and an e-mail address."
    )
    budget_cap_cents = Money(
        label="Budget in dollars", help_text="Rewards and fees together. Nothing is published beyond it."
    )
    wage_floor_cents = Money(
        label="Least pay an hour, in dollars", help_text="Publishing below it takes a word of its own."
    )

    MONEY = ("budget_cap_cents", "wage_floor_cents")

    def __init__(self, *args: Any, project: Project, may_own: bool, **kwargs: Any):
        self.project, self.shape = project, queries.pipeline_of(project).Settings
        initial = {name: getattr(project, name) for name in self.base_fields}
        super().__init__(*args, initial=initial, **kwargs)
        if not may_own:
            for name in self.MONEY:
                self.fields[name].disabled = True
                self.fields[name].help_text = "Only an owner changes this."
        self.fields |= shapes.form_fields(self.shape, project.settings)

    project_fields = NewProject.project_fields
    setting_fields = NewProject.setting_fields

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.cleaned_data["settings"] = shapes.read_settings(self, self.shape, self.project.settings)
        return self.cleaned_data

    def changes(self) -> dict[str, Any]:
        """What differs from what stands, by the names of `change_project`."""
        names = [*self.base_fields, "settings"]
        wanted = {name: self.cleaned_data[name] for name in names}
        return {name: value for name, value in wanted.items() if value != getattr(self.project, name)}
