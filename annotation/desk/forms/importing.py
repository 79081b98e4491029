"""The form that brings in source files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotation.desk.forms.fields import Files, SeveralFiles
from tasks.base import ReadOption


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
