"""Whether a question can be answered from one derivation alone: what the paper's answerability HIT asks."""

import textwrap
from typing import Annotated, Literal

from tasks.aggregation.votes import agreement, counted
from tasks.base import Aggregate, Check, Judgement, Shape, StageDefaults, TaskType
from tasks.fields import Choice
from tasks.r4c.answerability import checks as faults
from tasks.r4c.filtering import LEVELS, SPLIT, verdict_of
from tasks.r4c.shapes import DerivationStep, shown

OPTIONS = (
    ("yes", "Yes: the steps say it"),
    ("likely", "Likely: the steps leave a small gap, but the answer is probably right"),
    ("no", "No: the steps do not lead to this answer"),
)
VERDICTS = (*OPTIONS, (SPLIT, "Split: the workers disagree"))


class Item(Shape):
    """A question with its answer and one derivation; workers see no article."""

    question: str
    answer: str
    steps: list[DerivationStep]


class Answer(Shape):
    """One worker's verdict."""

    verdict: Annotated[
        Literal["", "yes", "likely", "no"],
        Choice(options=OPTIONS, label="Can the question be answered with this answer from these steps alone?"),
    ] = ""


class Outcome(Shape):
    """The majority's verdict; `split` where there is none."""

    verdict: Annotated[Literal["yes", "likely", "no", "split"], Choice(options=VERDICTS, label="Verdict")]


class Answerability(TaskType):
    title = "Say whether a question can be answered from a few given facts"
    description = "Read a question, an answer and a few facts, and say whether the facts alone lead to the answer."
    keywords = "question answering, reasoning, judgement"
    Item = Item
    Answer = Answer
    Outcome = Outcome
    checks = [Check(faults.no_verdict, "block", "verdict")]
    # Three workers and 15 cents (paper).
    defaults = StageDefaults(
        reward_cents=15, answers_per_item=3, items_per_hit=1, minutes_allowed=15, expected_seconds_per_item=40
    )

    def label(self, item: Item) -> str:
        steps = "; ".join(" ".join(step.triplet) for step in item.steps)
        return textwrap.shorten(f"{shown(item.question)} {steps}", 140, placeholder="…")

    def facts(self, item: Item) -> dict[str, str]:
        return {
            "Question": shown(item.question),
            "Answer": shown(item.answer),
            "Derivation": "\n".join(" · ".join(step.triplet) for step in item.steps),
        }

    def shown_to_workers(self, item: Item) -> dict:
        return {
            "question": shown(item.question),
            "answer": shown(item.answer),
            "steps": [{"head": step.head, "relation": step.relation, "tail": step.tail} for step in item.steps],
        }

    def aggregate(self, item: Item, judgements: list[Judgement], settings: Shape) -> Aggregate:
        """The majority, or a split. Agreement is the share of pairs of workers who say the same."""
        votes = [judgement.answer.verdict for judgement in judgements if judgement.answer.verdict]
        verdict = verdict_of(votes)
        return Aggregate(
            "disputed" if verdict == SPLIT else "settled",
            Outcome(verdict=verdict).model_dump(),
            agreement(votes),
            "",
            {"votes": counted(votes, list(LEVELS))},
        )
