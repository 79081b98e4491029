"""The forms of qualification tests."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotation.desk.forms.fields import Files, Money, SeveralFiles, Words, within
from annotation.desk.forms.gate import MOST_HITS, GateFields
from annotation.trials.models import Programme
from annotation.trials.programmes import LIMITS
from annotation.workers.qualifying import MOST_DESCRIPTION, MOST_REASON

PLAIN = (
    *("cents_per_item", "items_per_trial", "most_attempts", "graders"),
    *("minutes_allowed", "lifetime_days", "approve_after_hours", "auto_approval_hours"),
)
RUBRIC_HELP = (
    "A line a question: a short name, the question, and in words what 0, 1, 2 … points mean, each after a |. "
    "It stands once a trial was graded by it."
)


class TestSettings(GateFields):
    """Gate, pay, numbers and rubric of a qualification test."""

    cents_per_item = Money(label="Pay for an item, in dollars", help_text="A trial pays this for each of its items.")
    items_per_trial = within(LIMITS["items_per_trial"], label="Items a trial")
    most_attempts = within(
        LIMITS["most_attempts"], label="Tries a worker has", help_text="Each takes another set of items."
    )
    graders = within(
        LIMITS["graders"],
        label="Graders a trial",
        help_text="Two grade without sight of each other, and talk where they differ.",
    )
    minutes_allowed = within(LIMITS["minutes_allowed"], label="Minutes allowed")
    lifetime_days = within(LIMITS["lifetime_days"], label="Days on offer")
    approve_after_hours = within(
        LIMITS["approve_after_hours"],
        label="Hours that pay waits for the verdict",
        help_text="With the verdict the worker is paid, and reads it. 0: paid at once; the verdict comes in a message.",
    )
    auto_approval_hours = within(
        LIMITS["auto_approval_hours"], label="Hours until the marketplace pays", help_text="Should this server be away."
    )
    approved_count = within(
        (0, MOST_HITS),
        label="Least number of approved HITs",
        required=False,
        help_text=(
            "R4C asked for 5,000. High counts keep new workers out and cost others months of low pay; "
            "the test itself tells more."
        ),
    )
    rubric = forms.CharField(
        label="What graders look at",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "true"}),
        max_length=6_000,
        help_text=RUBRIC_HELP,
    )
    GROUPS = (
        ("Who may take it", ["approval_rate", "approved_count", "countries"]),
        ("A trial", ["cents_per_item", "items_per_trial", "most_attempts", "graders"]),
        ("Rubric", ["rubric"]),
        ("Time", ["minutes_allowed", "lifetime_days", "approve_after_hours", "auto_approval_hours"]),
    )

    def __init__(self, *args: Any, stands: dict[str, Any], **kwargs: Any):
        """`stands`: a programme's fields as they are, or would be."""
        self.stands = stands
        initial = {name: stands[name] for name in PLAIN} | {
            "rubric": "\n".join(" | ".join([one["name"], one["question"], *one["levels"]]) for one in stands["rubric"]),
        }
        super().__init__(*args, gate=stands["gate"], initial=initial, **kwargs)

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names]) for title, names in self.GROUPS]

    def clean_rubric(self) -> list[dict]:
        found = []
        for number, line in enumerate(self.cleaned_data["rubric"].splitlines(), 1):
            parts = [part.strip() for part in line.split("|")]
            if not any(parts):
                continue
            if len(parts) < 4 or not all(parts):
                raise ValidationError(
                    f"Line {number}: expected a name, a question and at least two levels, each after a |; "
                    f"found {len([part for part in parts if part])} parts."
                )
            found.append({"name": parts[0], "question": parts[1], "levels": parts[2:]})
        return found

    def wanted(self) -> dict[str, Any]:
        """The programme's fields as this form says."""
        clean = self.cleaned_data
        return {name: clean[name] for name in PLAIN} | {"gate": self.gate(), "rubric": clean["rubric"]}

    def changes(self) -> dict[str, Any]:
        return {name: value for name, value in self.wanted().items() if value != self.stands[name]}


class NewTest(TestSettings):
    """A test that is not there yet: its name and words, too."""

    name = forms.CharField(label="Name of the qualification", max_length=120, help_text="Workers read it.")
    description = Words(label="What it says to workers", max_length=MOST_DESCRIPTION)
    ask_for_it = forms.BooleanField(
        label="Only who passes may do the real HITs from now on", required=False, initial=True
    )
    GROUPS = (("The qualification", ["name", "description", "ask_for_it"]), *TestSettings.GROUPS)


def settings_of(programme: Programme) -> dict[str, Any]:
    return {name: getattr(programme, name) for name in (*PLAIN, "gate", "rubric")}


class NewItems(forms.Form):
    """Where a test's items come from; one of the three."""

    files = Files(
        label="Files with known answers",
        required=False,
        widget=SeveralFiles(attrs={"accept": ".jsonl,.json,.gz,.txt,.csv,.tsv"}),
        help_text='JSON Lines of {"key", "item", "answer"}, or source files as the import takes them.',
    )
    examples = forms.BooleanField(label="The examples of this kind of task that no worker is shown", required=False)
    set_aside = forms.IntegerField(
        label="Set aside so many open items", required=False, min_value=0, max_value=10_000, initial=0
    )

    def clean(self) -> dict[str, Any]:
        super().clean()
        clean = self.cleaned_data
        if not (clean.get("files") or clean.get("examples") or clean.get("set_aside") or self.errors):
            raise ValidationError("Choose files, the examples, or a number of open items.")
        return clean


class Workers(forms.Form):
    """How many workers may take each set of a test."""

    workers = forms.IntegerField(label="Workers", min_value=1, max_value=10_000, initial=9)


class GiveByHand(forms.Form):
    """A qualification for a worker, without a test."""

    worker = forms.CharField(label="Worker's pseudonym", max_length=40, help_text="As this project's pages show it.")
    value = forms.IntegerField(label="Value, 1 to 100", min_value=1, max_value=100, initial=100)
    reason = Words(label="Reason", max_length=MOST_REASON, required=False, help_text="Stays here, in the log.")


class TakeAway(forms.Form):
    """A qualification that a worker loses, with the reason that they read."""

    worker = forms.CharField(label="Worker's pseudonym", max_length=40)
    reason = Words(label="Reason", max_length=MOST_REASON, help_text="The worker reads it.")
    may_retake = forms.BooleanField(label="They may take the test once more", required=False)
