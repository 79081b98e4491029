"""The form of a stage."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.desk import shapes
from annotation.desk.forms.fields import Money, within
from annotation.desk.forms.gate import GateFields
from annotation.projects import queries
from annotation.projects.limits import STAGE
from annotation.projects.models import Stage


class StageSettings(GateFields):
    """Pay, numbers, times and requirements of a stage, and the settings of its task type."""

    reward_cents = Money(label="Reward for a HIT, in dollars", help_text="What a worker earns for one HIT.")
    answers_per_item = within(
        STAGE["answers_per_item"],
        label="Answers per item",
        help_text="How many different workers answer each item. Ten or more are split over several HITs.",
    )
    items_per_hit = within(
        STAGE["items_per_hit"], label="Items per HIT", help_text="How many items a worker does in one go."
    )
    expected_seconds_per_item = within(
        STAGE["expected_seconds_per_item"],
        label="Expected seconds per item",
        help_text="For the expected pay, until there are measured times.",
    )
    minutes_allowed = within(
        STAGE["minutes_allowed"],
        label="Minutes allowed",
        help_text="From accepting a HIT to its end. Be generous: who runs out of time loses the pay.",
    )
    lifetime_days = within(
        STAGE["lifetime_days"], label="Days on offer", help_text="After that, what is unfinished can be topped up."
    )
    approve_after_hours = within(
        STAGE["approve_after_hours"],
        label="Hours to look before we pay",
        help_text=(
            "So long a person may look at submitted work, and reject it with a reason; then it is approved and paid. "
            "0: it is paid at once, and nothing can be rejected."
        ),
    )
    auto_approval_hours = within(
        STAGE["auto_approval_hours"],
        label="Hours until the marketplace pays",
        help_text="It pays by itself then, should this server be away.",
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
        initial = {name: getattr(stage, name) for name in self.PLAIN}
        initial["blind_percent"] = round(stage.blind_share * 100)
        super().__init__(*args, gate=stage.requirements, initial=initial, **kwargs)
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
            wanted["requirements"] = self.gate()
        return {name: value for name, value in wanted.items() if value != getattr(self.stage, name)}
