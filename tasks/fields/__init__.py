"""Field kinds: how one part of an answer is asked for, read from a plain form, and shown again.

A field kind is metadata of a pydantic field: `Annotated[list[str], Chips(separator=";")]`. The
workbench renders `workbench/fields/<widget>.html` for it and loads `static/js/fields/<widget>.js`;
the review page renders `review/fields/<widget>.html`. A task type stays free of script.

This is the door: all kinds are taken from here, wherever they lie.
"""

from tasks.fields.base import Field, fields_of
from tasks.fields.decompositions import StepAnswers, Steps
from tasks.fields.derivations import Triplets
from tasks.fields.evidence import Evidence, said_of_step
from tasks.fields.plain import Chips, Choice, Flags, ItemChoice, Lines, Text
from tasks.fields.reviewed import AnswerList, Derivations, EvidenceSets

__all__ = [
    "AnswerList",
    "Chips",
    "Choice",
    "Derivations",
    "Evidence",
    "EvidenceSets",
    "Field",
    "Flags",
    "ItemChoice",
    "Lines",
    "StepAnswers",
    "Steps",
    "Text",
    "Triplets",
    "fields_of",
    "said_of_step",
]
