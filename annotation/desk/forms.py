"""The desk's forms: they read and show; the rooms' actions decide and change."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import UsernameField
from django.core.exceptions import ValidationError

from annotation.corpus.models import Corpus
from annotation.desk import requirements, shapes, words
from annotation.desk.accounts import account_called
from annotation.hits import paying, quarantine
from annotation.projects import queries
from annotation.projects.models import Membership, Project, Stage
from tasks.base import Pipeline, ReadOption

MOST_FILES = 20
MOST_UPLOAD = 200_000_000


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


class StageSettings(forms.Form):
    """Pay, numbers, times and requirements of a stage, and the settings of its task type."""

    reward_cents = Money(label="Reward for a HIT, in dollars", help_text="What a worker earns for one HIT.")
    answers_per_item = forms.IntegerField(
        label="Answers per item",
        min_value=1,
        max_value=100,
        help_text="How many different workers answer each item. Ten or more are split over several HITs.",
    )
    items_per_hit = forms.IntegerField(
        label="Items per HIT", min_value=1, max_value=50, help_text="How many items a worker does in one go."
    )
    expected_seconds_per_item = forms.IntegerField(
        label="Expected seconds per item",
        min_value=1,
        max_value=28_800,
        help_text="For the expected pay, until there are measured times.",
    )
    minutes_allowed = forms.IntegerField(
        label="Minutes allowed",
        min_value=1,
        max_value=43_200,
        help_text="From accepting a HIT to its end. Be generous: who runs out of time loses the pay.",
    )
    lifetime_days = forms.IntegerField(
        label="Days on offer", min_value=1, max_value=365, help_text="After that, what is unfinished can be topped up."
    )
    approve_after_hours = forms.IntegerField(
        label="Hours to look before we pay",
        min_value=0,
        max_value=720,
        help_text=(
            "So long a person may look at submitted work, and reject it with a reason; then it is approved and paid. "
            "0: it is paid at once, and nothing can be rejected."
        ),
    )
    auto_approval_hours = forms.IntegerField(
        label="Hours until the marketplace pays",
        min_value=0,
        max_value=720,
        help_text="It pays by itself then, should this server be away.",
    )
    approval_rate = forms.IntegerField(
        label="Least share of approved work, in percent", required=False, min_value=0, max_value=100
    )
    approved_count = forms.IntegerField(
        label="Least number of approved HITs", required=False, min_value=0, max_value=1_000_000
    )
    countries = forms.CharField(
        required=False,
        max_length=400,
        help_text="Two-letter codes, such as US, GB, CA. Empty: anywhere.",
    )
    review = forms.ChoiceField(
        label="Which outcomes an expert sees",
        choices=[
            ("all", "All of them"),
            ("disputed", "Those that workers disagree about; the others are accepted"),
            ("none", "None: all are accepted"),
        ],
        widget=forms.RadioSelect,
    )
    blind_percent = forms.IntegerField(
        label="Second, blind reviews, in percent",
        min_value=0,
        max_value=100,
        help_text="Part of the outcomes that a second expert decides without seeing the first decision.",
    )

    GROUPS = (
        (
            "Pay and amount",
            ["reward_cents", "answers_per_item", "items_per_hit", "expected_seconds_per_item"],
        ),
        ("Time", ["minutes_allowed", "lifetime_days", "approve_after_hours", "auto_approval_hours"]),
        ("Who may take a HIT", ["approval_rate", "approved_count", "countries"]),
        ("Review", ["review", "blind_percent"]),
    )
    PLAIN = (
        "reward_cents",
        "answers_per_item",
        "items_per_hit",
        "expected_seconds_per_item",
        "minutes_allowed",
        "lifetime_days",
        "approve_after_hours",
        "auto_approval_hours",
        "review",
    )
    CROWD_ONLY = ("Pay and amount", "Time", "Who may take a HIT")

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any):
        self.stage, self.shape = stage, queries.task_type_of(stage).Settings
        self.parts = requirements.take_apart(stage.requirements)
        initial = {name: getattr(stage, name) for name in self.PLAIN}
        initial |= {
            "approval_rate": self.parts["approval_rate"],
            "approved_count": self.parts["approved_count"],
            "countries": ", ".join(self.parts["countries"]),
            "blind_percent": round(stage.blind_share * 100),
        }
        super().__init__(*args, initial=initial, **kwargs)
        if not stage.crowd:
            for group, names in self.GROUPS:
                if group in self.CROWD_ONLY:
                    for name in names:
                        del self.fields[name]
        self.fields |= shapes.form_fields(self.shape, stage.settings)

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        groups = [(title, [self[name] for name in names if name in self.fields]) for title, names in self.GROUPS]
        own = [field for field in self if field.name.startswith(shapes.PREFIX)]
        return [(title, fields) for title, fields in [*groups, ("Of this kind of task", own)] if fields]

    @property
    def kept_requirements(self) -> list[str]:
        """Requirements set elsewhere that this form leaves as they are."""
        return [requirements.sentence(requirement) for requirement in self.parts["others"]]

    def clean_countries(self) -> list[str]:
        try:
            return requirements.read_countries(self.cleaned_data["countries"])
        except ValueError as problem:
            raise ValidationError(str(problem)) from None

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.cleaned_data["settings"] = shapes.read_settings(self, self.shape, self.stage.settings)
        return self.cleaned_data

    def changes(self) -> dict[str, Any]:
        """What differs from what stands, by the names of `change_stage`."""
        clean = self.cleaned_data
        wanted = {name: clean[name] for name in self.PLAIN if name in clean} | {"settings": clean["settings"]}
        if clean["blind_percent"] != self.initial["blind_percent"]:
            wanted["blind_share"] = clean["blind_percent"] / 100
        if self.stage.crowd:
            wanted["requirements"] = requirements.build(
                approval_rate=clean["approval_rate"],
                approved_count=clean["approved_count"],
                countries=clean["countries"],
                others=self.parts["others"],
            )
        return {name: value for name, value in wanted.items() if value != getattr(self.stage, name)}


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


class Upload(forms.Form):
    """Source files of a pipeline, several at once."""

    files = Files(
        label="Source files",
        widget=SeveralFiles(attrs={"accept": ".jsonl,.json,.gz,.txt,.csv,.tsv", "data-drop": ""}),
        help_text="Keep the files' own names: the split may stand in them.",
    )

    def __init__(self, *args: Any, options: Sequence[ReadOption] = (), **more: Any):
        super().__init__(*args, **more)
        self._options = [option.name for option in options]
        for option in options:
            about = {"label": option.label, "help_text": option.help, "required": False}
            self.fields[option.name] = (
                forms.ChoiceField(choices=[("", "As it is"), *option.choices], **about)
                if option.choices
                else forms.CharField(max_length=40, **about)
            )

    def options(self) -> dict[str, str]:
        """What the reader is told: of each option that was filled in, the value."""
        return {name: value for name in self._options if (value := self.cleaned_data[name].strip())}


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


class Words(forms.CharField):
    """A few lines for people to read; browsers send line breaks as two characters, one is kept."""

    widget = forms.Textarea(attrs={"rows": 4})

    def to_python(self, value: Any) -> str:
        return super().to_python(value).replace("\r\n", "\n")


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


class ChosenCorpus(forms.Form):
    """Which corpus a project's people search."""

    corpus = forms.ModelChoiceField(
        Corpus.objects.order_by("name", "-id"),
        required=False,
        empty_label="none",
        help_text="Answers given from now on carry the one that you choose.",
    )
