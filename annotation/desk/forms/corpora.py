"""Which corpus is searched."""

from __future__ import annotations

from django import forms

from annotation.corpus.models import Corpus


class ChosenCorpus(forms.Form):
    """Which corpus a project's people search."""

    corpus = forms.ModelChoiceField(
        Corpus.objects.order_by("name", "-id"),
        required=False,
        empty_label="none",
        help_text="Answers given from now on carry the one that you choose.",
    )
