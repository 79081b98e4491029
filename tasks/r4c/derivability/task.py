"""Whether a step can be drawn from the sentence that it cites: what two experts say of a sample of steps."""

import textwrap
from typing import Annotated, Literal

from tasks.aggregation.votes import counted, majority
from tasks.base import Aggregate, Check, Judgement, Shape, StageDefaults, TaskType
from tasks.fields import Choice
from tasks.r4c.derivability import checks as faults
from tasks.r4c.shapes import DerivationStep, shown

OPTIONS = (("yes", "Yes, the sentence says so"), ("no", "No"))


class Item(Shape):
    """A step, and the sentence of its article that it cites."""

    step: DerivationStep
    source: str


class Answer(Shape):
    derivable: Annotated[
        Literal["", "yes", "no"], Choice(options=OPTIONS, label="Can the fact be drawn from this sentence?")
    ] = ""


class Outcome(Shape):
    """Empty until an expert has said so."""

    derivable: Annotated[
        Literal["", "yes", "no"], Choice(options=OPTIONS, label="Can the fact be drawn from this sentence?")
    ]


class Derivability(TaskType):
    title = "Say whether a fact can be drawn from a sentence"
    description = "Compare a fact with the sentence that it was drawn from."
    keywords = "reading, judgement"
    Item = Item
    Answer = Answer
    Outcome = Outcome
    checks = [Check(faults.nothing_said, "block", "derivable")]
    review_checks = [Check(faults.nothing_said, "block", "derivable")]
    defaults = StageDefaults(reward_cents=5, answers_per_item=1, items_per_hit=5, expected_seconds_per_item=15)

    def label(self, item: Item) -> str:
        return textwrap.shorten(" · ".join(item.step.triplet), 120, placeholder="…")

    def facts(self, item: Item) -> dict[str, str]:
        return {
            "Fact": " · ".join(item.step.triplet),
            "Sentence": shown(item.source),
            "Article": shown(item.step.title),
        }

    def shown_to_workers(self, item: Item) -> dict:
        head, relation, tail = item.step.triplet
        return {
            "title": shown(item.step.title),
            "source": shown(item.source),
            "head": head,
            "relation": relation,
            "tail": tail,
        }

    def aggregate(self, item: Item, judgements: list[Judgement], settings: Shape) -> Aggregate:
        """The majority, where somebody judged; in an expert's stage nobody has, and the expert says it in review."""
        votes = [judgement.answer.derivable for judgement in judgements if judgement.answer.derivable]
        verdict = majority(votes)
        value = Outcome(derivable=verdict or "").model_dump()
        details = {"votes": counted(votes, ["yes", "no"])} if votes else {}
        return Aggregate("settled" if verdict else "disputed", value, None, "", details)
