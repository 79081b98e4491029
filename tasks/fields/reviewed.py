"""What reviewers have before them and workers never post whole: several workers' answers in one list."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tasks.fields.base import Field
from tasks.fields.derivations import step_in_words
from tasks.fields.evidence import Evidence


@dataclass(frozen=True)
class AnswerList(Field):
    """A reviewer's list of answers: each kept or removed by an operation, new ones added, with their givers.

    Value: a list of `{"text", "from_answers": [answer ids], "origin": "worker" | "key" | "reviewer"}`.
    """

    lists_answers = True

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("an answer list is changed by operations, never posted whole")


@dataclass(frozen=True)
class Derivations(Field):
    """A reviewer's list of whole derivations: value `[{"from_answers": [answer ids], "steps": [steps]}]`."""

    lists_answers = True

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("derivations are never posted whole")

    def told(self, value: Iterable[Mapping] | None) -> list[str]:
        return [
            "\n".join([f"Derivation {number}", *map(step_in_words, derivation["steps"])])
            for number, derivation in enumerate(value or [], 1)
        ]


@dataclass(frozen=True)
class EvidenceSets(Evidence):
    """A reviewer's list of matchers' evidence: value `[{"from_answers": [answer ids], "matched": [one a step]}]`."""

    lists_answers = True

    def parse(self, values: list[str]) -> list[dict]:
        raise TypeError("evidence of several matchers is never posted whole")

    def told(self, value: Iterable[Mapping] | None) -> list[str]:
        return [
            "\n".join([f"Matcher {number}", *super(EvidenceSets, self).told(one["matched"])])
            for number, one in enumerate(value or [], 1)
        ]
