"""The paper's SQD: a strategy question is parted into steps that refer to earlier answers."""

import textwrap
from typing import Annotated, Literal

from tasks.aggregation.votes import agreement
from tasks.base import Aggregate, Check, Judgement, Said, Shape, StageDefaults, TaskType
from tasks.fields import Flags, Steps, Text
from tasks.strategyqa.decomposing import checks as faults
from tasks.strategyqa.decomposition import graph_of
from tasks.strategyqa.shapes import ANSWER_INCORRECT, NOT_DEFINITIVE, Question, Step, in_words
from tasks.text import one_line

FLAGS = (
    (ANSWER_INCORRECT, "The given answer is incorrect"),
    (NOT_DEFINITIVE, "The question has no definite answer"),
)


class Answer(Shape):
    """One worker's steps, and what is wrong with the question, if anything."""

    steps: Annotated[
        list[Step],
        Steps(
            label="Steps",
            hint="Write the questions that one would look up or work out, one after the other. "
            "Where a step needs an earlier answer, write # and the number of that step.",
            excused="You marked that the answer is wrong: no steps are needed then. What you wrote is kept.",
        ),
    ] = []
    flags: Annotated[
        list[Literal["answer_incorrect", "not_definitive"]],
        Flags(
            options=FLAGS,
            label="Is something wrong with the question?",
            reason_in="reason",
            ending=(ANSWER_INCORRECT,),
            excuses="steps",
        ),
    ] = []
    reason: Annotated[
        str, Text(lines=2, label="Why?", hint="A sentence or two; the question’s writer reads it.", is_optional=True)
    ] = ""


class Outcome(Shape):
    """The decomposition; without steps where the worker said that the answer is incorrect, which rejects it."""

    steps: Annotated[list[Step], Steps(label="Steps", hint="One step a line: question | title of the page")] = []


class Decomposing(TaskType):
    title = "Break a yes/no question into the steps that answer it"
    description = (
        "Read a yes/no question with its answer and write the two to five smaller questions that somebody would have "
        "to look up, one after the other, to get there."
    )
    keywords = "writing, reasoning, question answering, research"
    reasons = {
        "lead_nowhere": "The steps don’t lead to the answer",
        "too_large": "A step asks for more than one thing",
        "faulty": "Unclear or faulty",
    }
    Item = Question
    Answer = Answer
    Outcome = Outcome
    searches_corpus = True
    checks = [
        Check(faults.no_steps, "block", "steps"),
        Check(faults.leaves_a_step_empty, "block", "steps"),
        Check(faults.too_many_steps, "block", "steps"),
        Check(faults.step_is_too_long, "block", "steps"),
        Check(faults.page_is_too_long, "block", "steps"),
        Check(faults.holds_unwelcome_characters, "block", "steps"),
        Check(faults.leaves_a_reference_open, "block", "steps"),
        # While somebody writes, the step that will use an answer is still to come.
        *(
            Check(check, "block", "steps", may_wait=name == "is_never_used")
            for name, check in faults.GRAPH_CHECKS.items()
        ),
        Check(faults.repeats_a_step, "warn", "steps"),
        Check(faults.has_one_step_only, "warn", "steps", may_wait=True),
        Check(faults.names_no_page, "warn", "steps"),
        Check(faults.step_is_no_question, "note", "steps"),
        Check(faults.flag_lacks_a_reason, "block", "reason"),
        Check(faults.reason_is_too_long, "block", "reason"),
        Check(faults.reason_without_a_flag, "warn", "flags"),
    ]
    review_checks = [
        *(Check(check, "block", "steps") for check in faults.GRAPH_CHECKS.values()),
        Check(faults.leaves_a_step_empty, "block", "steps"),
        Check(faults.leaves_a_reference_open, "block", "steps"),
        Check(faults.too_many_steps, "block", "steps"),
        Check(faults.step_is_too_long, "block", "steps"),
        Check(faults.has_one_step_only, "note", "steps"),
    ]
    # Done once per question (paper). The paper pays $4 for a full example of all its stages; the share is our guess.
    defaults = StageDefaults(
        reward_cents=80, answers_per_item=1, items_per_hit=1, minutes_allowed=45, expected_seconds_per_item=240
    )

    def label(self, item: Question) -> str:
        return textwrap.shorten(item.question, 140, placeholder="…")

    def facts(self, item: Question) -> dict[str, str]:
        return {
            "Question": item.question,
            "Answer": in_words(item.answer),
            "Term": f"{item.term}: {item.description}" if item.description else item.term,
            "Facts of the writer": "\n".join(item.facts),
        }

    def aggregate(self, item: Question, judgements: list[Judgement], settings: Shape) -> Aggregate:
        """The one decomposition; of several, the first that has steps and says nothing against the question.

        Whoever calls the answer incorrect is at the end of the work: nothing was asked of such steps, so they go no
        further. Agreement: of several workers, the share of pairs whose steps hang together in the same way. What they
        say against the question is feedback, and the pipeline rules on that.
        """
        if not judgements:
            return Aggregate("rejected", Outcome().model_dump(), None, "nobody wrote any steps")
        first = min(judgements, key=_order)
        agreed = agreement(graph_of([step.text for step in judgement.answer.steps]) for judgement in judgements)
        flagged = {name: sum(name in one.answer.flags for one in judgements) for name, _ in FLAGS}
        details = {name: number for name, number in flagged.items() if number}
        if faults.ends_here(first.answer):
            said = one_line(first.answer.reason) or "a decomposer says so"
            return Aggregate("rejected", Outcome().model_dump(), agreed, f"{ANSWER_INCORRECT}: {said}", details)
        state = "disputed" if first.answer.flags else "settled"
        return Aggregate(state, Outcome(steps=first.answer.steps).model_dump(), agreed, "", details)

    def feedback(self, item: Question, judgements: list[Judgement]) -> list[Said]:
        """Both flags speak of the question and its answer."""
        return [
            Said(flag, about="strategyqa.question", reason=judgement.answer.reason, answer=judgement.key)
            for judgement in judgements
            for flag in judgement.answer.flags
        ]


def _order(judgement: Judgement) -> tuple:
    answer = judgement.answer
    return faults.ends_here(answer), bool(answer.flags), not answer.steps, judgement.key
